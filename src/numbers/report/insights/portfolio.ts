import { Exact } from '../../../base/index.ts';
import type { Insight, PlacedInsight, PortfolioInsights, RowInsights } from '../catalogue/insight.ts';
import { type Rule, SEVERITIES } from '../catalogue/insight-rule.ts';
import type { ToldRow } from './row-facts.ts';
import type { SizedInsight } from './sentences.ts';

/** The most sentences about a whole report. Unit: sentences. */
export const MAX_WORST_INSIGHTS = 20;

/**
 * Counts the rows of a report by their status, and puts the sentences about them in order, worst first: by severity, by the money at stake,
 * by the order of the rules, and by the size of what a sentence is about.
 */
export function summarize(
  rules: readonly Rule[],
  said: ReadonlyMap<ToldRow, RowInsights>,
  sized: ReadonlyMap<Insight, SizedInsight>,
): RankedPortfolio {
  const statuses = { over: 0, at_risk: 0, on_plan: 0, none: 0 };
  for (const { status } of said.values()) statuses[status?.status ?? 'none'] += 1;
  const ranked = SEVERITIES.filter((severity) => severity !== 'on_plan').flatMap((severity) =>
    rules
      .filter((rule) => rule.severity === severity)
      .flatMap((rule) => placeRule(rule, said, sized))
      .sort((a, b) => b.stake.comparedTo(a.stake)),
  );
  const worst = ranked.slice(0, MAX_WORST_INSIGHTS).map(({ placed }) => placed);
  const rows = [...new Set(ranked.map(({ row }) => row))];
  const ranks = new Map(rows.map((row, index) => [row, index + 1]));
  return { portfolio: { statuses, count: ranked.length, worst }, ranks };
}

/** The sentences about a whole report, and the places of its rows in their order, from 1; none for rows on plan. */
interface RankedPortfolio {
  readonly portfolio: Omit<PortfolioInsights, 'overall'>;
  readonly ranks: ReadonlyMap<ToldRow, number>;
}

interface Ranked extends Pick<SizedInsight, 'stake'> {
  readonly row: ToldRow;
  readonly placed: PlacedInsight;
}

/** Returns the sentences of a rule about all rows, largest first. */
function placeRule(
  { name }: Rule,
  said: ReadonlyMap<ToldRow, RowInsights>,
  sized: ReadonlyMap<Insight, SizedInsight>,
): Ranked[] {
  const none = { size: new Exact(0), stake: new Exact(0) };
  return [...said]
    .flatMap(([row, { insights }]) =>
      insights
        .filter(({ rule }) => rule === name)
        .map((insight) => ({ row, insight, ...(sized.get(insight) ?? none) })),
    )
    .sort((a, b) => b.size.comparedTo(a.size))
    .map(({ row, insight, stake }) => ({ row, placed: { row: row.keys, label: row.label, ...insight }, stake }));
}
