import type { Value } from '../../base/database/index.ts';
import { escapeLine } from '../../base/index.ts';
import type { Table } from '../report/catalogue/table.ts';
import type { PreviewTables } from '../report/preview/preview.ts';
import { describeChecks, describeMeta } from './describe-meta.ts';
import { writeTable } from './formats.ts';
import { rowFormatter } from './nested.ts';
import { formatTotals } from './row-statements.ts';
import type { DecimalStyle } from './value-text.ts';

const STATES = ['before', 'after', 'changes'] as const;

/**
 * Writes `{"preview": {"before": [rows], "after": [rows], "changes": [rows], "totals": {...}}, "meta": {...}}`, with each row
 * on a line. The totals are by the same names.
 */
export async function* writePreviewJson(
  tables: PreviewTables,
  notes: readonly string[],
  decimals: DecimalStyle = 'number',
): AsyncIterable<string> {
  yield '{"preview":{';
  for (const state of STATES) {
    yield `${state === 'before' ? '' : ',\n'}"${state}":[`;
    const format = rowFormatter(tables[state], decimals);
    let separator = '\n';
    for await (const rows of tables[state].rows) {
      for (const row of rows) {
        yield `${separator}${format(row)}`;
        separator = ',\n';
      }
    }
    yield '\n]';
  }
  const totals = STATES.map((state) => `"${state}":${formatTotals(tables[state], decimals) ?? 'null'}`);
  yield `,\n"totals":{${totals.join(',\n')}}},\n"meta":${JSON.stringify(describePreview(tables, notes))}}\n`;
}

/**
 * Describes a preview as JSON values: the report before the changes, and the bridge.
 * @param notes Sentences about the changes.
 */
export function describePreview({ before, after, changes }: PreviewTables, notes: readonly string[]): object {
  const all = [before, after, changes].map(({ meta }) => meta);
  return {
    ...describeMeta(before),
    notes: [...new Set([...notes, ...all.flatMap((meta) => meta.notes)])],
    checks: describeChecks(all.flatMap(({ checks }) => checks)),
    bridge: describeMeta(changes, 'short'),
  };
}

/**
 * Writes the three tables below each other, for a terminal; of the differences only those that aren't 0.
 * @param columnsOf Returns the names of the columns that are shown of a table of the report.
 */
export async function* writePreviewText(
  { before, after, changes }: PreviewTables,
  notes: readonly string[],
  columnsOf: (table: Table) => readonly string[],
): AsyncIterable<string | Uint8Array> {
  yield 'Before\n\n';
  yield* writeTable('table', await pickColumns(before, columnsOf(before)));
  yield '\nAfter\n\n';
  yield* writeTable('table', await pickColumns(after, columnsOf(after)));
  yield '\nDifferences by cause\n\n';
  yield* writeTable('table', await leaveOutZeros(changes));
  for (const note of notes) yield `${escapeLine(note)}\n`;
}

async function pickColumns(table: Table, names: readonly string[]): Promise<Table> {
  const isPicked = table.columns.map(({ name }) => names.includes(name));
  const pick = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => isPicked[index]);
  const { insightsOf: _, ...shown } = table;
  return {
    ...shown,
    columns: pick(table.columns),
    rows: inOneChunk((await readRows(table)).map(pick)),
    totals: table.totals && pick(table.totals),
    ...(table.totalRows && { totalRows: table.totalRows.map(pick) }),
  };
}

/** The last column of a bridge before the difference and its causes. */
const LAST_VALUE = 'value_now';

/** Returns a bridge without the rows and the causes in which nothing differs. */
export async function leaveOutZeros(table: Table): Promise<Table> {
  const { columns } = table;
  const first = columns.findIndex(({ name }) => name === LAST_VALUE) + 1;
  const isOther = (value: Value | undefined) => Number(value ?? 0) !== 0;
  const rows = (await readRows(table)).filter((row) => row.slice(first).some(isOther));
  const names = columns
    .filter((_, index) => index <= first || rows.some((row) => isOther(row[index])))
    .map(({ name }) => name);
  return pickColumns({ ...table, rows: inOneChunk(rows) }, names);
}

async function readRows(table: Table): Promise<(readonly Value[])[]> {
  const all: (readonly Value[])[] = [];
  for await (const rows of table.rows) all.push(...rows);
  return all;
}

async function* inOneChunk<Row>(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}
