import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { runProgram } from '../../src/cli.ts';
import type { TemplateTable } from '../../src/doors/template/template-tables.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { type Files, withDirectory } from './dataset.ts';

const TOTALS = `SELECT
  (SELECT CAST(sum(hours) AS VARCHAR) FROM source.logged_time) AS hours,
  (SELECT CAST(sum(hours) FILTER (billable) AS VARCHAR) FROM source.logged_time) AS billable,
  (SELECT string_agg(DISTINCT date, ' ' ORDER BY date) FROM source.logged_time) AS days,
  (SELECT string_agg(name, ', ' ORDER BY name) FROM source.people) AS people,
  (SELECT string_agg(name, ', ' ORDER BY name) FROM source.projects) AS projects,
  (SELECT count(*) FROM source.rejected) AS "setAside",
  COALESCE(
    (SELECT sum(cost) FROM source.project_expenses),
    (SELECT sum(hours * date_diff('day', start_date, end_date + 1)) FROM source.timeoffs),
    (SELECT sum(default_hourly_rate) FROM source.people)) AS other`;

/** Loads files by their proposed mapping alone, and returns their totals; other is their expenses, time off or rates. */
export const loadProposed = (files: Files) =>
  withDirectory(files, async (directory) => {
    const mapping = parseMapping(await suggestMapping(directory, inputResources), 'mapping.yaml', inputResources);
    const database = await openDatabase(':memory:');
    try {
      await ingestDirectory(database, directory, { mapping });
      const [row] = await database.rows(TOTALS);
      return { ...row, other: row?.['other'] == null ? null : Number(row['other']) };
    } finally {
      await database.close();
    }
  });

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
