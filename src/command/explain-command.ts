import { readConfig } from '../config/config.ts';
import { AppError } from '../error.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import { todayOf } from '../report/catalogue/definitions.ts';
import { explainLine, explainNumber, stateOfLine } from '../report/explain/explain-request.ts';
import { choosesNumber, parseNumberQuery } from '../report/request/number.ts';
import { lineMeta } from '../report/run/run.ts';
import { readCompany } from '../report/source/read-company.ts';
import { describeLine, describeNumber, formatLineExplanation, formatNumberExplanation } from '../write/explanation.ts';
import { type Command, type CommandContext, type Flag, type Flags, givenInstead } from './command.ts';
import { AS_OF_FLAG, attachAsked, readAskedState } from './history/as-of-flag.ts';

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
      AS_OF_FLAG,
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
  const sent = sentOf(flags);
  if (
    typeof line === 'string'
      ? report !== undefined || Object.keys(sent).some((name) => name !== 'baseline')
      : report === undefined
  ) {
    throw new AppError('usage', 'explain takes either the name of a report with its parameters, or --line', {
      hint: 'Give explain REPORT --measure M --start-date D --end-date D, or explain --line ID.',
    });
  }
  const catalogues = readCatalogues();
  const config = readConfig(flags);
  const state = stateOfLine({ ...sent, ...(typeof line === 'string' && { line_id: line }) });
  const asked = await readAskedState(config.database, state === undefined ? flags : { ...flags, 'as-of': state });
  const { file, asOf, fill } = asked;
  const database = await openGeneration(file, { memoryLimitMib: config.memoryLimitMib });
  try {
    const company = { ...(await readCompany(database)), asOf };
    const baseline = typeof line === 'string' ? undefined : await attachAsked(database, asked);
    const context = { database, company, now: now(), baseline };
    if (typeof line === 'string') {
      const explanation = await explainLine(database, catalogues, true, line);
      const meta = lineMeta(context, catalogues.full, line);
      await stdout.write([
        format === 'json' ? toJson(describeLine(explanation, meta)) : formatLineExplanation(explanation, meta),
      ]);
      return;
    }
    const options = { company, today: todayOf(company, context.now), baseline };
    const number = parseNumberQuery(catalogues, { ...fill(sent, choosesNumber), report: report ?? '' }, options);
    const explanation = await explainNumber(context, number);
    await stdout.write([
      format === 'json' ? toJson(describeNumber(explanation)) : formatNumberExplanation(explanation),
    ]);
  } finally {
    await database.close();
  }
}

function sentOf(flags: Flags): Record<string, string> {
  const { full } = readCatalogues();
  const sent = [...full.parameters.keys()].flatMap((name) => {
    const value = flags[name.replaceAll('_', '-')];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(sent);
}

function toJson(explain: object): string {
  return `${JSON.stringify({ explain }, null, 2)}\n`;
}
