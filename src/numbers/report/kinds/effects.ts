import { type BridgeEffect, type Effect, effectsOf, partsOfEffect } from '../catalogue/bridges.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { NumberQuery } from '../request/query.ts';
import { fromHourUnits, fromMoneyUnits, quotient } from '../source/exact-units.ts';
import { filterConditions } from '../source/filter.ts';
import { LINES_MART } from '../source/relations.ts';
import { aliased, list } from '../source/sql-columns.ts';
import { keysOnce, type SummaryPlan } from '../source/summary-plan.ts';
import { windowParts } from '../source/window-lines.ts';
import { cellParts, EFFECTS } from './effect-cells.ts';
import {
  amountsOfEffect,
  CELL,
  EFFECT_AMOUNTS,
  type EffectAmount,
  effectAmounts,
  effectRateParts,
  RATE_LEVELS,
  sideSumsPart,
} from './effect-rates.ts';
import { type Kind, overlaps, termOf } from './kind.ts';

/** Returns the SQL of an effect over the sums of a row or of a cell: that on profit is the one on fees less the one on cost. Unknown if no line of the query has the amount. */
function amountOf(name: BridgeEffect): string {
  const [, effect] = partsOfEffect(name);
  const amounts = amountsOfEffect(name);
  const known = amounts.map((amount) => `(SELECT knows_${amount} FROM effect_known)`);
  const sums = amounts
    .filter((amount) => effectsOf(amount).includes(effect))
    .map((amount) => `COALESCE(effect__${amount}_${effect}, 0)`);
  return `CASE WHEN ${known.join(' AND ')} THEN ${sums.join(' - ')} END`;
}

/** The columns of the rates, and of their sources, by level. */
const RATES = ['rate_all', 'rate_project', 'rate_role', 'rate_person'];

/**
 * Returns the cells behind an effect on cost or fees (`whole`), each with its hours and the rates of all levels.
 * The rates are those of all lines of the query, whatever the row; the cells are those of the row.
 */
function cellRows(plan: SummaryPlan, effect: BridgeEffect, { row, rowFilters, selection }: NumberQuery): string[] {
  const [amount = 'cost'] = amountsOfEffect(effect);
  const { source } = plan;
  const conditions = [
    `listed.date BETWEEN ${dateLiteral(row.startDate)} AND ${dateLiteral(row.endDate)}`,
    ...filterConditions({ ...selection, filters: rowFilters }, 'listed'),
  ];
  const hours = ['plan_hours', 'actual_hours'].map((name) => `SUM(${name}) AS ${name}`);
  const sums = effectAmounts(plan).flatMap((each) =>
    effectsOf(each).map((own) => ({
      name: `effect__${each}_${own}`,
      expression: fromMoneyUnits(`SUM(effect__${each}_${own})`),
    })),
  );
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
    ${fromHourUnits('cells.plan_hours')} AS scheduled_hours, ${fromHourUnits('cells.actual_hours')} AS actual_hours,
    ${list(RATE_LEVELS.flatMap((level) => rateColumns(amount, level)))},
    ${amountOf(effect)} AS contribution
  FROM (SELECT ${list(CELL, hours, sums.map(aliased))} FROM number_cells GROUP BY ${list(CELL)}) AS cells
  JOIN effect_rates AS rates ON ${same}
  LEFT JOIN ${source.relation('named_projects')} AS projects ON projects.project_id = cells.project_id
  LEFT JOIN ${source.relation('roles')} AS roles ON roles.role_id = cells.role_id
  LEFT JOIN ${source.relation('named_people')} AS people ON people.people_id = cells.people_id
)`,
  ];
}

/** Returns the rate of a level, rounded for readers alone, and where it comes from. */
function rateColumns(amount: EffectAmount, level: (typeof RATE_LEVELS)[number]): string[] {
  const name = RATES[level] ?? '';
  return [
    `${fromMoneyUnits(quotient(`(1000000 * ${amount}_${level})`, `${amount}_hours_${level}`))} AS ${name}`,
    `CASE WHEN plan_${amount}_hours_${level} <> 0 THEN 'plan' WHEN actual_${amount}_hours_${level} <> 0 THEN 'actual' ELSE 'above' END AS ${name}_source`,
  ];
}

const WORDS: Readonly<Record<Effect, string>> = {
  volume:
    'actual less scheduled hours to date of each project, role and person x the average rate of all lines scheduled to date',
  project_mix: 'these hours x the average rate of the project less that of all lines',
  role_mix: 'these hours x the average rate of the role on the project less that of the project',
  people: 'these hours x the rate of the person in the role less that of the role on the project',
  unpriced: 'hours without a rate, actual less scheduled to date, x the rate of the person in the role, with a minus',
  billability:
    'billable hours x the scheduled fee of a billable hour, less all hours with a fee x the rate of the person in the role; actual less scheduled to date',
  rate: 'the rest of the difference between scheduled to date and actual',
};

function describeEffect(name: BridgeEffect): string {
  const [bridge, effect] = partsOfEffect(name);
  const ofCost = bridge === 'profit' && effect !== 'billability' ? `, less \`cost_${effect}_effect\`` : '';
  return bridge === 'profit' ? `\`fees_${effect}_effect\`${ofCost}` : WORDS[effect];
}

/** Effects of what was done otherwise than planned. */
export const EFFECT_KIND: Kind<BridgeEffect> = {
  facts: () => [EFFECTS],
  amounts: (effect) => ['hours', ...amountsOfEffect(effect).map((amount) => EFFECT_AMOUNTS[amount])],
  amount: amountOf,
  rows: {
    parts: cellRows,
    columns: 'of_cells',
    item: () => 'cell',
    // The rates are those of all lines of the query.
    isOfAllLines: true,
    nothing: (effect) =>
      `(SELECT CASE WHEN ${amountsOfEffect(effect)
        .map((amount) => `knows_${amount}`)
        .join(' AND ')} THEN 0 END FROM effect_known)`,
    terms: (_, { name }) => [termOf('+', 'effect in each cell of project, role and person', 'contribution', name)],
  },
  words: describeEffect,
  addsUp: () => 'yes',
  source: () => `${LINES_MART}: hours, cost, fee`,
  total: (_, query) => (overlaps(query) ? 'given' : 'own'),
};
