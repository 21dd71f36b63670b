import { type Calendar, periodOf } from '../../base/calendar/index.ts';
import { DEFAULT_RETENTION, RETENTION_SPANS, type RetentionRules } from '../../base/config/index.ts';
import { type OpenOptions, openDatabase } from '../../base/database/index.ts';
import { fullMessageOf } from '../../base/index.ts';
import { type Company, todayOf } from '../../numbers/report/catalogue/index.ts';
import { readCompany } from '../../numbers/report/source/index.ts';
import { FORMAT, readDefinitions } from '../generation/model-definitions.ts';
import { openHistory } from './history-lock.ts';
import { chooseFitting, MAX_DEFAULT_ROOM_PERCENT, measureFreeRoom, measurePair, sumRoom } from './kept-room.ts';
import { readKeptStates } from './kept-states.ts';
import { loggedStates } from './logged-states.ts';
import { removeState } from './remove-state.ts';

/** A state that a retention keeps or removes. */
interface Retained {
  readonly key: string;
  /** As YYYY-MM-DD. */
  readonly day: string;
}

/** A way to keep states automatically. */
interface Keeper {
  readonly rules: RetentionRules;
  /** Stands in the log for whoever keeps and removes states by these rules. */
  readonly name: string;
  /** True to keep only by hard link and within a part of the free room, and to leave the states of other rules alone. */
  readonly isDefault: boolean;
  readonly options: OpenOptions;
  readonly now: () => Date;
}

/**
 * Returns a step of publishing that keeps the pair about to be replaced, if it is the last of its day, week or month, and
 * removes states without names that the rules don't keep any longer. Requires the lock of the load.
 */
export function retainReplaced(
  database: string,
  rules: RetentionRules,
  options: OpenOptions,
  now: () => Date,
): (next: string) => Promise<void> {
  const keeper = { rules, name: 'retention', isDefault: false, options, now };
  return (next) => retain(database, next, keeper, () => {});
}

/**
 * Returns the step of a server without rules of its own: a keeping that fails is a warning, never a failed publication.
 * @param warn Called with what can't be kept and why.
 */
export function retainByDefault(
  database: string,
  options: OpenOptions,
  now: () => Date,
  warn: (message: string) => void,
): (next: string) => Promise<void> {
  const keeper = { rules: DEFAULT_RETENTION, name: 'default retention', isDefault: true, options, now };
  return async (next) => {
    try {
      await retain(database, next, keeper, warn);
    } catch (error) {
      warn(`The replaced state can't be kept: ${fullMessageOf(error)}`);
    }
  };
}

async function retain(database: string, next: string, keeper: Keeper, warn: (message: string) => void): Promise<void> {
  const { rules, name, isDefault, options, now } = keeper;
  const replaced = await readPublication(database, options);
  const coming = await readPublication(next, options);
  // Another of the same day follows, and tables of another version can't be read as of later.
  if (!replaced || !coming || replaced.day >= coming.day) return;
  const log = await openHistory(database);
  // A damaged one stays, because its day is unknown.
  const { states } = await readKeptStates(
    database,
    loggedStates(log).filter(({ number }) => number === null),
  );
  const { company, ...candidate } = replaced;
  // States of later days are of a clock that was wrong, or is: they stay, and take no other's place.
  const past = states.filter(({ record }) => record.day <= candidate.day && (!isDefault || record.kept_by === name));
  const automatic = past.map(({ name: key, record: { day, files } }) => ({ key, day, bytes: sumRoom(files) }));
  const isKept = automatic.some(({ key }) => key === candidate.key);
  const all = isKept ? automatic : [...automatic, { ...candidate, bytes: await measurePair(database) }];
  const chosen = chooseRetained(all, rules, company);
  const survivors = isDefault
    ? chooseFitting(
        all.filter(({ key }) => chosen.has(key)).toSorted((one, other) => compareDays(other, one)),
        await measureFreeRoom(database),
      )
    : chosen;
  const note = { by: name, now: now() };
  let after = log;
  if (!isKept && survivors.has(candidate.key)) {
    const request = { name: null, kind: 'automatic', period: null, label: null, reason: null, reports: [] } as const;
    // Imported only when used: it brings the reports, which a run that keeps nothing doesn't need.
    const { keepState } = await import('./keep-state.ts');
    await keepState(database, log, { ...request, ...note, takesChanges: false, onlyByLink: isDefault }, options);
    after = await openHistory(database);
  } else if (!isKept && chosen.has(candidate.key)) warn(spellUnfitting(candidate.day));
  for (const { key } of automatic.filter((state) => !survivors.has(state.key)))
    after = (await removeState(database, after, key, { ...note, reason: 'the rules of retention' })).log;
}

/** Says that a state takes too much room. */
function spellUnfitting(day: string): string {
  return `The state of ${day} isn't kept: it would take more than ${MAX_DEFAULT_ROOM_PERCENT} % of the room that is free without it. Make room, or say with --keep what is kept.`;
}

function compareDays(one: Retained, other: Retained): number {
  return one.day < other.day ? -1 : Number(one.day > other.day);
}

/** Reads the version and the day of a published file; undefined without one of the present format. */
async function readPublication(
  file: string,
  options: OpenOptions,
): Promise<(Retained & { company: Company }) | undefined> {
  const database = await openDatabase(file, { ...options, readOnly: true });
  try {
    if ((await readDefinitions(database))?.format !== FORMAT) return undefined;
    const company = await readCompany(database);
    return { key: company.dataVersion, day: todayOf(company, new Date(company.syncedAt ?? company.loadedAt)), company };
  } finally {
    await database.close();
  }
}

/** Returns the keys of the states that rules keep: the last of each of the newest days, weeks and months. */
export function chooseRetained(
  states: readonly Retained[],
  rules: RetentionRules,
  calendar: Calendar,
): ReadonlySet<string> {
  const inOrder = states.toSorted(compareDays);
  const kept = RETENTION_SPANS.flatMap((span) => {
    const last = new Map(inOrder.map(({ key, day }) => [periodOf(PERIODS[span], day, calendar).startDate, key]));
    return [...last.values()].slice(Math.max(0, last.size - (rules[span] ?? 0)));
  });
  return new Set(kept);
}

const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month' } as const;
