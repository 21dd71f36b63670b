import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig } from '../../base/config/index.ts';
import { AppError, fileReasonOf } from '../../base/index.ts';
import {
  type Catalogues,
  type Parameter,
  parametersOf,
  summingReports,
  type Table,
} from '../../numbers/report/catalogue/index.ts';
import { REFUSED_PARAMETERS } from '../../numbers/report/preview/preview.ts';
import { writePreviewJson, writePreviewText } from '../../numbers/write/index.ts';
import { ALONE, askPreview, type PreviewSource } from '../../store/ask/index.ts';
import { readCatalogues, readSyncStatus } from '../../store/generation/index.ts';
import { followClosingsInForce, readHardClosed } from '../../store/history/index.ts';
import { previewOnCopy } from '../../store/live/index.ts';
import { readPlannedChanges } from '../../store/record/index.ts';
import { type Command, type CommandContext, type Flags, givenInstead } from './command.ts';
import { parameterFlag } from './parameter-flags.ts';

export function loadPreviewCommand(): Command {
  const catalogues = readCatalogues();
  const { full: catalogue } = catalogues;
  const reports = summingReports(catalogue);
  const all = new Set(reports.flatMap((report) => parametersOf(catalogue, report).map(({ name }) => name)));
  // A report may have its own default, which is not that of others.
  const taken = [...all].flatMap((name) =>
    Object.hasOwn(REFUSED_PARAMETERS, name) ? [] : (catalogue.parameters.get(name) ?? []),
  );
  return {
    name: 'preview',
    summary:
      'Prints a report before and after some changes of records, and the differences by cause, as if they had been written. Nothing is: it works on a copy of the database. FILE is a JSON list of requests to the service: [{"method": "PATCH", "path": "/v3/tasks/77", "body": {"hours": 4}}].',
    usage: 'preview FILE --report R (--start-date D --end-date D | --period P)',
    flags: [
      { name: 'report', argument: 'R', help: `One of ${reports.map(({ name }) => name).join(', ')}.` },
      ...taken.filter(({ name }) => name !== 'measures').map(parameterFlag),
      {
        name: 'measures',
        argument: 'V',
        help: 'The measures of the differences, and of the report pivot. Default: forecast_hours,forecast_cost,forecast_fees.',
      },
      { name: 'format', argument: 'F', help: 'table or json. Default: table on a terminal, json otherwise.' },
    ],
    examples: [
      'preview changes.json --report projects --start-date 2026-01-01 --end-date 2026-06-30',
      'preview changes.json --report people --period this_quarter --measures forecast_cost --format json',
    ],
    async run(positionals, flags, context) {
      const [file] = positionals;
      if (file === undefined || positionals.length > 1) {
        throw new AppError('usage', `preview takes one file of changes${givenInstead(positionals)}`, {
          hint: 'For example: plumbline preview changes.json --report projects --period this_quarter',
        });
      }
      await printPreview(catalogues, file, taken, flags, context);
    },
  };
}

async function printPreview(
  catalogues: Catalogues,
  file: string,
  taken: readonly Parameter[],
  flags: Flags,
  { stdout, now }: CommandContext,
): Promise<void> {
  const { format = stdout.isTTY ? 'table' : 'json', report, measures } = flags;
  if (format !== 'table' && format !== 'json')
    throw new AppError('usage', `--format: "${format}" is not a format of previews`, { hint: 'Give table or json.' });
  const given = taken.flatMap(({ name }) => {
    const value = flags[name.replaceAll('_', '-')];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  // Other reports show all of their measures.
  const parameters = given.filter(([name]) => name !== 'measures' || report === 'pivot');
  if (typeof report !== 'string')
    throw new AppError('usage', '--report is missing', { hint: 'Give the name of a report: --report projects.' });
  const changes = readPlannedChanges(await readChanges(file));
  const asked = {
    report,
    parameters: Object.fromEntries(parameters),
    measures: typeof measures === 'string' ? measures : undefined,
  };
  const config = readConfig(flags);
  const database = resolve(config.database);
  const isSynced = readSyncStatus(database) !== undefined;
  const options = {
    memoryLimitMib: config.memoryLimitMib,
    now,
    // A closing can't refuse the records that a source brings.
    closed: isSynced ? [] : await readHardClosed(database),
    isSynced,
  };
  const reader = {
    ...ALONE,
    writer: { id: '', label: 'preview', seesRates: true },
    hasAliases: format === 'json',
  };
  const source: PreviewSource = {
    closings: await followClosingsInForce(database)(),
    preview: (previewed, read) => previewOnCopy(database, options, previewed, read),
  };
  const { tables, notes } = await askPreview(catalogues, { changes, ...asked }, reader, source, { now });
  const shown = catalogues.full.reports.get(asked.report)?.table;
  const columnsOf = (table: Table) => {
    const names = table.columns.map(({ name }) => name);
    return given.some(([name]) => name === 'fields') ? names : (shown ?? names);
  };
  await stdout.write(format === 'json' ? writePreviewJson(tables, notes) : writePreviewText(tables, notes, columnsOf));
}

/** Reads the JSON of a file. @throws AppError input for a file that can't be read. */
async function readChanges(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new AppError('input', `${file} is not a file of changes: ${fileReasonOf(error)}`, {
      hint: 'Give a JSON list such as [{"method": "PATCH", "path": "/v3/tasks/77", "body": {"hours": 4}}].',
      cause: error,
    });
  }
}
