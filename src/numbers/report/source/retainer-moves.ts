import { periodStart } from '../catalogue/period.ts';
import type { Query } from '../request/query.ts';
import { readRule } from './fact-rules.ts';
import { askedStatusesPart } from './fee-uses.ts';
import { filterConditions } from './filter.ts';
import { isByPhase, nameFiner } from './finer-keys.ts';
import { repeatedKeys } from './lookups.ts';
import { selectPeriods } from './members.ts';
import { isInWindow } from './query-sql.ts';
import { aliased, groupBy, list } from './sql-columns.ts';
import { hasRetainers } from './state-source.ts';
import { keyNames, periodKeys, type SummaryPlan } from './summary-plan.ts';
import { sharedPart } from './whole-life.ts';
import { lineKeys } from './window-lines.ts';

/*
 * Balances of retainers by the rows of a query (T3 to T5): what marts.allowances has by the default cutoff, by the cutoff and statuses of the query.
 */

/** The rules of the lots of retainers, from the sums of their lines by day. */
const PLACES = readRule('facts/fee_places');
const USES = readRule('facts/fee_uses');
const RETAINER_USES = readRule('facts/retainer_uses');
const RETAINER_WALK = readRule('facts/retainer_walk');
const RETAINER_TAKES = readRule('facts/retainer_takes');
const ALLOWANCES = readRule('facts/allowances');

/** Says why a query has no numbers of retainers; undefined where it has. */
export function whyWithoutRetainers(query: Query): string | undefined {
  const name = nameFiner(query);
  return name && `blank by ${name}, as retainers are of projects and phases`;
}

/** Tests whether the rows of a plan may have retainers. */
export function readsRetainers({ query, source }: Pick<SummaryPlan, 'query' | 'source'>): boolean {
  return hasRetainers(source) && whyWithoutRetainers(query) === undefined;
}

/**
 * Returns the changes of balances on all days, and what is beyond them (`retainer_moves`), and each retainer with the keys of its rows
 * (`retainer_lives`). Amounts are whole units: millionths of hours, or minor units of the currency. Requires `readsRetainers`.
 */
export function retainerParts(plan: SummaryPlan): string[] {
  return [`retainer_moves AS (${selectMoves(plan)})`, `retainer_lives AS (${selectLives(plan)})`];
}

function selectMoves(plan: SummaryPlan): string {
  const { source, querySql } = plan;
  const clauses = [
    `fee_day AS (SELECT FALSE AS is_plan, ${querySql.cutoff} AS cutoff_date, ${querySql.today} AS today)`,
    askedStatusesPart(querySql),
    `life_lines AS (
    SELECT kind, CAST(NULL AS VARCHAR) AS line_id, date, date AS last_date, project_id, phase_id, task_meta_id, status, billable, hours, fee
    FROM ${source.alone.relation('retainer_days')}
  )`,
    `placed_lines AS (${PLACES(source)})`,
    `retained_lines AS (SELECT * FROM (${USES(source)}) AS uses WHERE is_retained)`,
    `retainer_uses AS (${RETAINER_USES(source)})`,
    `retainer_walk AS (${RETAINER_WALK(source)})`,
    `retainer_takes AS (${RETAINER_TAKES(source)})`,
    `allowances AS (${ALLOWANCES(source)})`,
  ];
  return sharedPart(
    plan,
    `WITH ${clauses.join(',\n  ')}
  SELECT allowance_id, retainer_id, project_id, phase_key AS phase_id, date, kind, unit, minor_units, units FROM allowances
  UNION ALL
  SELECT CONCAT('r:', walk.retainer_id, ':', walk.first_date, ':', takes.date, ':beyond') AS allowance_id, walk.retainer_id, walk.project_id,
    walk.phase_key AS phase_id, takes.date, 'beyond' AS kind, walk.unit, walk.minor_units, CAST(SUM(takes.beyond_units) AS BIGINT) AS units
  FROM retainer_takes AS takes
  JOIN retainer_walk AS walk ON walk.retainer_id = takes.retainer_id AND walk.number = takes.number
  WHERE takes.beyond_units <> 0
  GROUP BY walk.retainer_id, walk.first_date, takes.date, walk.project_id, walk.phase_key, walk.unit, walk.minor_units`,
  );
}

/** Selects each retainer once, from its first day to its last one. Rows by phase have those of phases alone. */
function selectLives(plan: SummaryPlan): string {
  const { source, query } = plan;
  const { keys, joins } = lineKeys({ ...plan, keys: plan.keys.filter(({ period }) => !period) });
  const conditions = [
    ...(isByPhase(query) ? ['ledger.phase_id <> 0'] : []),
    ...filterConditions(query.selection, 'ledger', source.alone),
  ];
  const { alone } = source;
  return `SELECT ${list(keys.map(aliased), ['ledger.*'])}
  FROM (
    SELECT retainer_id, project_id, phase_key AS phase_id, unit, periods.minor_units,
      CASE WHEN unit = 'hours' THEN 'hours' ELSE MAX(settings.currency) END AS unit_name, MIN(first_date) AS first_date, MAX(last_date) AS last_date
    FROM ${alone.relation('retainer_periods')} AS periods CROSS JOIN ${alone.relation('settings')} AS settings
    GROUP BY retainer_id, project_id, phase_key, unit, periods.minor_units
  ) AS ledger ${joins.join(' ')}
  ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`;
}

