import type { Value } from '../../database/database.ts';
import type { Nested, Table } from '../catalogue/table.ts';
import { LINK_COLUMN } from '../plan/links.ts';
import { queryOther } from '../request/parse-query.ts';
import type { Query } from '../request/query.ts';
import { readAcross } from './across.ts';
import { inChunks, metaOf, type ReportContext } from './context.ts';
import { type PlacedColumn, readSums, type Sums } from './read-sums.ts';
import { addSubtotals, type GroupedSums } from './subtotals.ts';
import { assertTies, describeTies, readTies } from './ties.ts';

/** Runs a report that sums, and checks its rows and totals against each other and the ledger. */
export async function runSummary(context: ReportContext, query: Query): Promise<Table> {
  const [sums, windowTies] = await both(readGroups(context, query), readTies(context, query));
  const ties = [...sums.ties, ...windowTies];
  assertTies(ties);
  const nested = query.isExpanded ? await readNested(context, query) : undefined;
  const rows = pageOf(query, sums.rows);
  const shown = shownColumns(query, sums.offered);
  const pick = (values: readonly Value[]): Value[] => shown.map(({ index }) => values[index] ?? null);
  return {
    name: query.report.name,
    label: query.report.label,
    columns: shown.map(({ column }) => column),
    rows: inChunks([rows.map(pick)]),
    totals: pick(sums.totals),
    nested,
    ...(sums.subtotals && {
      subtotals: sums.subtotals.map(({ values, ...subtotal }) => ({ ...subtotal, values: pick(values) })),
    }),
    meta: { ...metaOf(context, query, describeTies(ties)), row_count: sums.rows.length },
  };
}

async function readGroups(context: ReportContext, query: Query): Promise<Sums & Partial<GroupedSums>> {
  const sums = await readAcross(context, query);
  return query.hasSubtotals ? addSubtotals(context, query, sums) : sums;
}

/** Waits until both reads have settled: the database's owner may close it after an error. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}

async function readNested(context: ReportContext, query: Query): Promise<Nested | undefined> {
  const report = query.catalogue.reports.get(query.report.nested ?? '');
  if (!report) return undefined;
  const { measures, interval, includesEmpty, hasLinks } = query;
  const other = queryOther(query, report);
  const understood = { ...other.understood, ...(includesEmpty && { include_empty: '1' }) };
  const nested = { ...other, understood, measures, interval, includesEmpty, hasLinks };
  const { columns, rows, ties } = await readSums(context, nested);
  assertTies(ties);
  const by = query.interval ? ['project_id', 'period_start'] : ['project_id'];
  return { name: report.name, by, columns, rows };
}

function shownColumns({ fields }: Query, offered: readonly PlacedColumn[]): readonly PlacedColumn[] {
  if (!fields) return offered;
  const chosen = fields.flatMap((field) => offered.filter(({ column }) => (column.measure ?? column.name) === field));
  return [...new Set([...chosen, ...offered.filter(({ column }) => column === LINK_COLUMN)])];
}

function pageOf<Row>(query: Query, rows: readonly Row[]): readonly Row[] {
  if (query.perPage === undefined) return rows;
  return rows.slice((query.page - 1) * query.perPage, query.page * query.perPage);
}
