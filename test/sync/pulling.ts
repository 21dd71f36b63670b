import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardPulled } from '../../src/pull/folder.ts';
import { type PullOptions, pull } from '../../src/pull/pull.ts';
import type { Pulled } from '../../src/pull/pulled.ts';
import type { Clock } from '../../src/pull/requests/clock.ts';
import { openSource, type Source, type SourceOptions } from '../../src/pull/requests/source.ts';
import { makeReader, type SourceReader } from '../../src/pull/source-reader.ts';

export const NEVER = new AbortController().signal;

export const TOKEN = 'plumb-secret-token-0123456789';

/** A clock whose waits take no time, and are counted. */
export function fastClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  let passed = 0;
  return {
    waits,
    now: () => Date.now() + passed,
    async wait(ms, signal) {
      signal.throwIfAborted();
      waits.push(ms);
      passed += ms;
    },
  };
}

/** Opens a source without limits of its requests, whose waits take no time. */
export function openFastSource(url: string, options: Partial<SourceOptions> = {}): Source {
  return openSource({ url, token: () => TOKEN, requestsPerMinute: 1e9, clock: fastClock(), ...options });
}

/** Opens a reader on this thread, without limits of its requests, whose waits take no time. */
export function openFastReader(url: string): SourceReader {
  return makeReader(openFastSource(url), () => new Date());
}

export function makeFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-sync-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Pulls into a folder without an earlier run, with waits that take no time. */
export async function pullFrom(
  url: string,
  folder: string,
  options: Parameters<typeof resumeFrom>[2] = {},
): Promise<Pulled> {
  await discardPulled(folder);
  return resumeFrom(url, folder, options);
}

/** Pulls into a folder, where a killed run goes on, with waits that take no time. */
export function resumeFrom(
  url: string,
  folder: string,
  options: Partial<PullOptions> & { readonly from?: Partial<SourceOptions> } = {},
): Promise<Pulled> {
  const { from, ...others } = options;
  return pull({
    source: openFastSource(url, from),
    folder,
    state: undefined,
    isFull: false,
    now: () => new Date(),
    signal: NEVER,
    ...others,
  });
}

/** Reads the records of a resource by id, the last of each; undefined without a file. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the source sent.
export function readRecords({ directory }: Pick<Pulled, 'directory'>, resource: string, id: string): Map<string, any> {
  const lines = readFileSync(join(directory, `${resource}.ndjson`), 'utf8').split('\n');
  const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return new Map(records.map((record) => [String(record[id]), record]));
}
