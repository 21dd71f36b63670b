import { Worker } from 'node:worker_threads';

/** The time between two looks at the parent. Unit: ms. */
const WATCH_MS = 500;

/** The memory of the thread that looks: it keeps nothing. Unit: MiB. */
const LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 };

/** The program of the thread. */
const WATCH = `
  const { workerData: { parent, everyMs } } = require('node:worker_threads');
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, everyMs);
`;

/**
 * Ends this process soon after its parent, even while a job keeps its event loop busy, which sees no broken channel then: a
 * server that is killed leaves no process behind.
 */
export function endWithParent(): void {
  const workerData = { parent: process.ppid, everyMs: WATCH_MS };
  new Worker(WATCH, { eval: true, workerData, resourceLimits: LIMITS }).unref();
}
