import { readFile } from 'node:fs/promises';
import { AppError } from '../../../base/index.ts';
import { eventsFile } from '../history-files.ts';
import type { StateKey } from '../state-names.ts';
import { sha256Of } from './digest.ts';

export type EventName = 'kept' | 'closed' | 'reopened' | 'removed' | 'imported' | 'accepted';

/** A line of the log. `at` as YYYY-MM-DDTHH:MM:SSZ. */
export interface HistoryEvent extends StateKey {
  readonly event: EventName;
  readonly at: string;
  /** The label of a token, or the user and the host of a command. */
  readonly by: string;
  readonly token_id?: string;
  readonly reason: string | null;
  readonly company_id: string;
  /** The SHA-256 of the state's closing.json. */
  readonly closing_sha256: string;
  /** The SHA-256 of all bytes of the log before this line, damaged ones included; only in `accepted`. */
  readonly log_sha256?: string;
  /** States whose lines can't be read; only in `accepted`. */
  readonly adopted?: readonly (StateKey & { readonly closing_sha256: string })[];
}

export interface LogBreak {
  readonly line: number;
  readonly reason: string;
}

export interface EventLog {
  readonly events: readonly HistoryEvent[];
  /** Breaks of the chain that nobody has accepted. */
  readonly breaks: readonly LogBreak[];
  /** The bytes of whole lines; an interrupted append may leave a part of a line after them. */
  readonly bytes: Buffer;
  readonly lastLine: string | undefined;
  /** False if there is no such file. */
  readonly isThere: boolean;
}

const EMPTY: EventLog = { events: [], breaks: [], bytes: Buffer.alloc(0), lastLine: undefined, isThere: false };

/** Reads the log of a database; an empty one if there is none. */
export async function readEventLog(database: string): Promise<EventLog> {
  const file = eventsFile(database);
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new AppError('storage', `${file} can't be read: ${cause.message}`, { cause });
  });
  return bytes === undefined ? EMPTY : parseEventLog(bytes);
}

/** Parses a log. Each line has its own SHA-256, and that of the line before it. */
export function parseEventLog(bytes: Buffer): EventLog {
  const events: HistoryEvent[] = [];
  let breaks: LogBreak[] = [];
  let lastLine: string | undefined;
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf('\n', start);
    if (end < 0) break;
    const line = bytes.toString('utf8', start, end);
    const found = parseLine(line, lastLine);
    if (found.event?.log_sha256 !== undefined && found.event.log_sha256 === sha256Of(bytes.subarray(0, start))) {
      breaks = [];
    }
    if (found.reason !== undefined) breaks.push({ line: number, reason: found.reason });
    if (found.event) events.push(found.event);
    lastLine = line;
    start = end + 1;
  }
  const rest = bytes.toString('utf8', start);
  // The last line end may have been changed: an interrupted append leaves less than a line.
  if (parseLine(rest.slice(0, rest.lastIndexOf('}') + 1), lastLine).event) {
    breaks.push({ line: bytes.subarray(0, start).filter((byte) => byte === 10).length + 1, reason: 'it has no end' });
  }
  return { events, breaks, bytes: bytes.subarray(0, start), lastLine, isThere: true };
}

const START = /^\{"sha256":"([0-9a-f]{64})",/;

function parseLine(line: string, before: string | undefined): { event?: HistoryEvent; reason?: string } {
  const [start, sha256] = START.exec(line) ?? [];
  if (start === undefined) return { reason: 'it is not a line of this log' };
  const body = `{${line.slice(start.length)}`;
  if (sha256Of(body) !== sha256) return { reason: 'it is not as it was written' };
  const { previous, ...event } = JSON.parse(body) as HistoryEvent & { readonly previous: string | null };
  if (previous === spellPrevious(before)) return { event };
  return { event, reason: 'it does not follow the line before it, which was changed or taken out' };
}

function spellPrevious(before: string | undefined): string | null {
  return before === undefined ? null : sha256Of(before);
}

/** Formats the next line of a log, with its line end. */
export function formatEvent(log: EventLog, event: HistoryEvent): string {
  const body = JSON.stringify({ previous: spellPrevious(log.lastLine), ...event });
  return `{"sha256":"${sha256Of(body)}",${body.slice(1)}\n`;
}

/**
 * Checks that the log is as it was written.
 * @throws AppError storage that names the first line that isn't.
 */
export function assertUnbroken(database: string, { breaks }: EventLog): void {
  const [first] = breaks;
  if (!first) return;
  throw new AppError('storage', `${eventsFile(database)}, line ${first.line}: ${first.reason}`, {
    hint: 'Put the log of a backup in its place. If the change is known and right, plumbline verify --accept REASON goes on from it.',
  });
}
