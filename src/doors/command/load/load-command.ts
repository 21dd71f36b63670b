import { resolve } from 'node:path';
import {
  CLUSTER_SETTINGS,
  type ClusterConfig,
  ENGINE_SETTINGS,
  isClusterChosen,
  isMemoryGiven,
  RATES_SETTINGS,
  RETENTION_SETTINGS,
  readClusterConfig,
  readConfig,
  readRetention,
  readSettings,
} from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import { loadMemoryMib, sumFileBytes, summaryAsJson } from '../../../records/ingest/index.ts';
import { fileWithoutRates, LARGE_LOSS } from '../../../store/generation/index.ts';
import { describeLoadedChanges } from '../../../store/history/index.ts';
import type { ToldRates } from '../../../store/rates/index.ts';
import { type Command, type Flags, givenInstead, settingFlags } from '../command.ts';
import { openProgress } from '../progress.ts';
import { importCluster, loadDataset, loadSchema } from './load-dataset.ts';
import { MAPPING_FLAGS, openMapping, refuseMappingFlags, suggestMappingFor } from './load-mapping.ts';
import { formatPreview, type LoadChanges, previewLoad } from './load-preview.ts';
import { formatSummary } from './load-summary.ts';

export const load: Command = {
  name: 'load',
  summary:
    'Loads a dataset directory (one file for each resource: json, ndjson, csv or parquet), or a workbook with a sheet for each, and replaces the earlier load.',
  usage: 'load DIR | load --source iceberg',
  flags: [
    { name: 'strict', help: 'Load nothing, and fail, if any record would be set aside.' },
    {
      name: 'accept-shrink',
      help: `Accept that ${LARGE_LOSS}, are gone, or all of one, or all cost rates, or that the currency is another; otherwise the load stops.`,
    },
    ...MAPPING_FLAGS,
    ...settingFlags({ ...RATES_SETTINGS, ...RETENTION_SETTINGS, ...ENGINE_SETTINGS, ...CLUSTER_SETTINGS }),
    {
      name: 'format',
      argument: 'F',
      help: 'table or json: what was loaded, with control totals of each file. Default: table.',
    },
    {
      name: 'dry-run',
      help: 'Tell what the load would set aside and change, and change nothing. With trino, print the statements in their order instead, and run none.',
    },
  ],
  examples: [
    'load fixtures/company',
    'load rates.xlsx',
    'load export/ --strict --database company.duckdb',
    'load export/ --dry-run --database company.duckdb',
    'load export/ --rates-change from_today --database company.duckdb',
    'load export/ --date-format DD.MM.YYYY --decimal-comma --hours-format h:mm --database company.duckdb',
    'load export/ --suggest-mapping',
    'load export/ --engine trino --server https://trino.example.com:8443 --catalog lake --schema-prefix acme_ --lake /mnt/lake --database acme.duckdb',
    'load --engine trino --server https://trino.example.com:8443 --catalog lake --source iceberg --source-schema raw --schema-prefix acme_ --lake /mnt/lake --database acme.duckdb',
  ],
  async run(positionals, flags, { stdout, stderr, now }) {
    const config = readConfig(flags);
    const cluster = isClusterChosen(flags) ? readClusterConfig(flags) : undefined;
    const directory = readDirectory(positionals, cluster);
    if (directory === '') refuseMappingFlags(flags);
    if (flags['suggest-mapping'] === true) {
      await suggestMappingFor(directory, flags, stdout.print);
      return;
    }
    const isDry = flags['dry-run'] === true;
    if (isDry && cluster) {
      const { planClusterLoad } = await importCluster();
      const statements = await planClusterLoad(cluster, now());
      await stdout.write(statements.map((statement) => `${statement};\n\n`));
      return;
    }
    const isJson = readsAsJson(flags);
    const writeJson = (result: unknown) => stdout.write([`${JSON.stringify(result, null, 2)}\n`]);
    const progress = openProgress(stderr.stream);
    const mapping = directory === '' ? undefined : await openMapping(directory, flags);
    const { ratesChange } = readSettings(RATES_SETTINGS, flags, process.env);
    const options = {
      mapping,
      ratesChange,
      memoryLimitMib: await chooseMemory(directory, flags, config.memoryLimitMib),
      strict: flags['strict'] === true,
      acceptsShrink: flags['accept-shrink'] === true,
      now: now(),
      progress,
      retention: readRetention(flags) ?? undefined,
    };
    try {
      if (isDry) {
        const rates = { change: ratesChange, now: options.now, from: resolve(directory) };
        await previewLoad(directory, config.database, { ...options, rates }, (summary, changes) =>
          isJson
            ? writeJson({ ...summaryAsJson(summary), changes: changes ? changesAsJson(changes) : null })
            : stderr.print(...formatPreview(config.database, summary, changes)),
        );
        return;
      }
      const { summary, rates, dataVersion } =
        cluster?.sourceSchema === undefined
          ? await loadDataset(directory, config.database, { ...options, cluster })
          : await loadSchema(cluster.sourceSchema, config.database, { ...options, cluster });
      progress.close();
      if (isJson)
        await writeJson({ ...summaryAsJson(summary), rates_changed: ratesAsJson(rates), data_version: dataVersion });
      else
        stderr.print(
          ...formatSummary(summary),
          ...(rates ? ['', rates.sentence] : []),
          ...(await describeLoadedChanges(resolve(config.database), options, now())),
          `Loaded into ${config.database}, data version ${dataVersion}.`,
          `Without rates: ${fileWithoutRates(config.database)}.`,
        );
    } finally {
      progress.close();
    }
  },
};

/** Describes changed rates as JSON; null if there are none. */
function ratesAsJson(told: ToldRates | undefined) {
  return told ? { rates: told.rates, from: told.from, past_lines: told.pastLines, value: told.value } : null;
}

function changesAsJson({ rates, ...changes }: LoadChanges) {
  return { ...changes, rates_changed: ratesAsJson(rates) };
}

/** Tells whether the result is told as JSON. @throws AppError usage for another format. */
function readsAsJson({ format = 'table' }: Flags): boolean {
  if (format === 'table' || format === 'json') return format === 'json';
  throw new AppError('usage', `--format: "${String(format)}" is not a format of loads`, {
    hint: 'Give table or json.',
  });
}

/** Returns the memory limit of a load: the one given, or what its files need of the default. Unit: MiB. */
async function chooseMemory(directory: string, flags: Flags, memoryLimitMib: number): Promise<number> {
  // The size of tables on a cluster isn't known.
  if (isMemoryGiven(flags) || directory === '') return memoryLimitMib;
  return loadMemoryMib(await sumFileBytes(directory), memoryLimitMib);
}

/** @returns the dataset directory, or "" if the records are in tables. */
function readDirectory(positionals: readonly string[], cluster: ClusterConfig | undefined): string {
  const takesOne = cluster?.sourceSchema === undefined;
  if (positionals.length === (takesOne ? 1 : 0)) return positionals[0] ?? '';
  const [message, hint] = takesOne
    ? ['load takes one directory', 'For example: plumbline load fixtures/company']
    : ['load takes no directory with --source iceberg', 'Leave it out, or give --source files.'];
  throw new AppError('usage', `${message}${givenInstead(positionals)}`, { hint });
}
