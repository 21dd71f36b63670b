import { resolve } from 'node:path';
import type { ClusterConfig, RatesChange, RetentionRules } from '../../../base/config/index.ts';
import type { Database, OpenOptions } from '../../../base/database/index.ts';
import { type BuildStep, buildModels } from '../../../numbers/model/index.ts';
import { sqlDirectory } from '../../../numbers/relation/index.ts';
import {
  completeControls,
  type IngestOptions,
  type IngestSummary,
  ingestDirectory,
  ingestFiles,
  type Mapping,
} from '../../../records/ingest/index.ts';
import {
  assertNothingLost,
  describeGeneration,
  fillWithoutRates,
  keepCoverValues,
  publishGeneration,
  stampGeneration,
} from '../../../store/generation/index.ts';
import { retainReplaced } from '../../../store/history/index.ts';
import { followLoadedRates, type ToldRates } from '../../../store/rates/index.ts';
import type { Progress } from '../progress.ts';

export interface LoadResult {
  readonly summary: IngestSummary;
  /** The rates without a day that are other ones than before; undefined if there are none. */
  readonly rates: ToldRates | undefined;
  readonly dataVersion: string;
}

export interface LoadOptions extends OpenOptions {
  readonly strict?: boolean;
  readonly now?: Date;
  readonly progress?: Progress;
  /** Says how files with headers are read. */
  readonly mapping?: Mapping | undefined;
  /** Says what becomes of rates without a day that are other ones. Default: rewrite. */
  readonly ratesChange?: RatesChange;
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
export function importCluster() {
  return import('../../../cluster/cluster.ts');
}

/** Publishes what a loader makes. @param from Where the records are, for the database to tell. */
async function publishLoad(
  file: string,
  from: string,
  options: LoadOptions,
  open: () => Promise<Loader>,
): Promise<LoadResult> {
  const { strict = false, now = new Date(), progress, acceptsShrink = false, memoryLimitMib, retention } = options;
  const { ratesChange: change = 'rewrite', cluster } = options;
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
        await keepCoverValues(database, resolve(file));
        // On a cluster the ledger is in its tables.
        const followed = await followLoadedRates(database, resolve(file), { change, now, from }, cluster === undefined);
        const dataVersion = await stampGeneration(database, from, now);
        await loader.build(database, dataVersion, ({ name, done, total }) =>
          progress?.update(`building ${name}`, 0.5 + (done / total) * 0.4),
        );
        const controls = cluster ? summary.controls : await completeControls(database, summary.controls);
        const rates = await followed.tell();
        await describeGeneration(database);
        return { summary: { ...summary, controls }, rates, dataVersion };
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
