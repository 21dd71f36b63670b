import { thresholdsOf } from '../catalogue/insight-rule.ts';
import type { ReportContext } from '../run/context.ts';
import { notePlanHorizon } from '../run/meta-notes.ts';
import { stateSource } from '../source/state-source.ts';
import { readApart } from './apart-totals.ts';
import type { ReadFact } from './block-words.ts';
import { changeBridges, effectBridge } from './bridge-facts.ts';
import { readComparisons } from './comparisons.ts';
import { readEstimatedCauses } from './estimated-causes.ts';
import { figureFacts } from './figure-facts.ts';
import { readLists } from './list-blocks.ts';
import type { BookPlan } from './plan-book.ts';
import type { ReadBook } from './read-book.ts';
import type { CoverFacts } from './workbook-cover.ts';

/** Reads what a summary tells beside the totals of its report. */
export async function readFacts(context: ReportContext, plan: BookPlan, book: ReadBook): Promise<CoverFacts> {
  const { main } = plan;
  const [months, quality, bridge] = ['months', 'quality', 'bridge'].map((key) =>
    book.sheets.find(({ definition }) => definition.name === key),
  );
  const { currency } = context.company;
  const { columns = [], totals = [] } = months?.kept?.table ?? {};
  const values = new Map(columns.map(({ name }, index) => [name, totals[index] ?? null]));
  // A report that lists has no totals, so the months have them; a comparison has neither.
  const { relation, compares } = main.selection.report;
  const summed = relation || compares ? months?.query : main;
  const causes = await readEstimatedCauses(context, quality?.query ?? main, values);
  const given = { context, plan, book, causes: causes.all, months: months?.query, summed };
  const hours = await readCompanyHours(context, plan);
  const named = new Map([
    ['currency', currency],
    ['company_hours', hours],
    ...thresholdsOf(main.selection.catalogue.insights),
  ]);
  const shared: ReadFact = (name) => named.get(name) ?? causes.averages.get(name.replace('average.', '')) ?? null;
  const apart = summed && (await readApart(context, summed));
  return {
    comparisons: summed ? await readComparisons(context, summed, book.sheets) : [],
    figures: figureFacts(summed ?? main, values, apart),
    horizon: summed ? await notePlanHorizon(context, summed) : [],
    causes: causes.all,
    lists: await readLists(given, shared),
    changes: changeBridges(main, book.own, currency),
    effects: bridge?.kept && effectBridge(bridge, bridge.kept.table, currency),
  };
}

/** Reads the hours of somebody with the company's own hours in the window. */
async function readCompanyHours({ database }: ReportContext, { main: { selection } }: BookPlan): Promise<string> {
  const [row] = await database.rows<{ hours: string | null }>(
    `SELECT SUM(pl_hours_on(settings.week_hours, pl_add_days(CAST($1 AS DATE), series.day))) AS hours
     FROM ${stateSource(selection).relation('settings')} AS settings
     CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(CAST($1 AS DATE), CAST($2 AS DATE)))) AS series (day)`,
    [selection.startDate, selection.endDate],
  );
  return row?.hours ?? '0';
}
