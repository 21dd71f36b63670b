import type { Value } from '../../../base/database/index.ts';
import { rowsOf } from '../../../base/index.ts';
import type { Nested, Table } from '../catalogue/table.ts';
import { LINK_COLUMN } from '../plan/links.ts';
import { queryNested } from '../request/change-query.ts';
import type { Presentation, Query } from '../request/query.ts';
import { metaOf, type ReportContext } from './context.ts';
import { noteEarnedTotals } from './earned-notes.ts';
import { noteBooked, noteRestated, noteRetainers } from './place-notes.ts';
import type { PlacedColumn } from './prepare-sums.ts';
import { readSums } from './read-sums.ts';
import { assertTies, describeTies, readTies } from './ties.ts';

/** Runs a report that sums, and checks its rows and totals against each other and the ledger. */
export async function runSummary(context: ReportContext, query: Query): Promise<Table> {
  const [sums, windowTies] = await both(readSums(context, query), readTies(context, query));
  const ties = [...sums.ties, ...windowTies];
  assertTies(ties);
  const meta = await metaOf(context, query, describeTies(ties));
  const notes = [
    ...meta.notes,
    ...(await noteEarnedTotals(context, query, sums)),
    ...noteBooked(query, sums),
    ...noteRestated(query),
    ...noteRetainers(query, sums),
  ];
  const nested = query.presentation.isExpanded ? await readNested(context, query) : undefined;
  const rows = pageOf(query.presentation, sums.rows);
  const shown = shownColumns(query.presentation, sums.offered);
  const pick = (values: readonly Value[]): Value[] => shown.map(({ index }) => values[index] ?? null);
  return {
    name: query.selection.report.name,
    label: query.selection.report.label,
    columns: shown.map(({ column }) => column),
    rows: rowsOf(rows, pick),
    totals: pick(sums.totals),
    nested,
    ...(sums.subtotals && {
      subtotals: sums.subtotals.map(({ values, ...subtotal }) => ({ ...subtotal, values: pick(values) })),
    }),
    meta: { ...meta, notes, row_count: sums.rows.length },
  };
}

/** Waits until both reads have settled: the database's owner may close it after an error. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}

async function readNested(context: ReportContext, query: Query): Promise<Nested | undefined> {
  const report = query.selection.catalogue.reports.get(query.selection.report.nested ?? '');
  if (!report) return undefined;
  const { columns, rows, ties } = await readSums(context, queryNested(query, report));
  assertTies(ties);
  const by = query.grouping.interval ? ['project_id', 'period_start'] : ['project_id'];
  return { name: report.name, by, columns, rows };
}

export function shownColumns({ fields }: Presentation, offered: readonly PlacedColumn[]): readonly PlacedColumn[] {
  if (!fields) return offered;
  const chosen = fields.flatMap((field) => offered.filter(({ column }) => (column.measure ?? column.name) === field));
  return [...new Set([...chosen, ...offered.filter(({ column }) => column === LINK_COLUMN)])];
}

export function pageOf<Row>({ page, perPage }: Presentation, rows: readonly Row[]): readonly Row[] {
  if (perPage === undefined) return rows;
  return rows.slice((page - 1) * perPage, page * perPage);
}
