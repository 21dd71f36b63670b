import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runReport } from '../run/run.ts';
import { type KeptTable, keepRows } from './kept-rows.ts';
import { rankStanding, readStandings, type Standing } from './standings.ts';
import type { WorkbookQueries } from './workbook-reports.ts';

/** The tables of a workbook that are read before its file begins, because reading may fail. */
export interface WorkbookTables {
  readonly byQuery: ReadonlyMap<Query, KeptTable>;
  /** By project id; undefined if the rows are no projects. */
  readonly standings: ReadonlyMap<string, Standing> | undefined;
}

/** Reads all tables of a workbook but its lines and findings, which stream. */
export async function readTables(
  context: ReportContext,
  { main, months, nested, bridge, earned, further }: WorkbookQueries,
): Promise<WorkbookTables> {
  const own = await runReport(context, main);
  const standings = await readStandings(context, main, own.columns);
  const rankOf = (id: string) => rankStanding(standings?.get(id));
  const isListed = main.selection.report.relation !== undefined;
  const kept = isListed ? { table: own, rows: [] } : await keepRows(context, main, own, standings ? { rankOf } : {});
  const byQuery = new Map([[main, kept]]);
  for (const each of [months, nested, bridge, earned, ...further]) {
    if (!each || byQuery.has(each)) continue;
    const needed = further.includes(each) ? each.selection.report.only_with : undefined;
    byQuery.set(each, await keepRows(context, each, await runReport(context, each), { needed }));
  }
  return { byQuery, standings };
}
