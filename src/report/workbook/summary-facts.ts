import type { ReportContext } from '../run/context.ts';
import { changeBridges, effectBridge } from './bridge-facts.ts';
import { budgetTotals, feesBeyondBudgets } from './budget-totals.ts';
import { readClientProfits } from './client-profits.ts';
import { readComparisons } from './comparisons.ts';
import { readEstimatedCauses } from './estimated-causes.ts';
import { figureFacts } from './figure-facts.ts';
import { largestOverruns } from './overruns.ts';
import type { BookPlan } from './plan-book.ts';
import type { ReadBook } from './read-book.ts';
import { readStaff } from './staff.ts';
import { placeStandings } from './standings.ts';
import type { CoverFacts } from './workbook-cover.ts';

/** Reads what a summary tells beside the totals of its report. */
export async function readFacts(
  context: ReportContext,
  { main }: BookPlan,
  { own, sheets, standings }: ReadBook,
): Promise<CoverFacts> {
  const sheetOf = (key: string) => sheets.find(({ definition }) => definition.name === key);
  const [months, quality, bridge] = ['months', 'quality', 'bridge'].map(sheetOf);
  const { minorUnits, currency } = context.company;
  const beyond = feesBeyondBudgets(main, own.table.columns, own.rows);
  const { columns = [], totals = [] } = months?.kept?.table ?? {};
  const values = new Map(columns.map(({ name }, index) => [name, totals[index] ?? null]));
  // A report that lists has no totals, so the months have them; a comparison has neither.
  const { relation, compares } = main.selection.report;
  const summed = relation || compares ? months?.query : main;
  return {
    comparisons: summed ? await readComparisons(context, summed) : [],
    figures: figureFacts(summed ?? main, values, beyond, minorUnits),
    overruns: largestOverruns(main, own.table.columns, own.rows),
    budgets: budgetTotals(main, own.table.columns, own.rows),
    causes: await readEstimatedCauses(context, quality?.query ?? main, values),
    clients: months ? await readClientProfits(context, months.query) : { most: [], least: [] },
    changes: changeBridges(main, own.table, currency),
    effects: bridge?.kept && effectBridge(bridge, bridge.kept.table, currency),
    standings: placeStandings(standings, own.table.columns, own.rows),
    staff: summed ? await readStaff(context, summed) : undefined,
  };
}