/** The changes of a balance. */
export const IS_OF_BALANCE = "kind <> 'beyond'";

/** The amounts of a retainer in the days of a row, by the kind of its moves, with their sign there. */
const IN_DAYS = { opened: ['open', ''], used: ['use', '-'], lapsed: ['lapse', '-'], beyond: ['beyond', ''] } as const;

/**
 * Returns the amounts of each retainer in each period of a plan's rows (`<scope>_lots`), in which it has a day: those in the days of the period, and
 * balances at its beginning and its end. Those of the cutoff are of periods that have begun by then (`has_begun`).
 * @param scope For the totals, the window is one period.
 */
export function lotParts(plan: SummaryPlan, scope: 'row' | 'total'): string[] {
  const { querySql, calendar } = plan;
  const keys = scope === 'row' ? periodKeys(plan) : [];
  const names = keys.map(({ name }) => name);
  const periods = keys.map(({ name, period }) => `${periodStart(period ?? 'day', 'date', calendar)} AS ${name}`);
  const sum = (kind: string, sign: string, isMeant = 'TRUE') =>
    `SUM(CASE WHEN kind = '${kind}' AND ${isMeant} THEN ${sign}units ELSE 0 END)`;
  const isDone = `date <= ${querySql.cutoff}`;
  const sums = [
    ...Object.entries(IN_DAYS).map(([name, [kind, sign]]) => `${sum(kind, sign, isDone)} AS ${name}`),
    `${sum('use', '-')} AS forecast_used`,
    `${sum('beyond', '')} AS forecast_beyond`,
  ];
  const changes = [
    `SUM(CASE WHEN ${IS_OF_BALANCE} AND ${isDone} THEN units ELSE 0 END) AS change`,
    `SUM(CASE WHEN ${IS_OF_BALANCE} THEN units ELSE 0 END) AS forecast_change`,
  ];
  const same = (alias: string) =>
    ['retainer_id = lives.retainer_id', ...names.map((name) => `${name} = spans.${name}`)]
      .map((each) => `${alias}.${each}`)
      .join(' AND ');
  const upTo = (change: string) =>
    `COALESCE(before.${change}, 0) + SUM(COALESCE(sums.${change}, 0)) OVER (PARTITION BY lives.retainer_id ORDER BY spans.first_day ROWS UNBOUNDED PRECEDING)`;
  const known = [...Object.keys(IN_DAYS), 'forecast_used', 'forecast_beyond'];
  return [
    `${scope}_spans AS (${selectPeriods({ ...plan, keys })})`,
    `${scope}_lot_sums AS (
  SELECT ${list(['retainer_id'], names, sums, changes)}
  FROM (SELECT ${list(['*'], periods)} FROM retainer_moves WHERE ${isInWindow(querySql, 'date')}) AS moves
  ${groupBy(['retainer_id', ...names])}
)`,
    `${scope}_lots AS (
  SELECT ${list(
    ['lives.*'],
    names.map((name) => `spans.${name}`),
    known.map((name) => `COALESCE(sums.${name}, 0) AS ${name}`),
  )},
    spans.first_day <= ${querySql.cutoff} AS has_begun,
    ${upTo('change')} AS balance,
    ${upTo('change')} - COALESCE(sums.change, 0) AS rolled,
    ${upTo('forecast_change')} AS forecast_balance
  FROM retainer_lives AS lives
  JOIN ${scope}_spans AS spans ON spans.first_day <= lives.last_date AND spans.last_day >= lives.first_date
  LEFT JOIN ${scope}_lot_sums AS sums ON ${same('sums')}
  LEFT JOIN (
    SELECT ${list(['retainer_id'], changes)} FROM retainer_moves WHERE date < ${querySql.start} GROUP BY retainer_id
  ) AS before ON before.retainer_id = lives.retainer_id
)`,
  ];
}

/** Selects the retainers of a relation for each row that they belong to. */
export function forEachRow(plan: SummaryPlan, relation: string): string {
  const repeats = repeatedKeys(plan);
  if (repeats.length === 0) return relation;
  const joins = repeats.map(
    ({ relation: tags, key }) =>
      `LEFT JOIN ${plan.source.alone.relation(tags)} AS ${tags} ON ${tags}.${key} = lots.${key}`,
  );
  return `(SELECT ${list(
    ['lots.*'],
    repeats.map(({ relation: tags, column, name }) => `${tags}.${column} AS ${name}`),
  )} FROM ${relation} AS lots ${joins.join(' ')}) AS ${relation}`;
}

/** Returns the keys of the rows that have retainers, with lines or without (`retainer_rows`). */
export function retainerRowsPart(plan: SummaryPlan): string {
  const rows = `(
    SELECT ${list(
      ['lives.*'],
      periodKeys(plan).map(({ name }) => `spans.${name}`),
    )}
    FROM retainer_lives AS lives
    JOIN (${selectPeriods({ ...plan, keys: periodKeys(plan) })}) AS spans ON spans.first_day <= lives.last_date AND spans.last_day >= lives.first_date
  )`;
  return `retainer_rows AS (WITH retained_rows AS ${rows} SELECT DISTINCT ${list(keyNames(plan)) || '1 AS whole_window'} FROM ${forEachRow(plan, 'retained_rows')})`;
}
