import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { packageDirectory, readConfig } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../error.ts';
import { openGeneration } from '../live/open-generation.ts';
import { type Catalogue, loadCatalogue, type Report } from '../report/catalogue.ts';
import { parametersOf } from '../report/parameters.ts';
import { findReport, runReport } from '../report/run.ts';
import { readWorkbook } from '../report/workbook.ts';
import { FORMATS, type FormatName, isFormat, writeTable } from '../write/formats.ts';
import { writeXlsx } from '../write/xlsx/write.ts';
import { type Command, type CommandContext, type Flag, type Flags, givenInstead } from './command.ts';
import { writeOutput } from './output.ts';

const OUTPUT_FLAGS: readonly Flag[] = [
  {
    name: 'format',
    argument: 'F',
    help: `One of ${Object.keys(FORMATS).join(', ')}. Default: table on a terminal, json otherwise.`,
  },
  { name: 'output', argument: 'FILE', help: 'Write to a file, whole or not at all. Default: standard output.' },
];

/** Creates the report command; its flags are the parameters of all reports. */
export function reportCommand(catalogue: Catalogue): Command {
  const command: Command = {
    name: 'report',
    summary: `Prints a report: ${[...catalogue.reports.keys()].join(', ')}.`,
    usage: 'report NAME --start-date D --end-date D',
    flags: [...[...catalogue.parameters.values()].map(flagOf), ...OUTPUT_FLAGS],
    examples: [
      'report projects --start-date 2026-01-01 --end-date 2026-03-31',
      'report people --start-date 2026-01-01 --end-date 2026-03-31 --interval month --format csv --output people.csv',
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
      await printReport(catalogue, findReport(catalogue, name), flags, context);
    },
  };
  return command;
}

export function loadReportCommand(): Command {
  return reportCommand(loadCatalogue(join(packageDirectory, 'reports')));
}

function commandOf(catalogue: Catalogue, report: Report, command: Command): Command {
  const parameters = parametersOf(catalogue, report);
  const groupBy = parameters.find(({ name }) => name === 'group_by');
  return {
    ...command,
    summary: `${report.description} A row is: ${report.row.charAt(0).toLowerCase()}${report.row.slice(1)}`,
    usage: `report ${report.name} --start-date D --end-date D${groupBy ? ' --group-by V' : ''}`,
    flags: [...parameters.map(flagOf), ...OUTPUT_FLAGS],
    examples: [
      `report ${report.name} --start-date 2026-01-01 --end-date 2026-03-31${groupBy ? ` --group-by ${groupBy.example}` : ''}`,
    ],
  };
}

async function printReport(
  catalogue: Catalogue,
  report: Report,
  flags: Flags,
  { stdout, now }: CommandContext,
): Promise<void> {
  const output = typeof flags['output'] === 'string' ? flags['output'] : undefined;
  const format = parseFormat(flags['format'], output === undefined && stdout.isTTY);
  const config = readConfig(flags);
  const sent: Record<string, string> = {};
  for (const { name } of catalogue.parameters.values()) {
    const value = flags[name.replaceAll('_', '-')];
    if (typeof value === 'string') sent[name] = value;
  }
  const database = await openGeneration(config.database, { memoryLimitMib: config.memoryLimitMib });
  try {
    const bytes = await openBytes(database, catalogue, report, { format, sent, now: now() });
    if (output === undefined) await pipeline(Readable.from(bytes), stdout, { end: false });
    else await writeOutput(output, bytes);
  } finally {
    await database.close();
  }
}

/** Opens the output of a report, so that errors show before the first byte is written. */
async function openBytes(
  database: Database,
  catalogue: Catalogue,
  report: Report,
  { format, sent, now }: { format: FormatName; sent: Readonly<Record<string, string>>; now: Date },
): Promise<AsyncIterable<string | Uint8Array>> {
  if (format === 'xlsx') return writeXlsx(await readWorkbook(database, catalogue, report.name, sent, { now }));
  const table = await runReport(database, catalogue, report.name, sent, { now, hasAliases: format === 'json' });
  const names = table.columns.map(({ name }) => name);
  return writeTable(format, table, { shown: sent['fields'] ? names : (report.table ?? names) });
}

export function parseFormat(flag: Flags[string], isTerminal: boolean): FormatName {
  const format = typeof flag === 'string' ? flag : isTerminal ? 'table' : 'json';
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

function flagOf({ name, description, values, default: text }: ReturnType<typeof parametersOf>[number]): Flag {
  // Numeric choices mean nothing alone: the description explains each.
  const choices =
    Array.isArray(values) && !values.every((value) => /^\d+$/.test(value)) ? ` One of ${values.join(', ')}.` : '';
  const standard = text === undefined ? '' : ` Default: ${text}.`;
  return { name: name.replaceAll('_', '-'), argument: 'V', help: `${description}${choices}${standard}` };
}
