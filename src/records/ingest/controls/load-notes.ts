import { type Database, quoteText } from '../../../base/database/index.ts';
import type { Resource } from '../../resource/resource.ts';
import type { InputFile } from '../reading/files.ts';
import type { LoadCounts } from '../records/loading.ts';
import type { ControlTotals } from './file-totals.ts';

/** The kinds of names that a load notes, besides unknown fields. */
export type NoteKind = 'ignored file' | 'encoding' | 'conflict' | 'near name' | 'found name';

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
  // Their rows became parts of other records.
  for (const { number, read } of controls.filter(({ sums }) => sums))
    await database.run(`UPDATE input_files SET records = ${read} WHERE number = ${number}`);
  await database.run(`
    CREATE TABLE source.load_counts AS
    FROM (VALUES ${rows.join(',\n      ')})
      AS t (resource, files, read, loaded, set_aside, duplicates, items_set_aside, rounded_values);
    CREATE TABLE source.files AS
    SELECT number, name AS file, resource, bytes, records, CAST([${inOrder.join(', ')}] AS VARCHAR[])[number] AS sha256,
      totals.* EXCLUDE (number)
    FROM input_files
    LEFT JOIN (${selectTotals(controls)}) AS totals USING (number)
    ORDER BY number;
    DROP TABLE input_files;
    DROP TABLE line_origins;
    DROP TABLE record_keys;`);
}

/** The columns of control totals with their types, and their values as SQL. */
const TOTALS: Readonly<Record<string, readonly [type: string, textIn: (totals: ControlTotals) => string]>> = {
  number: ['BIGINT', ({ number }) => String(number)],
  left_out: ['BIGINT', ({ leftOut }) => String(leftOut.reduce((sum, { rows }) => sum + rows, 0))],
  set_aside: ['BIGINT', ({ setAside }) => String(setAside)],
  duplicates: ['BIGINT', ({ duplicates }) => String(duplicates)],
  hours: ['DECIMAL(38, 6)', ({ hours }) => textOf(hours)],
  billable_hours: ['DECIMAL(38, 6)', ({ billableHours }) => textOf(billableHours)],
  fees: ['DECIMAL(38, 4)', ({ fees }) => textOf(fees)],
  cost: ['DECIMAL(38, 4)', ({ cost }) => textOf(cost)],
  first_day: ['DATE', ({ firstDay }) => textOf(firstDay)],
  last_day: ['DATE', ({ lastDay }) => textOf(lastDay)],
  people: ['BIGINT', ({ people }) => String(people ?? 'NULL')],
  projects: ['BIGINT', ({ projects }) => String(projects ?? 'NULL')],
  own_hours: ['DECIMAL(38, 6)', (totals) => ownTotal(totals, 'hours')],
  own_fees: ['DECIMAL(38, 4)', (totals) => ownTotal(totals, 'fees')],
  own_cost: ['DECIMAL(38, 4)', (totals) => ownTotal(totals, 'cost')],
};

function selectTotals(controls: readonly ControlTotals[]): string {
  const columns = Object.entries(TOTALS);
  const rows = controls.map((totals) => columns.map(([, [, textIn]]) => textIn(totals)));
  const nothing = columns.map(() => 'NULL');
  return `SELECT ${columns.map(([name, [type]]) => `CAST(${name} AS ${type}) AS ${name}`).join(', ')}
    FROM (VALUES ${[nothing, ...rows].map((row) => `(${row.join(', ')})`).join(', ')}) AS listed(${columns.map(([name]) => name).join(', ')})
    WHERE number IS NOT NULL`;
}

/** Returns a total that a file has itself: that of its total row, or else of a column. */
function ownTotal({ own }: ControlTotals, name: string): string {
  const found = own.filter((each) => each.name === name);
  return textOf((found.find(({ place }) => place === 'row') ?? found[0])?.total ?? null);
}

function textOf(value: string | null): string {
  return value === null ? 'NULL' : quoteText(value);
}

/** The names that one statement stores. Unit: names. */
const NAMES_AT_ONCE = 1_000;

/** Stores names of one kind that the summary of a load tells. */
export async function noteNames(database: Database, kind: NoteKind, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const rows = names.slice(at, at + NAMES_AT_ONCE).map((name) => `(${quoteText(kind)}, NULL, ${quoteText(name)})`);
    await database.run(`INSERT INTO source.load_notes VALUES ${rows.join(', ')}`);
  }
}
