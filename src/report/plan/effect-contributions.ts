import { type BridgeEffect, partsOfEffect } from '../catalogue/bridges.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { NumberQuery } from '../request/query.ts';
import { lookup } from '../source/compared-lines.ts';
import { fromUnits, quotient } from '../source/exact-units.ts';
import { filterConditions } from '../source/filter.ts';
import { list } from '../source/sql-columns.ts';
import { keysOnce, type SummaryPlan } from '../source/summary-plan.ts';
import { windowParts } from '../source/window-lines.ts';
import { CELL, effectRateParts, RATE_LEVELS, sideSumsPart } from './effect-rates.ts';
import { cellParts } from './effects.ts';
import { amountsOfEffect, type EffectAmount } from './measure.ts';

/** The columns of the rates, and of their sources, by level. */
const RATES = ['rate_all', 'rate_project', 'rate_role', 'rate_person'];

/**
 * Returns the cells behind an effect on cost or fees (`whole`), each with its hours and the rates of all levels.
 * The rates are those of all lines of the query, whatever the row; the cells are those of the row.
 */
export function effectContributions(
  plan: SummaryPlan,
  effect: BridgeEffect,
  { row, rowFilters, selection }: NumberQuery,
): string[] {
  const [amount = 'cost'] = amountsOfEffect(effect);
  const from = (relation: string) => lookup(relation, selection);
  const conditions = [
    `listed.date BETWEEN ${dateLiteral(row.startDate)} AND ${dateLiteral(row.endDate)}`,
    ...filterConditions({ ...selection, filters: rowFilters }, 'listed'),
  ];
  const hours = ['plan_hours', 'actual_hours'].map((name) => `SUM(${name}) AS ${name}`);
  const contribution = fromUnits(`SUM(effect__${amount}_${partsOfEffect(effect)[1]})`);
  const same = CELL.map((name) => `rates.${name} IS NOT DISTINCT FROM cells.${name}`).join(' AND ');
  return [
    ...windowParts(plan),
    sideSumsPart(plan, 'effect', 'lines', []),
    ...effectRateParts(plan, 'effect_sums'),
    `number_lines AS (
  SELECT * FROM (SELECT lines.*, is_billable AS billable FROM lines) AS listed
  WHERE ${conditions.join(' AND ')}
)`,
    sideSumsPart(plan, 'number', 'number_lines', keysOnce(plan)),
    ...cellParts(plan, 'number'),
    `whole AS (
  SELECT 'cell' AS kind, CONCAT('c:', cells.project_id, ':', cells.role_id, ':', cells.people_id) AS line_id, CAST(NULL AS DATE) AS date,
    cells.project_id, project, cells.role_id, roles.role, cells.people_id, person,
    ${fromUnits('cells.plan_hours')} AS scheduled_hours, ${fromUnits('cells.actual_hours')} AS actual_hours,
    ${list(RATE_LEVELS.flatMap((level) => rateColumns(amount, level)))},
    CASE WHEN (SELECT knows_${amount} FROM effect_known) THEN contribution END AS contribution
  FROM (SELECT ${list(CELL, hours, [`${contribution} AS contribution`])} FROM number_cells GROUP BY ${list(CELL)}) AS cells
  JOIN effect_rates AS rates ON ${same}
  LEFT JOIN ${from('marts.projects')} AS projects ON projects.project_id = cells.project_id
  LEFT JOIN ${from('marts.roles')} AS roles ON roles.role_id = cells.role_id
  LEFT JOIN ${from('marts.people')} AS people ON people.people_id = cells.people_id
)`,
  ];
}

/** Returns the rate of a level, rounded for readers alone, and where it comes from. */
function rateColumns(amount: EffectAmount, level: (typeof RATE_LEVELS)[number]): string[] {
  const name = RATES[level] ?? '';
  return [
    `${fromUnits(quotient(`(10000 * ${amount}_${level})`, `${amount}_hours_${level}`))} AS ${name}`,
    `CASE WHEN plan_${amount}_hours_${level} <> 0 THEN 'plan' WHEN actual_${amount}_hours_${level} <> 0 THEN 'actual' ELSE 'above' END AS ${name}_source`,
  ];
}
