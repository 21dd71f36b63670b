import type { Value } from '../../database/database.ts';
import type { Table } from '../catalogue/table.ts';
import type { ReportContext } from '../run/context.ts';
import { budgetTotals, feesBeyondBudgets } from './budget-totals.ts';
import { changeBridges } from './change-bridges.ts';
import { readClientProfits } from './client-profits.ts';
import { readComparisons } from './comparisons.ts';
import { readEstimatedCauses } from './estimated-causes.ts';
import { largestOverruns } from './overruns.ts';
import { readStaff } from './staff.ts';
import { placeStandings, type Standing } from './standings.ts';
import { unknownHours } from './unknown-hours.ts';
import type { CoverFacts } from './workbook-cover.ts';
import type { WorkbookQueries } from './workbook-reports.ts';

/** The tables of a workbook that are in memory. */
interface Read {
  readonly main: Table;
  readonly rows: readonly (readonly Value[])[];
  /** By project id; undefined if the rows are no projects. */
  readonly standings: ReadonlyMap<string, Standing> | undefined;
  /** The months, which have all measures of the report's lines. */
  readonly months: Table | undefined;
}

/** Reads what a summary tells beside the totals of its report. */
export async function readFacts(
  context: ReportContext,
  { main, months, quality }: WorkbookQueries,
  read: Read,
): Promise<CoverFacts> {
  const { columns = [], totals = [] } = read.months ?? {};
  const values = new Map(columns.map(({ name }, index) => [name, totals[index] ?? null]));
  // A report that lists has no totals, so the months have them; a comparison has neither.
  const { relation, compares } = main.selection.report;
  const summed = relation || compares ? months : main;
  return {
    comparisons: summed ? await readComparisons(context, summed) : [],
    unknown: summed ? unknownHours(summed, values) : {},
    overruns: largestOverruns(main, read.main.columns, read.rows),
    budgets: budgetTotals(main, read.main.columns, read.rows),
    feesBeyondBudgets: feesBeyondBudgets(main, read.main.columns, read.rows),
    causes: await readEstimatedCauses(context, quality, values),
    clients: months ? await readClientProfits(context, months) : { most: [], least: [] },
    changes: changeBridges(main, read.main),
    standings: placeStandings(read.standings, read.main.columns, read.rows),
    staff: summed ? await readStaff(context, summed) : undefined,
  };
}
