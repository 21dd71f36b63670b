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
