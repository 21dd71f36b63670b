import { readdirSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The signals that a server answers by stopping in good order. */
const STOPPING = ['SIGTERM', 'SIGINT'] as const;

/** The signals that end any other command at once. A terminal sends SIGHUP when it is closed, and then takes no output. */
const ENDING = [...STOPPING, 'SIGHUP'] as const;

/** Files and folders that are of no use unless their command finishes. */
const unfinished = new Set<string>();

/**
 * Notes a file or folder that a signal removes before it ends the process, with all that is named after it (`path.wal`).
 * One that was renamed is kept.
 */
export function removeOnSignal(path: string): void {
  unfinished.add(path);
}

/** Makes SIGTERM, SIGINT and SIGHUP remove what is unfinished and end the process at once. */
export function endOnSignals(): void {
  for (const signal of ENDING) process.on(signal, end);
}

/** Makes SIGTERM, SIGINT and SIGHUP do nothing, in a process that its parent ends. */
export function ignoreSignals(): void {
  for (const signal of ENDING) process.on(signal, () => undefined);
}

/** Waits for SIGTERM or SIGINT. A second one, or SIGHUP, ends the process at once. */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (received: NodeJS.Signals) => {
      for (const signal of STOPPING) process.on(signal, end).off(signal, stop);
      resolve(received);
    };
    // A signal that has come and waits for this thread would be lost between two listeners.
    for (const signal of STOPPING) process.on(signal, stop).off(signal, end);
  });
}

function end(received: NodeJS.Signals): void {
  for (const path of unfinished) removeUnfinished(path);
  for (const signal of ENDING) process.off(signal, end);
  process.kill(process.pid, received);
  // Without a handler, a signal ends any process but the first of a container.
  process.exit(128 + constants.signals[received]);
}

/** Removes a file or folder with all that is named after it, as far as it can. */
export function removeUnfinished(path: string): void {
  const name = basename(path);
  try {
    const names = readdirSync(dirname(path)).filter((each) => each === name || each.startsWith(`${name}.`));
    for (const each of names) rmSync(join(dirname(path), each), { recursive: true, force: true });
  } catch {
    // Nothing more can be done for it, and the others are still to be removed.
  }
}
