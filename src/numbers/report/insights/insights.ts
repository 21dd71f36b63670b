/*
 * Sentences about the rows of a report, made from exact numbers by the rules in reports/catalogue/insights.yaml.
 * `row-measures`, `largest-parts`, `budget-days`, `timesheets`, `internal-work`, `fees-to-come`, `waiting-work`, `retainer-facts` and `estimates` read the values, each by one or two statements for all rows.
 * `condition` decides, `sentences` fills in the words, `portfolio` puts the rows in order; the status of a row is derived here alone.
 * Other parts import this file.
 */
import type { Value } from '../../../base/database/index.ts';
import { inPieces, inTurns } from '../../../base/index.ts';
import type { Insight, PortfolioInsights, RowInsights, RowKeys, RowStatus } from '../catalogue/insight.ts';
import { SEVERITIES } from '../catalogue/insight-rule.ts';
import type { Table } from '../catalogue/table.ts';
import { present } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runReport } from '../run/run.ts';
import { addBudgetDays } from './budget-days.ts';
import { addEstimates } from './estimates.ts';
import { addFeesToCome } from './fees-to-come.ts';
import { addInternalWork, sumInternalWork } from './internal-work.ts';
import { addLargestParts } from './largest-parts.ts';
import { summarize } from './portfolio.ts';
import { addRetainers } from './retainer-facts.ts';
import { keyColumnsOf, type ToldRow, type ToldRows } from './row-facts.ts';
import { readRowMeasures } from './row-measures.ts';
import { makeSayer, type SizedInsight } from './sentences.ts';
import { addTimesheets } from './timesheets.ts';
import { addWaitingWork } from './waiting-work.ts';

/** A row of a report, and what is said about it. */
export interface ToldInsights extends RowInsights {
  readonly keys: RowKeys;
  readonly label: string;
  /** The place of the row among those with sentences, worst first, from 1; undefined without one. */
  readonly rank: number | undefined;
  /** The sentence with the most money at stake that decides a status, and that money; undefined without one. */
  readonly costliest: { readonly text: string; readonly stake: string } | undefined;
  readonly facts: ToldRow['facts'];
}

export interface Insights {
  /** All rows, in the order of the report. */
  readonly rows: readonly ToldInsights[];
  readonly portfolio: PortfolioInsights;
  /** Returns what is said about the row with the values of the key columns: project_id, and phase_id in the report phases. */
  find(keys: readonly Value[]): RowInsights;
}

/** The functions that add the facts of rows beside their measures. */
const ADDERS = [
  addLargestParts,
  addBudgetDays,
  addTimesheets,
  addInternalWork,
  addFeesToCome,
  addWaitingWork,
  addRetainers,
  addEstimates,
];

const NOTHING: RowInsights = { insights: [], status: null };

/**
 * Reads what is to be said about each row of the report projects or phases, whatever columns and page the query shows.
 * Readers without the scope rates have a catalogue without the sentences that reveal a cost.
 */
export async function readInsights(context: ReportContext, query: Query): Promise<Insights> {
  const rows = await readRowMeasures(context, query);
  for (const add of ADDERS) await add(context, query, rows);
  const { currency, minorUnits } = context.company;
  const { insights } = query.selection.catalogue;
  const rules = [...insights.rules.values()];
  const sayers = rules.map((rule) => makeSayer(rule, minorUnits));
  const said = new Map<ToldRow, RowInsights>();
  const bySentence = new Map<Insight, SizedInsight>();
  for (const row of rows.all) {
    const sized = sayers.flatMap((say) => say(row.facts));
    for (const each of sized) bySentence.set(each.insight, each);
    said.set(row, judgeRow(sized.map(({ insight }) => insight)));
  }
  const { portfolio, ranks } = summarize(rules, said, bySentence);
  const all = sumInternalWork(query, rows, currency);
  const overall = [...insights.overall.values()].flatMap((rule) => makeSayer(rule, minorUnits)(all));
  return {
    rows: rows.all.map((row) => {
      const told = said.get(row) ?? NOTHING;
      return { ...row, rank: ranks.get(row), costliest: costliestOf(told, bySentence), ...told };
    }),
    portfolio: { ...portfolio, overall: overall.map(({ insight }) => insight) },
    find: findIn(rows, said),
  };
}

function costliestOf({ insights }: RowInsights, sized: ReadonlyMap<Insight, SizedInsight>) {
  const [found] = insights
    .filter(({ severity }) => severity !== 'notice')
    .flatMap((insight) => sized.get(insight) ?? [])
    .filter(({ stake }) => !stake.isZero())
    .sort((a, b) => b.stake.comparedTo(a.stake));
  return found && { text: found.insight.text, stake: found.stake.toFixed() };
}

function findIn(rows: ToldRows, said: ReadonlyMap<ToldRow, RowInsights>) {
  return (keys: readonly Value[]): RowInsights => {
    const row = rows.find(keys);
    return (row && said.get(row)) ?? NOTHING;
  };
}

/** Orders the sentences of a row, gravest first, and derives its status. A row is on plan if nothing else is said. */
function judgeRow(all: readonly Insight[]): RowInsights {
  const others = all.filter(({ severity }) => severity !== 'on_plan');
  const kept = others.length > 0 ? others : all;
  const insights = SEVERITIES.flatMap((severity) => kept.filter((insight) => insight.severity === severity));
  const [worst] = insights;
  return { insights, status: worst ? statusOf(worst) : null };
}

function statusOf({ rule, severity, text }: Insight): RowStatus | null {
  return severity === 'notice' ? null : { status: severity, rule, text };
}

/** Runs a query, and adds what is to be said about its rows if it asks for that. @throws AppError as runReport does. */
export async function runTold(context: ReportContext, query: Query): Promise<Table> {
  const { fields, hasInsights } = query.presentation;
  if (!hasInsights) return runReport(context, query);
  const keyColumns = keyColumnsOf(query);
  const whole = fields ? present(query, { fields: [...new Set([...fields, ...keyColumns])] }) : query;
  const table = await runReport(context, whole);
  const { portfolio, find } = await readInsights(context, query);
  const places = keyColumns.map((name) => table.columns.findIndex((column) => column.name === name));
  const isShown = table.columns.map(({ name }) => !fields || fields.includes(name) || !keyColumns.includes(name));
  const pick = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => isShown[index]);
  const said = new Map<readonly Value[], RowInsights>();
  for await (const chunk of table.rows) {
    for (const row of chunk) said.set(pick(row), find(places.map((place) => row[place] ?? null)));
  }
  return {
    ...table,
    columns: pick(table.columns),
    rows: inTurns(inPieces([...said.keys()])),
    totals: table.totals && pick(table.totals),
    insightsOf: (row) => said.get(row) ?? NOTHING,
    meta: { ...table.meta, insights: portfolio },
  };
}
