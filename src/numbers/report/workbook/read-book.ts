import { inPieces } from '../../../base/index.ts';
import { derivationFinder } from '../explain/derivation.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runReport } from '../run/run.ts';
import { addColumns } from './added-columns.ts';
import type { Sheet, SheetTable } from './book-sheet.ts';
import { type KeptTable, keepRows } from './kept-rows.ts';
import type { BookPlan, ReadSheet } from './plan-book.ts';
import { layoutsOf } from './sheet-layouts.ts';
import { rankStanding, readStandings, type Standings } from './standings.ts';

/** The sheets of a workbook as they are read before its file begins, because reading may fail. */
export interface ReadBook {
  /** The table of the workbook's own report. */
  readonly own: KeptTable;
  readonly sheets: readonly ReadSheet[];
  /** The standings of projects; undefined for other rows. */
  readonly standings: Standings | undefined;
}

/** Reads all tables of a workbook but its lines and findings, which stream. */
export async function readBook(context: ReportContext, { main, sheets: planned }: BookPlan): Promise<ReadBook> {
  const table = await runReport(context, main);
  const standings = await readStandings(context, main, table.columns);
  const rankOf = (id: string) => rankStanding(standings?.byProject.get(id));
  const own = isListed(main) ? { table, rows: [] } : await keepRows(context, main, table, standings ? { rankOf } : {});
  const sheets: ReadSheet[] = [];
  for (const sheet of planned) {
    const { definition, query, isOwn } = sheet;
    const streams = isListed(query) || definition.when === 'differences';
    const needed = definition.report === 'further' ? query.selection.report.only_with : undefined;
    const read = async () => keepRows(context, query, await runReport(context, query), { needed });
    const kept = isOwn ? own : streams ? undefined : await read();
    if (!definition.window || kept?.rows.length) sheets.push({ ...sheet, kept });
  }
  return { own, sheets, standings };
}

/** Tests whether the rows of a query are listed, and stream. */
function isListed({ selection: { report } }: Query): boolean {
  return report.relation !== undefined;
}

/**
 * Returns the sheets of a workbook in their order.
 * @param query The request, which may name columns.
 * @param comments By project id; undefined for no column of comments.
 */
export function sheetsOf(
  context: ReportContext,
  query: Query,
  plan: BookPlan,
  { sheets, standings }: ReadBook,
  comments: ReadonlyMap<string, string> | undefined,
): Sheet[] {
  return layoutsOf(query, plan, sheets, { standings: standings?.byProject, comments }).map(
    ({ sheet, layout, added }): Sheet => {
      const open = () => openSheet(context, sheet);
      const { name, definition } = sheet;
      return { key: definition.name, name, layout, open: added ? async () => addColumns(await open(), added) : open };
    },
  );
}

async function openSheet(context: ReportContext, { definition, name, query, kept }: ReadSheet): Promise<SheetTable> {
  const read = kept?.table ?? (await runReport(context, query));
  const table = kept && !isListed(query) ? { ...read, rows: inPieces(kept.rows) } : read;
  const derivations = table.columns.map(derivationFinder(query));
  if (!definition.notes) return { table, derivations };
  const notes = definition.notes
    .filter(({ if: needed = {} }) => Object.entries(needed).every(([key, value]) => parameterOf(query, key) === value))
    .map(({ text }) => text.replace('{sheet}', name).replace('{measure}', query.grouping.measures[0]?.label ?? ''));
  // The sum of the lines behind one difference is a total of the report beside others.
  if (definition.when === 'differences')
    return { table: { ...table, totals: undefined, meta: { ...table.meta, notes } }, derivations };
  return { table: { ...table, meta: { ...table.meta, notes: [...table.meta.notes, ...notes] } }, derivations };
}

function parameterOf({ selection: { earned }, understood }: Query, name: string): string | undefined {
  return { earned_in: earned.earnedIn, technique: earned.technique }[name] ?? understood[name];
}
