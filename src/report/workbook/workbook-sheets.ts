import { derivationFinder } from '../explain/derivation.ts';
import type { Query } from '../request/query.ts';
import { inChunks, type ReportContext } from '../run/context.ts';
import { runReport } from '../run/run.ts';
import { queryChangedLines } from './change-bridges.ts';
import { notesOnIndexes } from './earned-sheet.ts';
import { keyColumns, keyMeasures } from './key-columns.ts';
import { addColumns, COMMENT, linkedColumns, standingColumns } from './workbook-columns.ts';
import type { WorkbookQueries } from './workbook-reports.ts';
import type { Sheet, SheetLayout, SheetRole, SheetTable } from './workbook-sheet.ts';
import type { WorkbookTables } from './workbook-tables.ts';

/**
 * Returns the sheets of a workbook in their order.
 * @param query The request, which may name columns.
 * @param comments By project id; undefined for no column of comments.
 */
export function sheetsOf(
  context: ReportContext,
  query: Query,
  queries: WorkbookQueries,
  { byQuery, standings }: WorkbookTables,
  comments: ReadonlyMap<string, string> | undefined,
): Sheet[] {
  const { main, nested, months, bridge, earned, lines, quality, further } = queries;
  const open = async (of: Query): Promise<SheetTable> => {
    const table = byQuery.get(of)?.table ?? (await runReport(context, of));
    return { table, derivations: table.columns.map(derivationFinder(of)) };
  };
  const sheet = (name: string, role: SheetRole, of: Query, layout: SheetLayout = {}): Sheet => ({
    name,
    role,
    layout,
    open: () => open(of),
  });
  const labelOf = ({ selection: { report } }: Query) => report.label;
  const columns = byQuery.get(main)?.table.columns ?? [];
  const linked = linkedColumns(columns, [
    ...(nested ? [labelOf(nested)] : []),
    ...(queries.isByProject ? ['Data'] : []),
  ]);
  const judged = standings ? standingColumns(columns) : [];
  const added = [...judged, ...(comments ? [COMMENT] : [])].map(({ name }) => name);
  const layout = (of: Query): SheetLayout => {
    const wanted = keyColumns(of, byQuery.get(of)?.table.columns ?? []);
    const shown = [...(wanted ?? []), ...added, ...linked.map(({ column }) => column)];
    return wanted && !query.presentation.fields ? { wanted: shown } : {};
  };
  const grouped = linked.length > 0 ? { groupedBy: 'project_id' } : {};
  const ownLayout = { ...layout(main), linked, written: COMMENT.name };
  const own: Sheet = {
    ...sheet(queries.ownSheet, 'report', main, ownLayout),
    open: async () => addColumns(await open(main), { judged, standings, linked, comments }),
  };
  const groups: Sheet = {
    ...sheet('Subtotals', 'subtotals', main, layout(main)),
    open: async () => {
      const { table, derivations } = await open(main);
      return { table: { ...table, rows: inChunks([byQuery.get(main)?.rows ?? []]) }, derivations };
    },
  };
  const changed = queryChangedLines(main);
  const monthly = query.presentation.fields ? {} : { wanted: ['month', ...keyMeasures(query)] };
  return [
    ...(main.selection.report.relation ? [] : [own]),
    ...(main.grouping.hasSubtotals ? [groups] : []),
    ...(nested ? [sheet(labelOf(nested), 'report', nested, { ...layout(nested), ...grouped })] : []),
    ...further.map((each) => sheet(labelOf(each), 'report', each, layout(each))),
    ...(months ? [sheet('Months', 'months', months, monthly)] : []),
    ...(bridge ? [sheet(labelOf(bridge), 'bridge', bridge)] : []),
    ...(earned ? [{ ...sheet(labelOf(earned), 'earned', earned), open: () => openEarned(open, earned) }] : []),
    ...(changed ? [{ ...sheet(labelOf(changed), 'changed', changed), open: () => openChanged(open, changed) }] : []),
    ...(lines ? [sheet('Data', 'data', lines, queries.isByProject ? grouped : {})] : []),
    sheet('Data quality', 'quality', quality),
  ];
}

/** Opens earned value with notes on what its indexes don't say. */
async function openEarned(open: (of: Query) => Promise<SheetTable>, earned: Query): Promise<SheetTable> {
  const { table, derivations } = await open(earned);
  return {
    table: { ...table, meta: { ...table.meta, notes: [...table.meta.notes, ...notesOnIndexes(earned)] } },
    derivations,
  };
}

/** Opens the lines behind one difference, whose sum is a total of the report beside others. */
async function openChanged(open: (of: Query) => Promise<SheetTable>, changed: Query): Promise<SheetTable> {
  const { table, derivations } = await open(changed);
  const [measure] = changed.grouping.measures;
  const note = `${table.label} has the lines behind the difference of ${measure?.label}.`;
  return { table: { ...table, totals: undefined, meta: { ...table.meta, notes: [note] } }, derivations };
}
