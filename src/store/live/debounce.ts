/** Work shared by concurrent callers, one run at a time. */
export interface Debounce {
  /** Runs the work after a delay, unless it is due earlier. */
  schedule(inMs: number): void;
  /** Runs the work now, after a run in progress. */
  run(): Promise<void>;
  /** Waits for a run in progress. Nothing can be scheduled afterwards. */
  close(): Promise<void>;
}

/** Makes a debounce. @param work Must not fail. */
export function makeDebounce(work: () => Promise<void>): Debounce {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Number.POSITIVE_INFINITY;
  let isClosed = false;
  const run = () => {
    running = running.then(work);
    return running;
  };
  return {
    run,
    schedule(inMs) {
      const atMs = performance.now() + inMs;
      if (isClosed || atMs >= dueAtMs) return;
      clearTimeout(timer);
      dueAtMs = atMs;
      timer = setTimeout(() => {
        dueAtMs = Number.POSITIVE_INFINITY;
        void run();
      }, inMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
