import { stat } from 'node:fs/promises';

/** Says which file lies at a path: another one after every rename, and after every change; "" where there is none. */
export async function readSignature(file: string): Promise<string> {
  const entry = await stat(file).catch(() => undefined);
  return entry ? `${entry.ino} ${entry.mtimeMs} ${entry.size}` : '';
}

/** Does the work again and again, one at a time, until it is closed. */
export function repeat(work: () => Promise<void>, everyMs: number): { close(): Promise<void> } {
  let running = Promise.resolve();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    running = work().finally(() => {
      isRunning = false;
    });
  }, everyMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

/** A work that is done once for all who ask for it meanwhile. */
export interface Alarm {
  /** Has the work done in so long, unless it will be done before that. */
  ring(inMs: number): void;
  /** Waits for the work that runs; asked for, it is done no more. */
  close(): Promise<void>;
}

/** Makes an alarm. @param work Must not fail. */
export function makeAlarm(work: () => Promise<void>): Alarm {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Number.POSITIVE_INFINITY;
  let isClosed = false;
  const go = () => {
    dueAtMs = Number.POSITIVE_INFINITY;
    running = running.then(work);
  };
  return {
    ring(inMs) {
      const atMs = performance.now() + inMs;
      if (isClosed || atMs >= dueAtMs) return;
      clearTimeout(timer);
      dueAtMs = atMs;
      timer = setTimeout(go, inMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
