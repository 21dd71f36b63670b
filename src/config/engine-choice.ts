import { AppError } from '../error.ts';
import { CLUSTER_SETTINGS } from './cluster-settings.ts';
import { type Environment, type FlagValues, readerOf } from './config.ts';

const ENGINES = ['duckdb', 'trino'];

/**
 * Tells whether flags or environment choose a cluster as the engine.
 * @throws AppError usage for another engine, or flags of a cluster without one.
 */
export function isClusterChosen(flags: FlagValues, environment: Environment = process.env): boolean {
  const engine = readerOf(flags, environment)(CLUSTER_SETTINGS.engine);
  if (!ENGINES.includes(engine)) {
    throw new AppError('usage', `--engine: "${engine}" is not an engine`, { hint: `Give ${ENGINES.join(' or ')}.` });
  }
  if (engine === 'duckdb') assertNoneGiven(flags);
  return engine !== 'duckdb';
}

/** A flag without effect is a misunderstanding. */
function assertNoneGiven(flags: FlagValues): void {
  const given = Object.values(CLUSTER_SETTINGS).find(({ flag }) => flag !== 'engine' && flags[flag] !== undefined);
  if (!given) return;
  throw new AppError('usage', `--${given.flag} is given, which only --engine trino uses`, {
    hint: 'Add --engine trino, or leave it out.',
  });
}
