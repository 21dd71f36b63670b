import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SizeName } from '../../../bench/company.ts';
import { generateCompany } from '../../../bench/generate.ts';
import { createToken, type Scope } from '../../../src/doors/identity/tokens.ts';
import { type Program, type ProgramOptions, startProgram } from '../../errors/program.ts';
import { copyLoaded } from '../../loaded.ts';

/** Sampling interval of the memory. Unit: ms. */
const SAMPLE_MS = 20;

/** Memory peaks of a program and all its child processes. Unit: MiB. */
export interface Peaks {
  /** Highest total at one moment. */
  readonly togetherMib: number;
  /** Sum of the peaks of each process; at least the highest total. */
  readonly summedMib: number;
}

/** Makes a benchmark company in a temporary folder. @returns The folder and its files. */
export async function makeBenchCompany(size: SizeName): Promise<{ folder: string; dataset: string; file: string }> {
  const folder = await mkdtemp(join(tmpdir(), `plumbline-${size}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataset = join(folder, 'data');
  await copyLoaded(`bench ${size}`, folder, (made) => generateCompany(size, join(made, 'data')));
  return { folder, dataset, file: join(folder, 'company.duckdb') };
}

/** Loads a benchmark company into a temporary folder. @returns The database. */
export async function loadBenchCompany(size: SizeName): Promise<string> {
  const { folder, dataset, file } = await makeBenchCompany(size);
  await copyLoaded(`loaded bench ${size}`, folder, async (made) => {
    const load = startProgram(['load', dataset, '--database', join(made, 'company.duckdb')]);
    const { exitCode, stderr } = await load.outcome;
    if (exitCode !== 0) throw new Error(stderr);
  });
  return file;
}

/** Starts the program and samples its memory to its end. Linux only. */
export function watchProgram(
  args: readonly string[],
  options?: ProgramOptions,
): { program: Program; readPeaks(): Peaks } {
  const program = startProgram(args, options);
  onTestFinished(() => void program.signal('SIGKILL'));
  const peaks = new Map<number, number>();
  let togetherMib = 0;
  const timer = setInterval(() => {
    let nowMib = 0;
    for (const pid of listTree(program.pid)) {
      const { VmHWM = 0, VmRSS = 0 } = readStatus(pid);
      peaks.set(pid, Math.max(peaks.get(pid) ?? 0, VmHWM / 1024));
      nowMib += VmRSS / 1024;
    }
    togetherMib = Math.max(togetherMib, nowMib);
  }, SAMPLE_MS);
  void program.outcome.finally(() => clearInterval(timer));
  return {
    program,
    readPeaks: () => ({ togetherMib, summedMib: [...peaks.values()].reduce((sum, mib) => sum + mib, 0) }),
  };
}

/** Creates a token. @returns The headers that carry it. */
export async function makeToken(file: string, label: string, scopes: Scope[]): Promise<Record<string, string>> {
  const tokens = file.replace(/\.duckdb$/, '.tokens.json');
  const { token } = await createToken(tokens, { label, scopes, expires: null, numbers: false }, new Date());
  return { authorization: `Bearer ${token}` };
}

export function readUrl(program: Program): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    program.onStderr((text) => {
      output += text;
      const [found] = /http:\/\/[\d.:]+/.exec(output) ?? [];
      if (found) resolve(found);
    });
    void program.outcome.then(({ stderr }) => reject(new Error(stderr)));
  });
}

/** Lists a process and its descendants; empty after its end. */
function listTree(pid: number): number[] {
  const children = readIfThere(() =>
    readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    ),
  );
  return [pid, ...(children ?? []).flatMap(listTree)];
}

/** Reads the memory facts of a process from the system. Unit: KiB. */
function readStatus(pid: number): Record<string, number> {
  const text = readIfThere(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  return Object.fromEntries([...text.matchAll(/^(Vm\w+):\s+(\d+) kB$/gm)].map(([, name, kib]) => [name, Number(kib)]));
}

function readIfThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
