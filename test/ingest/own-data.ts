import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { runProgram } from '../../src/cli.ts';
import { openDatabase } from '../../src/database/database.ts';
import { ingestDirectory } from '../../src/ingest/ingest.ts';
import type { TemplateTable } from '../../src/template/template-tables.ts';

/** Runs a command in this process, and returns its exit code with what it printed. */
export async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const stream = () => Object.assign(new PassThrough(), { isTTY: false });
  const [stdout, stderr] = [stream(), stream()];
  const texts: string[] = [];
  for (const each of [stdout, stderr]) each.on('data', (chunk) => texts.push(String(chunk)));
  const streams = { stdout: stdout as unknown as NodeJS.WriteStream, stderr: stderr as unknown as NodeJS.WriteStream };
  const code = await runProgram(args, { ...streams, now: () => new Date('2026-06-15T12:00:00Z') });
  return { code, output: texts.join('') };
}

/**
 * Loads an export with nothing set aside, and returns a report of its people in February as lines of CSV.
 * @throws Error with the output of the load if it fails.
 */
export async function reportOf(directory: string): Promise<string[]> {
  const database = `${directory}.duckdb`;
  const loaded = await run('load', directory, '--strict', '--database', database);
  if (loaded.code !== 0) throw new Error(loaded.output);
  const window = ['--start-date', '2026-02-01', '--end-date', '2026-02-28', '--cutoff-date', '2026-02-28'];
  const fields = ['--fields', 'name,actual_hours,actual_fees,actual_cost', '--format', 'csv', '--sort', 'name'];
  const { output } = await run('report', 'people', ...window, ...fields, '--database', database);
  return output.split(/\r?\n/).filter((line) => /^("?)(Ada|ada|Bo|bo)/.test(line));
}

/** Reads a part of a template strictly, and expects its two records of each table and no unknown field. */
export async function expectTemplateLoads(path: string, tables: readonly TemplateTable[]): Promise<void> {
  const database = await openDatabase(':memory:');
  const summary = await ingestDirectory(database, path, { strict: true }).finally(() => database.close());
  const counts = new Map(summary.resources.map(({ resource, loaded }) => [resource, loaded]));
  // The settings are no list.
  const lists = tables.filter(({ resource }) => resource !== 'settings');
  for (const { resource } of lists) expect(counts.get(resource), resource).toBe(2);
  expect(summary.unknownFields).toEqual([]);
}
