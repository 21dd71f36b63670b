import type { RatesChange } from '../../base/config/index.ts';
import { type Database, quoteText } from '../../base/database/index.ts';
import {
  addDatedRates,
  HOLDER,
  isSameHolder,
  type LevelName,
  RATE_LEVELS,
  type RateLevel,
  selectDatedRates,
  selectRates,
  setRates,
} from './rate-levels.ts';

/*
 * Follows the rates of sources that know only today (P6). source.seen_rates has each change of what a source said, so the newest row of a holder
 * says what the source said last, and the oldest what it said first. Records that come are made what is known of them: the rate without a day is the
 * first one, and the changes since are dated rates. A holder without a row is as it came.
 */

/** Two sets of records, by the prefixes of their schemas. */
export interface FollowedRecords {
  /** The records that come, which are changed. */
  readonly come: string;
  /** The records known so far. */
  readonly known: string;
  /** The kinds of holders that both have. */
  readonly levels: readonly RateLevel[];
  /** True if the known records have the table of rates seen. */
  readonly hasSeen: boolean;
}

/** The moment and the source of the records that come. */
export interface RateSource {
  readonly change: RatesChange;
  /** The day of the company. */
  readonly day: string;
  /** As YYYY-MM-DD HH:MM:SS in UTC. */
  readonly at: string;
  /** The folder or the address of the records. */
  readonly source: string;
}

/** A holder whose rate without a day is another one than the source said before. */
export interface RateChange {
  readonly level: LevelName;
  readonly id: number;
  readonly people_id: number;
  readonly phase_id: number;
  readonly role_id: number;
  /** The day from which the new rate holds; null if it takes the place of the one before. */
  readonly from: string | null;
}

/** The levels of records whose lists have come. */
export function levelsOf(resources: readonly string[]): RateLevel[] {
  return RATE_LEVELS.filter(({ resource }) => resources.includes(resource.name));
}

/**
 * Finds the rates that a source has changed, and gives the records that come the rates that are known of them. A holder with dated rates of its
 * own is left as it came: its source knows days.
 */
export async function followRates(
  database: Database,
  { come, known, levels, hasSeen }: FollowedRecords,
  { change, day, at, source }: RateSource,
): Promise<RateChange[]> {
  const seen = `${come}source.seen_rates`;
  await database.run(`
    DELETE FROM ${seen};
    ${hasSeen ? `INSERT INTO ${seen} SELECT * FROM ${known}source.seen_rates;` : ''}
    CREATE OR REPLACE TEMP TABLE come_rates AS
    WITH dated AS (SELECT DISTINCT ${HOLDER.join(', ')} FROM (${selectDatedRates(levels, come)}) AS each)
    SELECT rates.*, dated.level IS NOT NULL AS has_days
    FROM (${selectRates(levels, come)}) AS rates LEFT JOIN dated ON ${isSameHolder('dated', 'rates')};
    DELETE FROM ${seen} AS seen WHERE EXISTS (SELECT 1 FROM come_rates WHERE has_days AND ${isSameHolder('come_rates', 'seen')});
    CREATE OR REPLACE TEMP TABLE changed_rates AS
    WITH newest AS (
      SELECT * FROM ${seen} QUALIFY row_number() OVER (PARTITION BY ${HOLDER.join(', ')} ORDER BY entry_id DESC) = 1
    ),
    said AS (
      SELECT ${HOLDER.map((column) => `COALESCE(newest.${column}, held.${column}) AS ${column}`).join(', ')},
        CASE WHEN newest.entry_id IS NULL THEN held.rate ELSE newest.rate END AS rate, newest.entry_id,
        COALESCE(newest.state = 'dated' AND newest.effective_date >= DATE '${day}', FALSE) AS is_of_day
      FROM (${selectRates(levels, known)}) AS held FULL JOIN newest ON ${isSameHolder('newest', 'held')}
    )
    SELECT come_rates.*, said.rate AS rate_before, said.entry_id, said.is_of_day
    FROM come_rates JOIN said ON ${isSameHolder('said', 'come_rates')}
    WHERE come_rates.rate IS DISTINCT FROM said.rate;`);
  await database.run(change === 'from_today' ? dateChanges(seen, { day, at, source }) : rewriteChanges(seen));
  await database.run(applyRates(levels, come, seen));
  const changes = await database.rows<RateChange>(`
    SELECT ${HOLDER.join(', ')}, ${change === 'from_today' ? `CASE WHEN NOT has_days THEN '${day}' END` : 'NULL'} AS "from"
    FROM changed_rates ORDER BY ALL`);
  await database.run('DROP TABLE temp.come_rates; DROP TABLE temp.changed_rates');
  return changes;
}

/** Builds SQL that dates changes. Of two on one day the later counts; one that goes back on its day is none. */
function dateChanges(seen: string, { day, at, source }: Omit<RateSource, 'change'>): string {
  return `
    UPDATE ${seen} AS seen SET rate = changed.rate, first_seen = TIMESTAMP ${quoteText(at)}
    FROM changed_rates AS changed WHERE changed.is_of_day AND NOT changed.has_days AND changed.entry_id = seen.entry_id;
    DELETE FROM ${seen} AS seen USING changed_rates AS changed
    WHERE changed.is_of_day AND changed.entry_id = seen.entry_id AND seen.rate IS NOT DISTINCT FROM seen.rate_before;
    INSERT INTO ${seen}
    SELECT (SELECT COALESCE(max(entry_id), 0) FROM ${seen}) + row_number() OVER (ORDER BY ${HOLDER.join(', ')}), ${HOLDER.join(', ')},
      DATE '${day}', rate_before, rate, TIMESTAMP ${quoteText(at)}, ${quoteText(source)}, 'dated'
    FROM changed_rates WHERE NOT is_of_day AND NOT has_days`;
}

/** Builds SQL that puts changes in the place of what the source said last, which no longer holds on any day. */
function rewriteChanges(seen: string): string {
  const last = `
    SELECT ${HOLDER.map((column) => `changed.${column}`).join(', ')}, any_value(changed.rate) AS rate, COALESCE(max(seen.entry_id), 0) AS entry_id
    FROM changed_rates AS changed LEFT JOIN ${seen} AS seen ON ${isSameHolder('seen', 'changed')} AND seen.state <> 'removed'
    GROUP BY ALL`;
  return `
    DELETE FROM ${seen} AS seen USING (${last}) AS last WHERE ${isSameHolder('seen', 'last')} AND seen.entry_id > last.entry_id;
    UPDATE ${seen} AS seen SET rate = last.rate FROM (${last}) AS last WHERE seen.entry_id = last.entry_id`;
}

/** Builds SQL that gives the records that come the rates that are known of them. */
function applyRates(levels: readonly RateLevel[], come: string, seen: string): string {
  const first = `(
    SELECT ${HOLDER.join(', ')}, ${firstRateSql()} AS rate FROM ${seen} GROUP BY ALL)`;
  const added = `(
    SELECT seen.* FROM ${seen} AS seen JOIN come_rates ON ${isSameHolder('come_rates', 'seen')} WHERE seen.state = 'dated')`;
  return levels.flatMap((each) => [setRates(each, come, first), addDatedRates(each, come, added)]).join(';\n');
}

/** Returns SQL of the rate without a day of the holder of grouped rows: the last that was made it, or else what the source said first. */
function firstRateSql(): string {
  return `CASE WHEN bool_or(state = 'always') THEN last(rate ORDER BY entry_id) FILTER (state = 'always')
      ELSE first(rate_before ORDER BY entry_id) END`;
}
