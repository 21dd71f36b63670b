import { resolve } from 'node:path';
import { type ClusterConfig, isClusterChosen, readClusterConfig } from '../../config/cluster-config.ts';
import { CLUSTER_SETTINGS, ENGINE_SETTINGS } from '../../config/cluster-settings.ts';
import { isMemoryGiven, readConfig } from '../../config/config.ts';
import { RETENTION_SETTINGS, type RetentionRules, readRetention } from '../../config/retention-rules.ts';
import type { Database, OpenOptions } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { describeGeneration, fillWithoutRates } from '../../generation/generation-contents.ts';
import { fileWithoutRates } from '../../generation/generation-files.ts';
import { sqlDirectory } from '../../generation/model-definitions.ts';
import { stampGeneration } from '../../generation/open-generation.ts';
import { publishGeneration } from '../../generation/publish.ts';
import { assertNothingLost, LARGE_LOSS } from '../../generation/shrink-guard.ts';
import { describeLoadedChanges } from '../../history/closing/changed-closings.ts';
import { retainReplaced } from '../../history/retention.ts';
import { type IngestOptions, ingestDirectory, ingestFiles } from '../../ingest/ingest.ts';
import type { IngestSummary } from '../../ingest/ingest-summary.ts';
import type { Mapping } from '../../ingest/mapping/mapping.ts';
import { type BuildStep, buildModels } from '../../model/build.ts';
import { type Command, type Flags, givenInstead, settingFlags } from '../command.ts';
import { openProgress, type Progress } from '../progress.ts';
import { MAPPING_FLAGS, openMapping, refuseMappingFlags, suggestMappingFor } from './load-mapping.ts';
import { loadMemoryMib, sumFileBytes } from './load-memory.ts';
import { previewLoad } from './load-preview.ts';
import { formatSummary } from './load-summary.ts';

export interface LoadResult {
  readonly summary: IngestSummary;
  readonly dataVersion: string;
}

export interface LoadOptions extends OpenOptions {
  readonly strict?: boolean;
  readonly now?: Date;
  readonly progress?: Progress;
  /** Says how files with headers are read. */
  readonly mapping?: Mapping | undefined;
  /** Lets the load lose a large part of the published records. */
  readonly acceptsShrink?: boolean;
  /** Builds the models there instead of in the database. */
  readonly cluster?: ClusterConfig | undefined;
  /** Keeps replaced generations. */
  readonly retention?: RetentionRules | undefined;
}

/** The parts of a load that depend on where its records are, and on the engine. */
interface Loader {
  /** Fills the schema source of a new database. */
  ingest(database: Database, options: IngestOptions): Promise<IngestSummary>;
  /** Builds the models from it, and runs the checks. */
  build(database: Database, dataVersion: string, onProgress: (step: BuildStep) => void): Promise<void>;
  /** Throws if the result must not be published. */
  assertHeld(): void;
  close(): Promise<void>;
}

/**
 * Loads a dataset directory in place of all data: its built and checked generation replaces the last.
 * @throws AppError if the directory can't be loaded, or a large part of the records would be lost; the database is then
 * unchanged.
 */
export async function loadDataset(directory: string, file: string, options: LoadOptions = {}): Promise<LoadResult> {
  return publishLoad(file, resolve(directory), options, async () => {
    const cluster = options.cluster && (await (await importCluster()).openClusterLoad(options.cluster, resolve(file)));
    return {
      ingest: (database, given) => ingestDirectory(database, directory, { ...given, mapping: options.mapping }),
      build: cluster?.build ?? ((database, _, onProgress) => buildModels(database, sqlDirectory, onProgress)),
      assertHeld: () => cluster?.assertHeld(),
      close: async () => cluster?.close(),
    };
  });
}

/**
 * Loads the tables of a schema in place of all data, as loadDataset does.
 * @param schema Of the cluster's catalog.
 * @throws AppError if they can't be loaded; the database is then unchanged.
 */
export function loadSchema(
  schema: string,
  file: string,
  options: LoadOptions & { readonly cluster: ClusterConfig },
): Promise<LoadResult> {
  const { cluster: config, now = new Date() } = options;
  return publishLoad(file, `${config.catalog}.${schema}`, { ...options, now }, async () => {
    const { openClusterLoad } = await importCluster();
    const cluster = await openClusterLoad(config, resolve(file));
    return {
      ...cluster,
      ingest: (database, given) => cluster.readSchema(schema, now, (listing) => ingestFiles(database, listing, given)),
    };
  });
}

/** Imports the wing of the cluster, which other loads start without. */
function importCluster() {
  return import('../../cluster/cluster.ts');
}

/** Publishes what a loader makes. @param from Where the records are, for the database to tell. */
async function publishLoad(
  file: string,
  from: string,
  { strict = false, now = new Date(), progress, acceptsShrink = false, memoryLimitMib, retention }: LoadOptions,
  open: () => Promise<Loader>,
): Promise<LoadResult> {
  let loader: Loader | undefined;
  const opening = memoryLimitMib === undefined ? {} : { memoryLimitMib };
  try {
    return await publishGeneration(resolve(file), opening, {
      async generation(database) {
        // Before anything is read: a wrong address must not cost the time of a load.
        loader = await open();
        const summary = await loader.ingest(database, {
          strict,
          now,
          onProgress: ({ resource, done, total }) =>
            progress?.update(`reading ${resource}`, total === 0 ? 0 : done / total / 2),
        });
        if (!acceptsShrink) await assertNothingLost(database, resolve(file));
        const dataVersion = await stampGeneration(database, from, now);
        await loader.build(database, dataVersion, ({ name, done, total }) =>
          progress?.update(`building ${name}`, 0.5 + (done / total) * 0.4),
        );
        await describeGeneration(database);
        return { summary, dataVersion };
      },
      async withoutRates(database) {
        progress?.update('writing the copy without rates', 0.9);
        await fillWithoutRates(database);
      },
      assertPublishable: () => loader?.assertHeld(),
      keepReplaced: retention && retainReplaced(resolve(file), retention, opening, () => now),
    });
  } finally {
    await loader?.close();
  }
}

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
    ...settingFlags({ ...RETENTION_SETTINGS, ...ENGINE_SETTINGS, ...CLUSTER_SETTINGS }),
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
    const progress = openProgress(stderr.stream);
    const mapping = directory === '' ? undefined : await openMapping(directory, flags);
    const options = {
      mapping,
      memoryLimitMib: await chooseMemory(directory, flags, config.memoryLimitMib),
      strict: flags['strict'] === true,
      acceptsShrink: flags['accept-shrink'] === true,
      now: now(),
      progress,
      retention: readRetention(flags),
    };
    try {
      if (isDry) {
        await previewLoad(directory, config.database, options, stderr.print);
        return;
      }
      const { summary, dataVersion } =
        cluster?.sourceSchema === undefined
          ? await loadDataset(directory, config.database, { ...options, cluster })
          : await loadSchema(cluster.sourceSchema, config.database, { ...options, cluster });
      progress.close();
      stderr.print(
        ...formatSummary(summary),
        ...(await describeLoadedChanges(resolve(config.database), options, now())),
        `Loaded into ${config.database}, data version ${dataVersion}.`,
        `Without rates: ${fileWithoutRates(config.database)}.`,
      );
    } finally {
      progress.close();
    }
  },
};

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
