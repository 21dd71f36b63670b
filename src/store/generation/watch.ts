import { stat } from 'node:fs/promises';

/** Returns a signature that differs after every rename or change of a file; "" if there is none. */
export async function readSignature(file: string): Promise<string> {
  const entry = await stat(file).catch(() => undefined);
  return entry ? `${entry.ino} ${entry.mtimeMs} ${entry.size}` : '';
}

/** Repeats work at an interval, one run at a time, until closed. */
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
