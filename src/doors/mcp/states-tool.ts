import { declareBody } from '../../base/body/index.ts';
import type { ReportTool } from './report-tool.ts';

const states = { type: 'array', items: { type: 'object' } };

const none = declareBody({ type: 'object', properties: {}, additionalProperties: false });

export const listStatesTool: ReportTool = {
  name: 'list_states',
  title: 'List the kept states',
  description:
    'Lists the states of the data that were kept: closings of periods, and others such as a plan as agreed. Give the name of one, or name@number, as as_of to the other tools; they then answer what was known at that time.',
  scope: 'reports',
  inputSchema: () => none.describe(),
  outputSchema: {
    type: 'object',
    properties: { closings: states, kept: states, damaged: states },
    required: ['closings', 'kept', 'damaged'],
  },
  async run(sent, access) {
    none.read(sent);
    const content = await access.states();
    const count = Object.values(content).flat().length;
    return { summary: `${count} kept states.`, content };
  },
};
