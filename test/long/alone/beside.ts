import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Program } from '../../errors/program.ts';

export const MAX_MEMORY_MIB = 1_536;

export const MAX_STOP_MS = 5_000;

/** The share of answers that must be in time, the most by which an attack may delay them, and what a busy machine takes. */
const SHARE = 0.95;
const MAX_GROWTH = 2;
const FLOOR_MS = 1_000;

/** The time for which a server is asked before the attack. Unit: ms. */
const QUIET_MS = 3_000;

/** The longest time for an answer, so that a server that hangs is told. Unit: ms. */
const MAX_ANSWER_MS = 30_000;

const PATHS = ['/healthz', '/v3/reports/people?start_date=2026-01-01&end_date=2026-01-31'];

/** Returns the length of an attack. @param usual The length in a run of all tests. Unit: s. */
export function hostileSeconds(usual: number): number {
  return Number(process.env['PLUMBLINE_HOSTILE_SECONDS'] ?? usual);
}

/**
 * Asks a server as a normal client does, before and during an attack, and stops it: it answers as fast as before, or
 * nearly, with little memory, and ends soon.
 * @param attack Attacks until the signal is aborted.
 */
export async function attackBeside(
  { program, url }: { readonly program: Program; readonly url: string },
  seconds: number,
  attack: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const quiet = await askFor(url, program.pid, QUIET_MS);
  const controller = new AbortController();
  const attacking = attack(controller.signal);
  const busy = await Promise.race([
    askFor(url, program.pid, seconds * 1000),
    attacking.then(() => expect.fail('the attack ended early')),
  ]).finally(() => controller.abort());
  await attacking;
  const stopping = performance.now();
  program.signal('SIGTERM');
  const { exitCode, stderr } = await program.outcome;
  const stoppedMs = performance.now() - stopping;
  console.log(
    `95 % in ${Math.round(quiet.ms)} ms before and ${Math.round(busy.ms)} ms during it, ${busy.mostMib} MiB, stopped in ${Math.round(stoppedMs)} ms`,
  );
  expect(exitCode, stderr).toBe(0);
  expect(stoppedMs).toBeLessThan(MAX_STOP_MS);
  expect(busy.mostMib).toBeLessThan(MAX_MEMORY_MIB);
  expect(busy.ms).toBeLessThan(Math.max(MAX_GROWTH * quiet.ms, FLOOR_MS));
}

/** Asks a server for a time. @returns the time in which 95 % of its answers came, and its most memory. */
async function askFor(url: string, pid: number, durationMs: number): Promise<{ ms: number; mostMib: number }> {
  const times: number[] = [];
  let mostMib = 0;
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    for (const path of PATHS) {
      const start = performance.now();
      const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(MAX_ANSWER_MS) });
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, 200]);
      times.push(performance.now() - start);
    }
    mostMib = Math.max(mostMib, readMemoryMib(pid));
    await sleep(50);
  }
  times.sort((one, other) => one - other);
  return { ms: times[Math.floor(times.length * SHARE)] ?? Number.NaN, mostMib };
}

/** Reads the resident memory of a process. */
export function readMemoryMib(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
