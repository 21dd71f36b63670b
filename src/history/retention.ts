import { type Calendar, periodOf } from '../calendar/day.ts';
import { RETENTION_SPANS, type RetentionRules } from '../config/retention-rules.ts';
import { type OpenOptions, openDatabase } from '../database/database.ts';
import { FORMAT, readDefinitions } from '../generation/model-definitions.ts';
import { type Company, todayOf } from '../report/catalogue/definitions.ts';
import { readCompany } from '../report/source/read-company.ts';
import { openHistory } from './history-lock.ts';
import { readKeptStates } from './kept-states.ts';
import { loggedStates } from './logged-states.ts';
import { removeState } from './remove-state.ts';

/** A state that a retention keeps or removes. */
interface Retained {
  readonly key: string;
  /** As YYYY-MM-DD. */
  readonly day: string;
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
  return async (next) => {
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
    const past = states.filter(({ record }) => record.day <= candidate.day);
    const automatic = past.map(({ name, record }) => ({ key: name, day: record.day }));
    const isKept = automatic.some(({ key }) => key === candidate.key);
    const survivors = chooseRetained(isKept ? automatic : [...automatic, candidate], rules, company);
    const at = now();
    let after = log;
    if (!isKept && survivors.has(candidate.key)) {
      const request = { name: null, kind: 'automatic', period: null, label: null, reason: null, reports: [] } as const;
      // Imported only when used: it brings the reports, which a run that keeps nothing doesn't need.
      const { keepState } = await import('./keep-state.ts');
      await keepState(database, log, { ...request, by: RETENTION, now: at, takesChanges: false }, options);
      after = await openHistory(database);
    }
    for (const { key } of automatic.filter((state) => !survivors.has(state.key))) {
      const note = { by: RETENTION, reason: 'the rules of retention', now: at };
      after = (await removeState(database, after, key, note)).log;
    }
  };
}

/** Stands in the log for whoever keeps and removes states by rules. */
const RETENTION = 'retention';

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
  const inOrder = states.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const kept = RETENTION_SPANS.flatMap((span) => {
    const last = new Map(inOrder.map(({ key, day }) => [periodOf(PERIODS[span], day, calendar).startDate, key]));
    return [...last.values()].slice(Math.max(0, last.size - (rules[span] ?? 0)));
  });
  return new Set(kept);
}

const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month' } as const;
