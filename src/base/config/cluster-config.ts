import { AppError } from '../error.ts';
import { CLUSTER_SETTINGS, ENGINE_SETTINGS } from './cluster-settings.ts';
import { isObjectStore } from './lake-place.ts';
import { type ConfigOf, type Environment, type FlagValues, readSettings } from './setting.ts';

/** The address of a folder in a catalog whose `local.location` it is. */
const LOCAL_URI = 'local:///';

/** A cluster, and the place of a company's tables there. */
export type ClusterConfig = Omit<ConfigOf<typeof CLUSTER_SETTINGS>, 'source'>;

/**
 * Tells whether flags or environment choose a cluster as the engine.
 * @throws AppError usage for another engine, or flags of a cluster without one.
 */
export function isClusterChosen(flags: FlagValues, environment: Environment = process.env): boolean {
  if (readSettings(ENGINE_SETTINGS, flags, environment).engine === 'trino') return true;
  // A flag without effect is a misunderstanding.
  const given = Object.values(CLUSTER_SETTINGS).find(({ flag }) => flags[flag] !== undefined);
  if (!given) return false;
  throw new AppError('usage', `--${given.flag} is given, which only --engine trino uses`, {
    hint: 'Add --engine trino, or leave it out.',
  });
}

/**
 * Reads the settings of a cluster from flags and environment.
 * @throws AppError usage for a missing or invalid value.
 */
export function readClusterConfig(flags: FlagValues, environment: Environment = process.env): ClusterConfig {
  const { source, ...config } = readSettings(CLUSTER_SETTINGS, flags, environment);
  const { lake, lakeUri, sourceSchema, password, token } = config;
  if ((source === 'iceberg') !== (sourceSchema !== undefined)) {
    throw new AppError(
      'usage',
      source === 'iceberg'
        ? '--source iceberg needs --source-schema: the schema of the tables'
        : '--source-schema is given, which only --source iceberg uses',
      { hint: 'Give both or neither.' },
    );
  }
  if (password !== undefined && token !== undefined) {
    throw new AppError('usage', 'A password and a token of the cluster are given together', {
      hint: 'Leave one of them out.',
    });
  }
  const address = lakeUri || (isObjectStore(lake) ? lake : LOCAL_URI);
  return { ...config, lakeUri: address.endsWith('/') ? address : `${address}/` };
}
