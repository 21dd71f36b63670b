import { extname } from 'node:path';
import { readConfig } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../error.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import {
  type AsOfState,
  allParametersOf,
  type Catalogue,
  type Catalogues,
  findReport,
  isRequired,
  type Parameter,
  type Report,
} from '../report/catalogue/definitions.ts';
import { runTold } from '../report/insights/insights.ts';
import { attachEarlier, type ReportContext, readQuery } from '../report/run/run.ts';
import { readWorkbook, type WrittenComments } from '../report/workbook/workbook.ts';
import type { CsvStyle } from '../write/csv-style.ts';
import { FORMATS, type FormatName, isFormat, writeTable } from '../write/formats.ts';
import { writeXlsx } from '../write/xlsx/write.ts';
import { type Command, type CommandContext, type Flag, type Flags, givenInstead } from './command.ts';
import { readComments } from './comments.ts';
import { CSV_FLAG, parseCsvStyle } from './csv-flag.ts';
import { AS_OF_FLAG, attachAsked, readAskedState, readComparedStates } from './history/as-of-flag.ts';
import { writeOutput } from './output.ts';

const OUTPUT_FLAGS: readonly Flag[] = [
  {
    name: 'format',
    argument: 'F',
    help: `One of ${Object.keys(FORMATS).join(', ')}. Default: that in the name of --output, else table on a terminal and json elsewhere.`,
  },
  { name: 'output', argument: 'FILE', help: 'Write to a file, whole or not at all. Default: standard output.' },
  CSV_FLAG,
  {
    name: 'comments-from',
    argument: 'FILE',
    help: 'Workbooks: take over the commentary of an earlier one and, of projects, their comments.',
  },
];

/** Creates the report command; its flags are the parameters of all reports. */
function reportCommand(catalogues: Catalogues): Command {
  const { full: catalogue } = catalogues;
  const command: Command = {
    name: 'report',
    summary: `Prints a report: ${[...catalogue.reports.keys()].join(', ')}.`,
    usage: 'report NAME --start-date D --end-date D | report NAME --period P',
    flags: [...[...catalogue.parameters.values()].map(parameterFlag), AS_OF_FLAG, ...OUTPUT_FLAGS],
    examples: [
      'report projects --start-date 2026-01-01 --end-date 2026-03-31',
      'report projects --period last_month --cutoff-date period_end --output projects.xlsx',
      'report people --start-date 2026-01-01 --end-date 2026-03-31 --interval month --output people.csv',
      'report pivot --group-by client,month --measures actual_hours,actual_fees --start-date 2026-01-01 --end-date 2026-06-30',
    ],
    helpFor([name, ...more]) {
      return name === undefined || more.length > 0
        ? command
        : commandOf(catalogue, findReport(catalogue, name), command);
    },
    async run(positionals, flags, context) {
      const [name] = positionals;
      if (name === undefined || positionals.length > 1) {
        throw new AppError('usage', `report takes the name of one report${givenInstead(positionals)}`, {
          hint: `The reports are ${[...catalogue.reports.keys()].join(', ')}.`,
        });
      }
      await printReport(catalogues, findReport(catalogue, name), flags, context);
    },
  };
  return command;
}

export function loadReportCommand(): Command {
  return reportCommand(readCatalogues());
}

function commandOf(catalogue: Catalogue, report: Report, command: Command): Command {
  const parameters = allParametersOf(catalogue, report);
  const groupBy = report.relation ? undefined : parameters.find(({ name }) => name === 'group_by');
  return {
    ...command,
    summary: `${report.description} A row is: ${report.row.charAt(0).toLowerCase()}${report.row.slice(1)}`,
    ...(report.compares ? comparingUsage(report, parameters) : usageOf(report, groupBy)),
    flags: [...parameters.map(parameterFlag), ...(report.compares ? [] : [AS_OF_FLAG]), ...OUTPUT_FLAGS],
  };
}

function usageOf({ name }: Report, groupBy: Parameter | undefined): Pick<Command, 'usage' | 'examples'> {
  const rows = groupBy ? ` --group-by ${groupBy.example}` : '';
  return {
    usage: `report ${name} (--start-date D --end-date D | --period P)${groupBy ? ' --group-by V' : ''}`,
    examples: [
      `report ${name} --start-date 2026-01-01 --end-date 2026-03-31${rows}`,
      `report ${name} --period last_month${rows}`,
    ],
  };
}

/** The window of a comparison may be left out, if the state has a period. */
function comparingUsage(report: Report, parameters: readonly Parameter[]): Pick<Command, 'usage' | 'examples'> {
  const required = parameters.filter(({ name }) => isRequired(report, name));
  const given = required.map(({ name, example }) => ` --${name} ${example}`).join('');
  return {
    usage: `report ${report.name}${required.map(({ name }) => ` --${name} V`).join('')}`,
    examples: [`report ${report.name}${given}`, `report ${report.name}${given} --to now --project-id 501`],
  };
}

