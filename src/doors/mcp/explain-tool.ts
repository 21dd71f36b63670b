import { summingReports } from '../../numbers/report/catalogue/index.ts';
import { parameterSchema } from '../../numbers/report/describe/describe-catalogue.ts';
import { explainRequest } from '../../numbers/report/explain/explain-request.ts';
import { choosesNumber } from '../../numbers/report/request/number.ts';
import { describeExplanation } from '../../numbers/write/index.ts';
import { readParameters } from '../../store/ask/index.ts';
import type { ReportTool } from './report-tool.ts';

export const explainTool: ReportTool = {
  name: 'explain',
  title: 'Explain a number or a line',
  description:
    'Tells why a number is what it is: its formula, its terms, and its parts by person, month and rate source. Give the report, the measure, the window, and the keys of the row (such as project_id). Or give line_id alone, to learn rule by rule how a line got its hours and rates.',
  scope: 'reports',
  inputSchema(catalogue) {
    const summing = summingReports(catalogue);
    const [pivot] = summing.filter(({ rows }) => !rows);
    const chosen = [...catalogue.parameters.values()].filter(({ name }) => choosesNumber(name));
    const schemas = pivot
      ? chosen.map((each) => [each.name, { ...parameterSchema(each, pivot, catalogue), description: each.description }])
      : [];
    return {
      type: 'object',
      properties: {
        ...Object.fromEntries(schemas),
        report: {
          type: 'string',
          enum: summing.map(({ name }) => name),
          description: 'The report with the number; the pivot, if left out.',
        },
        measure: { type: 'string', enum: [...catalogue.measures.keys()], description: 'The measure.' },
        line_id: { type: 'string', description: 'The line to explain, alone.' },
      },
      additionalProperties: false,
    };
  },
  outputSchema: {
    type: 'object',
    properties: {
      explain: {
        type: 'object',
        description:
          'Of a number: value, formula, terms, parts and the query of its lines. Of a line: the line, and the steps that made it. Decimals are strings.',
      },
      meta: { type: 'object' },
    },
    required: ['explain', 'meta'],
  },
  async run(sent, { catalogues, ask }, signal) {
    const texts = readParameters(sent);
    const explanation = await ask({ sent: texts }, signal, (context, completed) =>
      explainRequest(context, catalogues, completed),
    );
    const { meta } = explanation;
    const subject = 'line' in explanation ? `The line ${texts['line_id']}` : explanation.number.measure.label;
    return {
      summary: `${subject}, explained.`,
      content: { explain: describeExplanation(explanation), meta },
    };
  },
};
