import { readConfig } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import {
  allParametersOf,
  type Catalogue,
  type Catalogues,
  findReport,
  isRequired,
  type Parameter,
  type Report,
} from '../../numbers/report/catalogue/index.ts';
import type { WrittenComments } from '../../numbers/report/workbook/workbook.ts';
import { FORMATS, type FormatName, type WriteOptions } from '../../numbers/write/index.ts';
import { parseAsked, writeAsked } from '../../store/ask/index.ts';
import { readCatalogues } from '../../store/generation/index.ts';
import { askFiles } from '../../store/history/index.ts';
import { type Command, type CommandContext, type Flag, type Flags, givenInstead } from './command.ts';
import { readComments } from './comments.ts';
import { CSV_FLAG, parseCsvStyle } from './csv-flag.ts';
import { parseFormat } from './format-flag.ts';
import { writeOutput } from './output.ts';
import { parameterFlag, sentParameters } from './parameter-flags.ts';

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
    flags: [...[...catalogue.parameters.values()].map(parameterFlag), ...OUTPUT_FLAGS],
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
    flags: [...parameters.map(parameterFlag), ...OUTPUT_FLAGS],
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
  const sent = sentParameters(catalogues.full, flags);
  const request = { report: report.name, sent };
  await askFiles(config, catalogues, request, now, async ({ context, sent: completed }) => {
    const query = parseAsked(catalogues, report.name, completed, context, format);
    const form = { format, csv, comments, ...shownColumns(report, sent) };
    const { bytes } = await writeAsked(catalogues, context, query, form);
    if (output === undefined) await stdout.write(bytes);
    else await writeOutput(output, bytes);
  });
}

/** Returns the columns that a terminal shows of a report, unless a request chooses them. */
function shownColumns({ rows, relation, table }: Report, sent: Readonly<Record<string, string>>): WriteOptions {
  const isChosen = sent['fields'] || sent['bridge'] || (!rows && !relation);
  return isChosen || !table ? {} : { shown: table };
}

async function parseComments(flag: Flags[string], format: FormatName): Promise<WrittenComments | undefined> {
  if (typeof flag !== 'string') return undefined;
  if (format === 'xlsx') return readComments(flag);
  throw new AppError('usage', `--comments-from: only a workbook has comments, and the format is ${format}`, {
    hint: 'Add --format xlsx, or leave out --comments-from.',
  });
}
