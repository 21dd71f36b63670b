import { readConfig } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { explainRequest } from '../../numbers/report/explain/explain-request.ts';
import { choosesNumber } from '../../numbers/report/request/number.ts';
import { describeExplanation, formatExplanation } from '../../numbers/write/index.ts';
import { readCatalogues } from '../../store/generation/index.ts';
import { askFiles } from '../../store/history/index.ts';
import { type Command, type CommandContext, type Flag, type Flags, givenInstead } from './command.ts';
import { sentParameters } from './parameter-flags.ts';

/** Creates the explain command; its flags are the parameters that choose a number. */
export function loadExplainCommand(): Command {
  const { full } = readCatalogues();
  const parameters = [...full.parameters.values()].filter(({ name }) => name !== 'report' && choosesNumber(name));
  const flags: Flag[] = parameters.map(({ name, description }) => ({
    name: name.replaceAll('_', '-'),
    argument: 'V',
    help: name === 'measure' ? 'The measure to explain.' : description,
  }));
  return {
    name: 'explain',
    summary: 'Explains a number of a report, or a line of the ledger, rule by rule.',
    usage: 'explain REPORT --measure M (--start-date D --end-date D | --period P) | explain --line ID',
    flags: [
      ...flags,
      {
        name: 'line',
        argument: 'ID',
        help: 'Explain this line instead, such as s:77:101:2026-01-05; one of a baseline with --baseline.',
      },
      { name: 'format', argument: 'F', help: 'table or json. Default: table on a terminal, json otherwise.' },
    ],
    examples: [
      'explain projects --measure variance_cost --project-id 501 --start-date 2026-01-01 --end-date 2026-03-31',
      'explain people --measure utilization_percent --period quarter_to_date',
      'explain --line s:9001:101:2026-01-05',
    ],
    run: runExplain,
  };
}

async function runExplain(
  positionals: readonly string[],
  flags: Flags,
  { stdout, now }: CommandContext,
): Promise<void> {
  const [report, ...more] = positionals;
  if (more.length > 0) throw new AppError('usage', `explain takes the name of one report${givenInstead(positionals)}`);
  const { line, format = stdout.isTTY ? 'table' : 'json' } = flags;
  if (format !== 'table' && format !== 'json') {
    throw new AppError('usage', `--format: "${format}" is not a format of explain`, { hint: 'Give table or json.' });
  }
  const catalogues = readCatalogues();
  const sent = sentParameters(catalogues.full, flags);
  const isState = (name: string) => catalogues.full.parameters.get(name)?.type === 'state';
  if (typeof line === 'string' ? report !== undefined || !Object.keys(sent).every(isState) : report === undefined) {
    throw new AppError('usage', 'explain takes either the name of a report with its parameters, or --line', {
      hint: 'Give explain REPORT --measure M --start-date D --end-date D, or explain --line ID.',
    });
  }
  const request = { sent: typeof line === 'string' ? { ...sent, line_id: line } : { ...sent, report: report ?? '' } };
  await askFiles(readConfig(flags), catalogues, request, now, async ({ context, sent: completed }) => {
    const explanation = await explainRequest(context, catalogues, completed);
    await stdout.write([format === 'json' ? toJson(describeExplanation(explanation)) : formatExplanation(explanation)]);
  });
}

function toJson(explain: object): string {
  return `${JSON.stringify({ explain }, null, 2)}\n`;
}
