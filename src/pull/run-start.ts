import { AppError, isObject } from '../base/index.ts';
import { readDeleteLog } from './delete-log.ts';
import type { RunStart } from './folder.ts';
import { parseItems } from './page.ts';
import type { PullState } from './pulled.ts';
import { formatMoment, isPlausible, parseMoment } from './requests/clock.ts';
import { noService } from './requests/request-errors.ts';
import type { Source } from './requests/source.ts';
import { type List, lists } from './source-lists.ts';

/** Changes are read from this long before the last run: a source may show a record later than its `modified`. Unit: ms. */
export const OVERLAP_MS = 600_000;

/** The age of the last good run from which everything is read: delete logs keep 72 hours. Unit: h. */
export const MAX_CHANGES_HOURS = 66;

/** The age of the last whole run from which everything is read. Unit: h. */
export const MAX_WHOLE_HOURS = 168;

/** The longest settings of a company that are taken from a source. Unit: characters. */
const MAX_SETTINGS_CHARACTERS = 65_536;

const HOUR_MS = 3_600_000;

/** Matches the year of a date that is written out; Date.parse takes 0001 for 2001. */
const YEAR = /\b\d{4,6}\b/;

export interface SourceClock {
  /** Its Date header; the clock of this machine if the header is missing or can't be right. Unit: ms since 1970. */
  readonly ms: number;
  /** The year of a clock that can't be right. */
  readonly oddYear: number | undefined;
  /** The clock of this machine at that moment. Unit: ms since 1970. */
  readonly hereMs: number;
}

/**
 * Reads the clock of a source with the first request of a run, which also tries the address and the token.
 * @throws AppError source if the address is not that of such a service.
 */
export async function readClock(source: Source, now: () => Date, signal: AbortSignal): Promise<SourceClock> {
  const answer = await source.get('people', { 'per-page': '1' }, signal);
  if (answer.status === 404) throw noService(source.base);
  parseItems(answer, 'people');
  const hereMs = now().getTime();
  const date = answer.headers.get('date') ?? '';
  const dateMs = Date.parse(date);
  const year = Number(YEAR.exec(date)?.[0] ?? new Date(dateMs).getUTCFullYear());
  if (isPlausible(dateMs) && isPlausible(Date.UTC(year, 0))) return { ms: dateMs, hereMs, oddYear: undefined };
  return { ms: hereMs, hereMs, oddYear: Number.isNaN(year) ? undefined : year };
}

/** Decides what a run reads, and opens the delete logs before any list, so that no deletion is missed in between. */
export async function beginRun(
  source: Source,
  clock: SourceClock,
  state: PullState | undefined,
  isFull: boolean,
  signal: AbortSignal,
): Promise<RunStart> {
  const marginMs = OVERLAP_MS + Math.abs(clock.ms - clock.hereMs);
  const start = {
    startedAt: formatMoment(clock.ms),
    startedHere: formatMoment(clock.hereMs),
    settledMs: clock.ms - marginMs,
  };
  const large = lists.filter(({ isLarge }) => isLarge);
  const reason = findWholeReason(state, clock, isFull) ?? (await findBrokenLog(source, large, state, signal));
  if (reason === undefined && state)
    return {
      ...start,
      wholeBecause: undefined,
      since: Math.max(0, (parseMoment(state.startedAt) ?? 0) - marginMs),
      cursors: state.cursors,
      settings: undefined,
    };
  const cursors: Record<string, string> = {};
  for (const list of large) {
    const log = await readDeleteLog(source, list, undefined, signal);
    if (log !== 'unavailable' && log.cursor !== undefined) cursors[list.resource.name] = log.cursor;
  }
  const settings = await readSettings(source, signal);
  return { ...start, wholeBecause: reason ?? 'nothing was read before', since: undefined, cursors, settings };
}

/** Reads the settings of the company as JSON; undefined if the source doesn't send them: only Plumbline itself does. */
async function readSettings(source: Source, signal: AbortSignal): Promise<string | undefined> {
  const answer = await source.ask('settings', {}, signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'source') return undefined;
    throw error;
  });
  if (answer?.status !== 200 || answer.text.length > MAX_SETTINGS_CHARACTERS) return undefined;
  return isObject(answer.json) ? answer.text : undefined;
}

/** Returns the reason to read everything, from the state and the clocks; undefined if changes are enough. */
export function findWholeReason(
  state: PullState | undefined,
  { ms: nowMs, hereMs }: Pick<SourceClock, 'ms' | 'hereMs'>,
  isFull: boolean,
): string | undefined {
  if (!state) return 'nothing was read before';
  if (isFull) return 'a full run was asked for';
  const ageMs = nowMs - (parseMoment(state.startedAt) ?? 0);
  const hereAgeMs = Math.max(0, hereMs - (parseMoment(state.startedHere) ?? hereMs));
  // A record changed since then may have an older time than the overlap covers.
  if (ageMs < hereAgeMs - OVERLAP_MS) return 'the clock of the source went back';
  if (ageMs > MAX_CHANGES_HOURS * HOUR_MS) return `the last good run is more than ${MAX_CHANGES_HOURS} hours ago`;
  const wholeAgeMs = nowMs - (parseMoment(state.wholeAt) ?? 0);
  return wholeAgeMs > MAX_WHOLE_HOURS * HOUR_MS ? 'everything was last read more than a week ago' : undefined;
}

/** Returns the reason why deletions since the last run can't be known; undefined if they can. */
async function findBrokenLog(
  source: Source,
  large: readonly List[],
  state: PullState | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const list of large) {
    const { name } = list.resource;
    const cursor = state?.cursors[name];
    const log = cursor === undefined ? 'unavailable' : await readDeleteLog(source, list, cursor, signal);
    if (log !== 'unavailable') continue;
    if (cursor !== undefined) return `the delete log of ${name} no longer has the position of the last run`;
    if (await isOffered(source, list, signal)) return `the delete log of ${name} was off in the last run`;
  }
  return undefined;
}

async function isOffered(source: Source, { paths }: List, signal: AbortSignal): Promise<boolean> {
  for (const path of paths) {
    const { status } = await source.get(path, { 'per-page': '1' }, signal);
    if (status !== 404) return true;
  }
  return false;
}
