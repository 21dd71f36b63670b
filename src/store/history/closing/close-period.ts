import {
  ALLOWED_DAYS,
  type Days,
  FIRST_DATE,
  isDay,
  LAST_DATE,
  moveDay,
  periodOf,
  readPeriod,
} from '../../../base/calendar/index.ts';
import { formatZonedTime } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Company } from '../../../numbers/report/catalogue/index.ts';
import type { ChangeNote } from '../accept-break.ts';
import { type KeptState, readKeptState, readKeptStates } from '../kept-states.ts';
import { appendEvent } from '../log/append-event.ts';
import type { EventLog } from '../log/event-log.ts';
import { companyIdOf, loggedStates } from '../logged-states.ts';
import { chooseLogged } from '../resolve-state.ts';
import { spellKey } from '../state-names.ts';
import type { StateKind } from '../state-record.ts';

export interface ClosedPeriod extends Days {
  readonly name: string;
}

/**
 * Parses the name of a period, or its first and last day as 2026-03-01..2026-03-15.
 * @param today The day from which last_month and its kin count.
 * @throws AppError usage
 */
export function parseClosedPeriod(text: string, today: string, company: Company): ClosedPeriod {
  const days = parseDays(text, today, company);
  const { startDate, endDate } = days;
  if (/^\d{4}(-\w+)?$/.test(text)) return { ...days, name: text.toLowerCase() };
  const month = periodOf('month', startDate, company);
  const isMonth = month.startDate === startDate && month.endDate === endDate;
  // A name such as last_month means another month soon.
  return { ...days, name: isMonth ? startDate.slice(0, 'YYYY-MM'.length) : `${startDate}..${endDate}` };
}

function parseDays(text: string, today: string, company: Company): Days {
  const [startDate = '', endDate = '', ...more] = text.split('..');
  if (endDate !== '' && more.length === 0 && isDay(startDate) && isDay(endDate)) {
    if (startDate < FIRST_DATE || endDate > LAST_DATE) {
      throw new AppError('usage', `The period ${text} is out of range; ${ALLOWED_DAYS}`);
    }
    if (startDate <= endDate) return { startDate, endDate };
    throw new AppError('usage', `The period ${text} ends before it begins`, { hint: 'Give its first day first.' });
  }
  const reading = readPeriod(text, today, company);
  if ('days' in reading) return reading.days;
  throw new AppError('usage', `"${text}" ${reading.fault}; or the days of a period, as 2026-03-01..2026-03-15`);
}

/**
 * Checks that a closing of a period would close more than its newest one does.
 * @throws AppError busy if that closes it already, hard or as softly.
 */
export function assertNotClosed(newest: KeptState | undefined, kind: StateKind): void {
  if (newest?.status !== 'closed') return;
  const { record } = newest;
  if (kind === 'hard' && record.kind === 'soft') return;
  const closed = record.kind === 'hard' ? 'closed hard' : 'closed';
  throw new AppError('busy', `${spellKey(newest)} is ${closed} already, since ${record.kept_at} by ${record.kept_by}`, {
    hint: `To close it again, reopen it first: plumbline reopen ${newest.name} --reason R.`,
  });
}

/** Returns the closing of exactly the days of a period whose event is the newest (C5): a clock may have gone back between two. */
export function findNewest(states: readonly KeptState[], { startDate, endDate }: Days): KeptState | undefined {
  const closings = states.filter(({ record }) => record.start_date === startDate && record.end_date === endDate);
  return closings.toSorted((one, other) => one.event - other.event).at(-1);
}

/** Leaves out closings of days that were closed anew. */
export function withoutReplaced(states: readonly KeptState[]): KeptState[] {
  return states.filter((state) => {
    const { start_date: startDate, end_date: endDate } = state.record;
    return startDate === null || endDate === null || findNewest(states, { startDate, endDate }) === state;
  });
}

/** Returns the first days before a period that aren't closed, from the earliest closing on; undefined if all are. */
export function findUnclosed(states: readonly KeptState[], period: Days): Days | undefined {
  const closed = withoutReplaced(states)
    .flatMap(({ status, record: { start_date: startDate, end_date: endDate } }) =>
      status === 'closed' && startDate !== null && endDate !== null ? [{ startDate, endDate }] : [],
    )
    .filter(({ startDate }) => startDate < period.startDate)
    .sort((one, other) => (one.startDate < other.startDate ? -1 : 1));
  let open = closed[0]?.startDate;
  if (open === undefined) return undefined;
  for (const { startDate, endDate } of [...closed, period]) {
    if (startDate > open) return { startDate: open, endDate: moveDay(startDate, 'day', -1) };
    if (endDate >= period.startDate) return undefined;
    if (endDate >= open) open = moveDay(endDate, 'day', 1);
  }
  return undefined;
}

/**
 * Opens the days of a closing again, and keeps its files. Requires the lock of the load.
 * @param reference As chooseLogged.
 * @throws AppError unknown without such a closing, usage for a state without a period, busy if it is open.
 */
export async function reopenPeriod(
  database: string,
  log: EventLog,
  reference: string,
  { by, tokenId, reason, now }: ChangeNote,
): Promise<KeptState> {
  const logged = loggedStates(log);
  const chosen = await readKeptState(database, chooseLogged(logged, reference));
  const { states } = await readKeptStates(database, logged);
  const state = states.find((each) => spellKey(each) === spellKey(chosen)) ?? chosen;
  if (state.status === 'kept')
    throw new AppError('usage', `${spellKey(state)} closes no period, so it can't be reopened`);
  if (state.status === 'reopened') throw new AppError('busy', `${spellKey(state)} is open already`);
  const { closing_sha256, name, number } = chooseLogged(loggedStates(log), spellKey(state));
  const after = await appendEvent(database, log, {
    event: 'reopened',
    at: formatZonedTime(now),
    by,
    ...(tokenId && { token_id: tokenId }),
    reason,
    company_id: companyIdOf(log) ?? '',
    name,
    number,
    closing_sha256,
  });
  return readKeptState(database, chooseLogged(loggedStates(after), spellKey(state)));
}
