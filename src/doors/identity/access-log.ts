import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { moveDay } from '../../base/calendar/index.ts';
import { createSerialQueue, formatZonedTime } from '../../base/database/index.ts';
import { messageOf, replaceFile } from '../../base/index.ts';

/** An access: the event, the reader, and the path that it was about. No query and no number. */
export interface AccessEvent {
  /** sign-in, sign-out, refused, export, or what a route names. */
  readonly event: string;
  /** The subject and the email of somebody who signs in. */
  readonly subject?: string | undefined;
  readonly email?: string | undefined;
  /** The id and the label of a token. */
  readonly token?: string;
  readonly label?: string;
  readonly path?: string;
  readonly type?: string;
}

export interface AccessLog {
  note(event: AccessEvent): void;
  /** Waits for what is noted. */
  close(): Promise<void>;
}

/** The size of a log beyond which its older half is removed. Unit: bytes. */
const MAX_ACCESS_LOG_BYTES = 67_108_864;

function accessLogBeside(database: string): string {
  return `${database.replace(/\.duckdb$/, '')}.access.ndjson`;
}

/**
 * Opens the log of accesses, which is kept for some days; older lines leave it with the first event of a day.
 * @param onError Called when an event can't be kept.
 */
export function openAccessLog(
  { database, accessLogDays: days }: { readonly database: string; readonly accessLogDays: number },
  now: () => Date,
  onError: (message: string) => void,
): AccessLog {
  const file = accessLogBeside(database);
  const inTurn = createSerialQueue();
  let last: Promise<unknown> = Promise.resolve();
  let trimmed = '';
  const write = async (line: string, today: string) => {
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > 0 && (trimmed !== today || size > MAX_ACCESS_LOG_BYTES)) await trim(file, moveDay(today, 'day', -days));
    trimmed = today;
    await appendFile(file, line, { mode: 0o600 });
  };
  return {
    note({ event, ...more }) {
      if (days === 0) return;
      const at = formatZonedTime(now());
      const line = `${JSON.stringify({ at, event, ...more })}\n`;
      last = inTurn(() => write(line, at.slice(0, 'YYYY-MM-DD'.length))).catch((error: unknown) =>
        onError(`The access log ${file} can't be written: ${messageOf(error)}`),
      );
    },
    async close() {
      await last;
    },
  };
}

/** Removes the lines before a day, and the older half of what is too much. */
async function trim(file: string, firstDay: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  // Lines begin with their time, and are in its order.
  const first = lines.findIndex((line) => line.slice(DAY_PLACE, DAY_PLACE + 10) >= firstDay);
  const lasting = first < 0 ? [] : lines.slice(first);
  let bytes = 0;
  const from = lasting.findLastIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > MAX_ACCESS_LOG_BYTES / 2;
  });
  const kept = lasting.slice(from + 1);
  if (kept.length === lines.length) return;
  const text = kept.map((line) => `${line}\n`).join('');
  await replaceFile(file, (next) => writeFile(next, text, { mode: 0o600 }));
}

/** The place of the day in a line. Unit: characters. */
const DAY_PLACE = '{"at":"'.length;
