import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDatabase, type Value } from '../../src/base/database/database.ts';
import type { IngestSummary } from '../../src/records/ingest/controls/ingest-summary.ts';
import { type IngestOptions, ingestDirectory } from '../../src/records/ingest/ingest.ts';

/** The time of the load, in UTC. */
export const LOADED_AT = '2026-06-15 12:00:00';

/** Files by name: text, bytes, or records to format by the extension (.json or .ndjson). */
export type Files = Readonly<Record<string, string | Uint8Array | readonly unknown[]>>;

export interface Loaded {
  readonly summary: IngestSummary;
  rows(sql: string): Promise<Record<string, Value>[]>;
}

/** Writes files into a new directory, runs `work` on it and deletes it. */
export async function withDirectory<T>(files: Files, work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(directory, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, isRecords(content) ? formatRecords(name, content) : content);
    }
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Loads files into an in-memory database and runs `work` on it. */
export async function withDataset<T>(
  files: Files,
  work: (loaded: Loaded) => Promise<T>,
  options: IngestOptions = {},
): Promise<T> {
  const database = await openDatabase(':memory:');
  try {
    const summary = await withDirectory(files, (directory) =>
      ingestDirectory(database, directory, { now: new Date(`${LOADED_AT}Z`), ...options }),
    );
    return await work({ summary, rows: (sql) => database.rows(sql) });
  } finally {
    await database.close();
  }
}

export function rowsOf(files: Files, sql: string): Promise<Record<string, Value>[]> {
  return withDataset(files, ({ rows }) => rows(sql));
}

/** Loads records of one resource as JSON and returns every reason for setting one aside. */
export async function reasonsOf(resource: string, ...records: (string | object)[]): Promise<string[]> {
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n');
  return reasonsIn({ [`${resource}.ndjson`]: lines });
}

function isRecords(content: Files[string]): content is readonly unknown[] {
  return Array.isArray(content);
}

function formatRecords(name: string, records: readonly unknown[]): string {
  return name.endsWith('.json')
    ? JSON.stringify(records)
    : records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Loads files and returns every reason for setting a record aside, in their order. */
export async function reasonsIn(files: Files): Promise<string[]> {
  const rows = await rowsOf(files, 'SELECT unnest(reasons) AS reason FROM source.rejected');
  return rows.map(({ reason }) => String(reason));
}
