import { type Effect, effectsOf } from '../catalogue/bridges.ts';
import { fromMoneyUnits, MINOR_UNIT, quotient } from '../source/exact-units.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, list } from '../source/sql-columns.ts';
import type { Facts } from '../source/summary-plan.ts';
import { keyNames, keysOnce, rowLines, type SummaryPlan } from '../source/summary-plan.ts';
import { CELL, type EffectAmount, effectAmounts, effectRateParts, RATE_LEVELS, sideSumsPart } from './effect-rates.ts';

/** The effects that lead from an amount of the plan to the actual one (V1 to V4), as sums of the cells of the rows. */
export const EFFECTS: Facts = {
  name: 'effects',
  lineColumns: ['role_id'],
  shared: effectCellParts,
  of: (plan, { name }) => ({ from: plan.hasOverlap && name === 'row' ? 'effect_cells' : 'effect_line_cells' }),
  sums: (plan) =>
    effectAmounts(plan)
      .flatMap((amount) => effectsOf(amount).map((effect) => `effect__${amount}_${effect}`))
      .map((name) => ({ name, expression: fromMoneyUnits(`SUM(${name})`) })),
};

/**
 * Returns the cells of a plan's rows with their effects: `effect_line_cells`, with each line once, and `effect_cells` for
 * rows that share lines. They stand at the grain of all keys of a report, so that its subtotals and periods are sums of
 * them, too. The rates are those of all lines of the query (`effect_rates`); `effect_known` tells whether there are any.
 */
function effectCellParts(plan: SummaryPlan): string[] {
  return [
    sideSumsPart(plan, 'effect_line', 'lines', keysOnce(plan)),
    ...effectRateParts(plan, 'effect_line_sums'),
    ...cellParts(plan, 'effect_line'),
    ...(plan.hasOverlap
      ? [sideSumsPart(plan, 'effect', rowLines(plan), keyNames(plan)), ...cellParts(plan, 'effect')]
      : []),
  ];
}

/**
 * Returns the cells of `PREFIX_sums` with their effects.
 * @param prefix Begins the names of the relations: `PREFIX_cells` has the cells.
 */
export function cellParts(plan: SummaryPlan, prefix: string): string[] {
  const amounts = effectAmounts(plan);
  const same = CELL.map((name) => `rates.${name} IS NOT DISTINCT FROM cells.${name}`).join(' AND ');
  const rates = amounts.flatMap((amount) =>
    RATE_LEVELS.flatMap((level) => [`rates.${amount}_${level}`, `rates.${amount}_hours_${level}`]),
  );
  const billed = amounts.includes('fees')
    ? ['plan_fees', 'actual_fees', 'plan_billable_hours', 'actual_billable_hours'].map(
        (name) => `rates.${name} AS person_${name}`,
      )
    : [];
  return [
    `${prefix}_worth AS (
  SELECT *, ${list(amounts.flatMap((amount) => worthOf(amount).map(aliased)))}
  FROM (
    SELECT cells.*, unit, ${list(rates, billed)}
    FROM ${prefix}_sums AS cells
    JOIN effect_rates AS rates ON ${same}
    CROSS JOIN ${MINOR_UNIT}
  ) AS priced
)`,
    `${prefix}_cells AS (SELECT *, ${list(amounts.flatMap((amount) => effectsIn(amount).map(aliased)))} FROM ${prefix}_worth)`,
  ];
}

/** Returns what the hours of a cell are worth at the rate of each level, each rounded once (V3). */
function worthOf(amount: EffectAmount): SqlColumn[] {
  const worth = (hours: string, rate: string, of: string) =>
    `(${quotient(`(${hours} * ${rate})`, `(${of} * unit)`)}) * unit`;
  const less = (column: string) => `(actual_${column} - plan_${column})`;
  const billed = (column: string) =>
    `CASE WHEN person_plan_billable_hours <> 0 THEN person_plan_${column} ELSE person_actual_${column} END`;
  return [
    ...RATE_LEVELS.map((level) => ({
      name: `${amount}_worth_${level}`,
      expression: worth(less('hours'), `${amount}_${level}`, `${amount}_hours_${level}`),
    })),
    { name: `${amount}_priced`, expression: worth(less(`${amount}_hours`), `${amount}_3`, `${amount}_hours_3`) },
    ...(amount === 'fees'
      ? [
          {
            name: 'fees_billed',
            expression: `COALESCE(${worth(less('billable_hours'), billed('fees'), billed('billable_hours'))}, 0)`,
          },
        ]
      : []),
  ];
}

/** Returns the effects of a cell in ten-thousandths, which add up to its difference. */
function effectsIn(amount: EffectAmount): SqlColumn[] {
  const worth = (level: number) => `${amount}_worth_${level}`;
  const last = amount === 'fees' ? 'fees_billed' : 'cost_priced';
  const expressions: Readonly<Record<Effect, string>> = {
    volume: worth(0),
    project_mix: `${worth(1)} - ${worth(0)}`,
    role_mix: `${worth(2)} - ${worth(1)}`,
    people: `${worth(3)} - ${worth(2)}`,
    unpriced: `${amount}_priced - ${worth(3)}`,
    billability: `fees_billed - fees_priced`,
    rate: `actual_${amount} - plan_${amount} - ${last}`,
  };
  return effectsOf(amount).map((effect) => ({
    name: `effect__${amount}_${effect}`,
    expression: expressions[effect],
  }));
}
