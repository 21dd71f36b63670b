import type { Database } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { findResource, settings } from '../../records/resource/index.ts';
import { countReplaced, type PublishedColumns, type ReplacedRecords, withPublished } from './published-records.ts';

/*
 * The guard of a load and of a sync: an export or a source in trouble must not wipe a company.
 */

/** The largest part of a resource that may vanish at once. Unit: percent. */
const MAX_GONE_PERCENT = 20;

/** Records that may vanish at once, whatever their share. Unit: records. */
const MAX_GONE = 20;

/** A loss that the guard stops, in words. */
export const LARGE_LOSS = `more than ${MAX_GONE_PERCENT} % of a resource, and more than ${MAX_GONE} records`;

/** Tests whether a resource loses a large part of its records. */
export function isShrunk({ before, gone }: Pick<ReplacedRecords, 'before' | 'gone'>): boolean {
  return gone > MAX_GONE && gone * 100 > before * MAX_GONE_PERCENT;
}

/** Returns SQL of the number of cost rates in a database. @param prefix The prefix of its schema. */
export function countRates(prefix: string): string {
  return `(SELECT count(cost_rate) FROM ${prefix}source.people)
    + (SELECT count(cost_rate) FROM ${prefix}source.contracts) + (SELECT count(rate) FROM ${prefix}source.cost_rate_history)`;
}

/**
 * Checks that replacing the published records doesn't lose a large part of a resource, all of one, all cost rates, or the
 * meaning of the amounts: their currency.
 * @param database The records that would replace them.
 * @param file The published database; without one, nothing can be lost.
 * @throws AppError input that names every such loss.
 */
export async function assertNothingLost(database: Database, file: string): Promise<void> {
  const losses = await withPublished(database, file, (columns) => describeLosses(database, columns));
  if (losses === undefined || losses.length === 0) return;
  throw new AppError('input', `The load would lose too much of ${file}:`, {
    items: losses,
    hint: 'Nothing was changed. With --dry-run, load tells what would change, and what it sets aside and why. If that is meant, load once with --accept-shrink.',
  });
}

async function describeLosses(database: Database, columns: PublishedColumns): Promise<string[]> {
  const counts = await countReplaced(database, columns);
  if (counts.every(({ before }) => before === 0)) return [];
  // A sync has asked its source for each missing record by its id, so it may lose the only one of a resource.
  const shrunk = counts.filter((each) => isShrunk(each) || (each.before > 0 && each.gone === each.before));
  const losses = shrunk.map(
    ({ resource, before, gone, after }) => `${resource}: ${before} before, ${after} after, and ${gone} gone`,
  );
  return [
    ...losses,
    ...(await describeLostRates(database, columns)),
    ...(await describeOtherCurrency(database, columns)),
  ];
}

async function describeLostRates(database: Database, columns: PublishedColumns): Promise<string[]> {
  const people = findResource('people');
  if (!columns.has(people.name, 'cost_rate', people.fields['cost_rate'])) return [];
  const [row] = await database.rows<{ before: number; after: number }>(
    `SELECT ${countRates('published.')} AS before, ${countRates('')} AS after`,
  );
  return row && row.before > 0 && row.after === 0 ? [`cost rates: ${row.before} before, none after`] : [];
}

async function describeOtherCurrency(database: Database, columns: PublishedColumns): Promise<string[]> {
  if (!columns.has('settings', 'currency', settings['currency'])) return [];
  const changed = await readOtherCurrency(database, 'published.', '');
  return changed ? [`currency: ${changed.before} before, ${changed.after} after`] : [];
}

/**
 * Reads the currencies of two databases if they differ.
 * @param before The prefix of the schema that has the settings now. @param after That of the other.
 */
export async function readOtherCurrency(
  database: Database,
  before: string,
  after: string,
): Promise<{ readonly before: string; readonly after: string } | undefined> {
  const [row] = await database.rows<{ before: string; after: string }>(`
    SELECT stored.currency AS before, come.currency AS after
    FROM ${before}source.settings AS stored CROSS JOIN ${after}source.settings AS come
    WHERE stored.currency <> come.currency`);
  return row;
}
