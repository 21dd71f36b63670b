import { dayIn } from '../../base/calendar/index.ts';
import type { RatesChange } from '../../base/config/index.ts';
import { type Database, formatTime } from '../../base/database/index.ts';
import { type PublishedColumns, withPublished } from '../generation/published-records.ts';
import { followRates, type RateChange } from './follow-rates.ts';
import { notePastLines, readPastValue } from './past-value.ts';
import { RATE_LEVELS, type RateLevel } from './rate-levels.ts';
import { type ToldRates, tellRates } from './told-rates.ts';

/** A load, as what it says of rates is noted. */
export interface LoadedRates {
  readonly change: RatesChange;
  readonly now: Date;
  /** The folder, workbook or schema of the records. */
  readonly from: string;
}

/** The rates that a load has changed. */
export interface FollowedLoad {
  /** Tells them, once the models are built; undefined if there are none. */
  tell(): Promise<ToldRates | undefined>;
}

/**
 * Follows the rates of records that are about to replace the published ones, and gives them those that are known of them.
 * @param database The validated records, without models.
 * @param hasLines True if the lines of both are at hand, so that what moved can be told.
 */
export async function followLoadedRates(
  database: Database,
  file: string,
  load: LoadedRates,
  hasLines: boolean,
): Promise<FollowedLoad> {
  const day = await readDay(database, load.now);
  const followed = await withPublished(database, file, async (columns) => {
    const changes = await followPublished(database, columns, load, day);
    return {
      changes,
      isNoted: hasLines && changes.length > 0 && (await notePastLines(database, 'published.', changes, day)),
    };
  });
  return {
    async tell() {
      if (!followed) return undefined;
      const { changes, isNoted } = followed;
      return tellRates(changes, isNoted ? await readPastValue(database, changes) : undefined);
    },
  };
}

/** Follows the rates of records as a load would, and tells those that it would change. @param columns Of the published records, attached as `published`. */
export async function previewLoadedRates(
  database: Database,
  columns: PublishedColumns,
  load: LoadedRates,
): Promise<ToldRates | undefined> {
  const changes = await followPublished(database, columns, load, await readDay(database, load.now));
  return tellRates(changes, undefined, true);
}

async function followPublished(
  database: Database,
  columns: PublishedColumns,
  { change, now, from }: LoadedRates,
  day: string,
): Promise<RateChange[]> {
  const levels = RATE_LEVELS.filter((level) => hasRates(columns, level));
  if (levels.length === 0 || !(await isSameCompany(database, columns))) return [];
  const hasSeen = columns.has('seen_rates', 'rate', { type: 'rate' });
  const at = formatTime(now);
  return followRates(database, { come: '', known: 'published.', levels, hasSeen }, { change, day, at, source: from });
}

/** Returns whether a published database, perhaps of an earlier version, has the rates of a level. */
function hasRates(columns: PublishedColumns, { table, rate, resource }: RateLevel): boolean {
  return columns.has(table, rate, { type: 'rate' }) && columns.has(table, resource.id, { type: 'id' });
}

/** Returns whether a load is of the company that it replaces: its records are another one's if both have people, and none is the same. */
async function isSameCompany(database: Database, columns: PublishedColumns): Promise<boolean> {
  if (!columns.has('people', 'name', { type: 'name' })) return false;
  const [row] = await database.rows<{ before: number; after: number; shared: number }>(`
    SELECT (SELECT count(*) FROM published.source.people) AS before, (SELECT count(*) FROM source.people) AS after,
      (SELECT count(*) FROM published.source.people AS stored JOIN source.people AS come USING (people_id)
        WHERE lower(stored.name) IS NOT DISTINCT FROM lower(come.name)) AS shared`);
  return !row || row.before === 0 || row.after === 0 || row.shared > 0;
}

/** Reads the company's day of a load. */
async function readDay(database: Database, now: Date): Promise<string> {
  const [row] = await database.rows<{ time_zone: string | null }>('SELECT time_zone FROM source.settings');
  return dayIn(row?.time_zone ?? 'UTC', now);
}
