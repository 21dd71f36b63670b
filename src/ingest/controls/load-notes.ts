import { type Database, quoteText } from '../../database/database.ts';
import type { Resource } from '../../resource/resource.ts';
import type { InputFile } from '../reading/files.ts';
import type { LoadCounts } from '../records/loading.ts';
import type { ControlTotals } from './file-totals.ts';

/** The kinds of names that a load notes, besides unknown fields. */
export type NoteKind = 'ignored file' | 'encoding' | 'conflict';

/** Stores the files of a load before their records, which add their counts. */
export async function noteFiles(database: Database, files: readonly InputFile[]): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(({ number, name, resource, bytes }) => {
    return `(${number}, ${quoteText(name)}, ${quoteText(resource)}, ${bytes})`;
  });
  await database.run(`INSERT INTO input_files (number, name, resource, bytes) VALUES ${rows.join(', ')}`);
}

/** Stores the counts of a load by resource, and its files with their records, digests and control totals. */
export async function noteCounts(
  database: Database,
  files: readonly InputFile[],
  hashes: ReadonlyMap<number, string>,
  counts: readonly (readonly [Resource, LoadCounts])[],
  controls: readonly ControlTotals[],
): Promise<void> {
  const rows = counts.map(([{ name }, { read, loaded, setAside, duplicates, itemsSetAside, roundedValues }]) => {
    const fileCount = `(SELECT count(*) FROM input_files WHERE resource = ${quoteText(name)})`;
    return `(${quoteText(name)}, ${fileCount}, ${read}, ${loaded}, ${setAside}, ${duplicates}, ${itemsSetAside}, ${roundedValues})`;
  });
  const inOrder = files.map(({ number }) => {
    const hash = hashes.get(number);
    return hash === undefined ? 'NULL' : quoteText(hash);
  });
  await database.run(`
    CREATE TABLE source.load_counts AS
    FROM (VALUES ${rows.join(',\n      ')})
      AS t (resource, files, read, loaded, set_aside, duplicates, items_set_aside, rounded_values);
    CREATE TABLE source.files AS
    SELECT name AS file, resource, bytes, records, CAST([${inOrder.join(', ')}] AS VARCHAR[])[number] AS sha256,
      hours, billable_hours, cost, first_day, last_day, people, projects
    FROM input_files
    LEFT JOIN (${selectTotals(controls)}) AS totals USING (number)
    ORDER BY number;
    DROP TABLE input_files;
    DROP TABLE record_keys;`);
}

/** Selects the control totals by the number of their file. */
function selectTotals(controls: readonly ControlTotals[]): string {
  const text = (value: string | null) => (value === null ? 'NULL' : quoteText(value));
  const rows = controls.map(({ number, hours, billableHours, cost, firstDay, lastDay, people, projects }) =>
    [number, ...[hours, billableHours, cost, firstDay, lastDay].map(text), people ?? 'NULL', projects ?? 'NULL'].join(
      ', ',
    ),
  );
  const columns = 'number, hours, billable_hours, cost, first_day, last_day, people, projects';
  const nothing = 'NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL';
  return `SELECT CAST(number AS BIGINT) AS number, CAST(hours AS DECIMAL(38, 6)) AS hours, CAST(billable_hours AS DECIMAL(38, 6)) AS billable_hours,
      CAST(cost AS DECIMAL(38, 4)) AS cost, CAST(first_day AS DATE) AS first_day, CAST(last_day AS DATE) AS last_day,
      CAST(people AS BIGINT) AS people, CAST(projects AS BIGINT) AS projects
    FROM (VALUES ${[nothing, ...rows].map((row) => `(${row})`).join(', ')}) AS listed(${columns})
    WHERE number IS NOT NULL`;
}

/** Stores names of one kind that the summary of a load tells. */
export async function noteNames(database: Database, kind: NoteKind, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const rows = names.map((name) => `(${quoteText(kind)}, NULL, ${quoteText(name)})`);
  await database.run(`INSERT INTO source.load_notes VALUES ${rows.join(', ')}`);
}
