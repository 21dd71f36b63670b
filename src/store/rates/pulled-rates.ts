import { dayIn } from '../../base/calendar/index.ts';
import { type Database, formatTime } from '../../base/database/index.ts';
import { followRates, levelsOf, type RateChange, type RateSource } from './follow-rates.ts';
import { notePastLines, readPastValue } from './past-value.ts';
import { RATE_LEVELS } from './rate-levels.ts';
import { type ToldRates, tellRates } from './told-rates.ts';

/** The rates that a sync has changed, and the company's day of it. */
export interface PulledRates {
  readonly changes: readonly RateChange[];
  readonly day: string;
}

export const NO_RATES: PulledRates = { changes: [], day: '' };

/**
 * Follows the rates of the records attached as `pulled`, and gives them those that are known of them.
 * @param lists The names of the lists that came whole.
 * @param startedAt The moment of the run.
 */
export async function followPulledRates(
  session: Database,
  lists: readonly string[],
  startedAt: Date,
  { change, source }: Pick<RateSource, 'change' | 'source'>,
): Promise<PulledRates> {
  const [row] = await session.rows<{ time_zone: string | null }>('SELECT time_zone FROM source.settings');
  const day = dayIn(row?.time_zone ?? 'UTC', startedAt);
  const records = { come: 'pulled.', known: '', levels: levelsOf(lists), hasSeen: true };
  return { changes: await followRates(session, records, { change, day, at: formatTime(startedAt), source }), day };
}

/** Returns SQL that is true of items of a list of records whose dated rates aren't those that a source was seen to change: these come by themselves. */
export function isNotSeen(table: string, id: string): string {
  const level = RATE_LEVELS.find(({ datedTable, keys }) => datedTable === table && keys.length === 0);
  if (!level) return 'TRUE';
  return `${id} NOT IN (SELECT id FROM source.seen_rates WHERE level = '${level.name}' AND state = 'dated')`;
}

/** SQL that keeps the rates seen, beside the records that a sync writes. */
export const KEEP_SEEN_RATES = [
  'DELETE FROM source.seen_rates',
  'INSERT INTO source.seen_rates SELECT * FROM pulled.source.seen_rates',
];

/** The lines that changed rates may move, from before a sync writes its records until the numbers show them. */
export interface WatchedLines {
  /** Tells the changed rates, once the numbers show them. */
  tell(): Promise<ToldRates | undefined>;
  /** Must be called. */
  close(): Promise<void>;
}

/** Notes the lines that changed rates may move, in a session of its own; undefined without such rates. */
export async function watchLines(database: Database, { changes, day }: PulledRates): Promise<WatchedLines | undefined> {
  if (changes.length === 0) return undefined;
  const session = await database.session();
  try {
    const isNoted = await notePastLines(session, '', changes, day);
    return {
      tell: async () => tellRates(changes, isNoted ? await readPastValue(session, changes) : undefined),
      close: () => session.close(),
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}
