import { type Family, groupBy, keyNames, list, rowLines, type SummaryPlan } from './plan-summary.ts';
import { kindLiteral } from './query-sql.ts';

const EFFECT_COLUMNS = ['effect__hours', 'effect__rate', 'effect__unpriced'];

/** The effects that explain the difference of actual profit from scheduled profit to date. */
export const EFFECTS: Family = {
  values: () => EFFECT_COLUMNS,
  parts: effectParts,
  ofRows: ['row_effects'],
  ofTotals: ['total_effects'],
};

/**
 * Returns the effects of each row (`row_effects`) and of all rows (`total_effects`).
 * They stand at the grain of a person's work on a project, and are summed from there, so they add up in any grouping of
 * people and projects. Hours: the profit that more or fewer hours bring at the scheduled profit of an hour, rounded once
 * to the minor unit; all of it, if no hours were scheduled. Rate: the rest of the difference of priced work.
 * Unpriced: the difference in what is known of lines without a cost or a fee (R5).
 */
function effectParts(plan: SummaryPlan): string[] {
  const keys = keyNames(plan);
  const sums = EFFECT_COLUMNS.map((name) => `COALESCE(SUM(${name}), 0) AS ${name}`);
  return [
    workPart(plan),
    effectsPart(keys),
    `row_effects AS (SELECT ${list(keys, sums)} FROM effects ${groupBy(keys)})`,
    `total_effects AS (SELECT ${list(sums)} FROM effects)`,
  ];
}

/** Sums hours and profit of each person on each project: planned or actual, priced or not. */
function workPart(plan: SummaryPlan): string {
  const { querySql } = plan;
  const cell = [...keyNames(plan), 'people_id', 'project_id'];
  const sum = (condition: string, amount: string) => `COALESCE(SUM(CASE WHEN ${condition} THEN ${amount} END), 0)`;
  const profit = 'COALESCE(fee, 0) - COALESCE(cost, 0)';
  return `work AS (
  SELECT ${list(cell)},
    ${sum('is_planned AND is_priced', 'hours')} AS planned_hours, ${sum('is_planned AND is_priced', profit)} AS planned_profit,
    ${sum('is_actual AND is_priced', 'hours')} AS actual_hours, ${sum('is_actual AND is_priced', profit)} AS actual_profit,
    ${sum('is_actual AND NOT is_priced', profit)} - ${sum('is_planned AND NOT is_priced', profit)} AS unpriced_profit
  FROM (
    SELECT *, kind = ${kindLiteral('scheduled')} AND ${querySql.hasStatus('status')} AND is_to_date AS is_planned,
      kind = ${kindLiteral('actual')} AND is_to_date AS is_actual, cost IS NOT NULL AND fee IS NOT NULL AS is_priced
    FROM ${rowLines(plan)}
  ) AS lines_to_date
  WHERE is_planned OR is_actual
  ${groupBy(cell)}
)`;
}

/** Divides whole numbers, in units of 0.0001 of money and hours, half away from zero. */
function effectsPart(keys: readonly string[]): string {
  return `effects AS (
  SELECT ${list(keys)}${keys.length > 0 ? ',' : ''}
    CASE
      WHEN planned_hours = 0 THEN actual_profit
      ELSE CAST(sign(product) * ((2 * abs(product) + divisor) // (2 * divisor)) * unit AS DECIMAL(34, 0)) * CAST(0.0001 AS DECIMAL(4, 4))
    END AS effect__hours,
    actual_profit - planned_profit - effect__hours AS effect__rate,
    unpriced_profit AS effect__unpriced
  FROM (
    SELECT work.*, unit,
      CAST(planned_profit * 10000 AS HUGEINT) * CAST((actual_hours - planned_hours) * 10000 AS HUGEINT) AS product,
      CAST(planned_hours * 10000 AS HUGEINT) * unit AS divisor
    FROM work
    CROSS JOIN (SELECT CASE minor_units WHEN 0 THEN 10000 WHEN 2 THEN 100 WHEN 3 THEN 10 ELSE 1 END AS unit FROM core.settings) AS units
  ) AS products
)`;
}