async function printReport(
  catalogues: Catalogues,
  report: Report,
  flags: Flags,
  { stdout, now }: CommandContext,
): Promise<void> {
  const output = typeof flags['output'] === 'string' ? flags['output'] : undefined;
  const format = parseFormat(flags, stdout.isTTY);
  const csv = parseCsvStyle(flags, format);
  const comments = await parseComments(flags['comments-from'], format);
  const config = readConfig(flags);
  const sent: Record<string, string> = {};
  for (const { name } of catalogues.full.parameters.values()) {
    const value = flags[name.replaceAll('_', '-')];
    if (typeof value === 'string') sent[name] = value;
  }
  const read = report.compares ? readComparedStates : readAskedState;
  const asked = await read(config.database, flags);
  const { asOf, fill, from } = asked;
  const taken = allParametersOf(catalogues.full, report).map(({ name }) => name);
  const database = await openGeneration(asked.file, { memoryLimitMib: config.memoryLimitMib });
  const compared =
    from &&
    attachEarlier(
      database,
      from.states.map((state) => ({ ...state, hasOneCutoff: from.hasOneCutoff, read: () => state.read(true) })),
    );
  try {
    const states = { asOf, earlier: compared?.earlier, baseline: await attachAsked(database, asked) };
    const options = { ...states, format, sent: fill(sent, (name) => taken.includes(name)), csv, comments, now: now() };
    const bytes = await openBytes(database, catalogues, report, options);
    if (output === undefined) await stdout.write(bytes);
    else await writeOutput(output, bytes);
  } finally {
    await compared?.close();
    await database.close();
  }
}

interface OutputOptions {
  readonly format: FormatName;
  readonly csv: CsvStyle;
  readonly sent: Readonly<Record<string, string>>;
  /** The kept state that the database is of. */
  readonly asOf: AsOfState | undefined;
  /** The kept states that it is compared with. */
  readonly earlier: ReportContext['earlier'];
  /** The kept state whose plan is compared. */
  readonly baseline: ReportContext['baseline'];
  readonly comments: WrittenComments | undefined;
  readonly now: Date;
}

/** Opens the output of a report, so that errors show before the first byte is written. */
async function openBytes(
  database: Database,
  catalogues: Catalogues,
  report: Report,
  { format, csv, sent, asOf, earlier, baseline, comments, now }: OutputOptions,
): Promise<AsyncIterable<string | Uint8Array>> {
  const options = { now, asOf, earlier, baseline, hasAliases: format === 'json' };
  const { context, query } = await readQuery(database, catalogues, report.name, sent, options);
  if (format === 'xlsx') return writeXlsx(await readWorkbook(context, query, catalogues.full, comments));
  const table = await runTold(context, query);
  const names = table.columns.map(({ name }) => name);
  const isPivot = !report.rows && !report.relation;
  return writeTable(format, table, {
    csv,
    shown: sent['fields'] || sent['bridge'] || isPivot ? names : (report.table ?? names),
  });
}

async function parseComments(flag: Flags[string], format: FormatName): Promise<WrittenComments | undefined> {
  if (typeof flag !== 'string') return undefined;
  if (format === 'xlsx') return readComments(flag);
  throw new AppError('usage', `--comments-from: only a workbook has comments, and the format is ${format}`, {
    hint: 'Add --format xlsx, or leave out --comments-from.',
  });
}

/**
 * Returns the format that is asked for: by --format, or by the ending of --output.
 * @throws AppError usage for an unknown one, and for one that a terminal can't show.
 */
export function parseFormat({ format: flag, output }: Flags, hasTerminal: boolean): FormatName {
  const ending = typeof output === 'string' ? extname(output).slice(1).toLowerCase() : '';
  const isTerminal = hasTerminal && output === undefined;
  const usual = isFormat(ending) ? ending : isTerminal ? 'table' : 'json';
  const format = typeof flag === 'string' ? flag : usual;
  if (!isFormat(format)) {
    throw new AppError('usage', `--format: "${format}" is not a format`, {
      hint: `Give one of ${Object.keys(FORMATS).join(', ')}.`,
    });
  }
  if (isTerminal && FORMATS[format].isBinary) {
    throw new AppError('usage', `--format: ${format} is binary, so it isn't written to a terminal`, {
      hint: 'Give a file with --output, or pipe the answer to another program.',
    });
  }
  return format;
}

export function parameterFlag({ name, type, description, values, default: text }: Parameter): Flag {
  // Numeric choices mean nothing alone: the description explains each.
  const choices =
    Array.isArray(values) && !values.every((value) => /^\d+$/.test(value))
      ? ` ${type === 'date' ? 'Or one' : 'One'} of ${values.join(', ')}.`
      : '';
  const standard = text === undefined ? '' : ` Default: ${text}.`;
  return { name: name.replaceAll('_', '-'), argument: 'V', help: `${description}${choices}${standard}` };
}
