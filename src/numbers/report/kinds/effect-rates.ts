import { countsAs } from '../../relation/line-kinds.ts';
import { type BridgeEffect, partsOfEffect } from '../catalogue/bridges.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { hourUnits, moneyUnits } from '../source/exact-units.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, groupBy, list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';

/** The amounts that a bridge takes apart, with their columns of a line. */
export const EFFECT_AMOUNTS = { cost: 'cost', fees: 'fee' } as const;

export type EffectAmount = keyof typeof EFFECT_AMOUNTS;

/** Returns the amounts that an effect is made of, of which it needs lines: profit is fees less cost. */
export function amountsOfEffect(name: BridgeEffect): EffectAmount[] {
  const [bridge] = partsOfEffect(name);
  return bridge === 'profit' ? ['fees', 'cost'] : [bridge];
}

/** A cell of a bridge, beside the keys of its row. */
export const CELL = ['project_id', 'role_id', 'people_id'];

/** The levels of the rates: all lines, the project, the role in it, the person in that role. */
export const RATE_LEVELS = [0, 1, 2, 3] as const;

/** Returns the amounts that the effects of a plan take apart. Readers without rates have no cost. */
export function effectAmounts({ amounts }: SummaryPlan): EffectAmount[] {
  return (['cost', 'fees'] as const).filter((amount) => amounts.includes(EFFECT_AMOUNTS[amount]));
}

/**
 * Returns the rates of all lines (`effect_rates`), by project, role and person, and whether there are any (`effect_known`).
 * @param sums The relation with the sums of all lines, each line once.
 */
export function effectRateParts(plan: SummaryPlan, sums: string): string[] {
  const amounts = effectAmounts(plan);
  const known = amounts.map((amount) => `BOOL_OR(${amount}_hours_0 IS NOT NULL) AS knows_${amount}`);
  return [
    `effect_people AS (SELECT ${list(CELL, sumNames(plan).map(summed))} FROM ${sums} ${groupBy(CELL)})`,
    `effect_levels AS (${selectLevels(plan)})`,
    `effect_rates AS (SELECT *, ${list(amounts.flatMap((amount) => ratesOf(amount).map(aliased)))} FROM effect_levels)`,
    `effect_known AS (SELECT ${list(known)} FROM effect_rates)`,
  ];
}

/** A column that `sideSumsPart` sums: an amount of the lines of the plan, or of the actual ones, that meet a condition. */
interface SideSum extends SqlColumn {
  readonly condition: string;
}

/** Returns the sums of a cell; `x_hours` are the hours of the lines whose amount x is known. */
function sideSums(plan: SummaryPlan): SideSum[] {
  const amounts = effectAmounts(plan);
  return (['plan', 'actual'] as const).flatMap((side) => {
    const is = side === 'plan' ? 'is_plan' : 'NOT is_plan';
    const sum = (name: string, expression: string, condition = is) => ({
      name: `${side}_${name}`,
      expression,
      condition,
    });
    return [
      sum('hours', 'hours'),
      ...amounts.flatMap((amount) => [
        sum(amount, EFFECT_AMOUNTS[amount]),
        sum(`${amount}_hours`, 'hours', `${is} AND ${EFFECT_AMOUNTS[amount]} IS NOT NULL`),
      ]),
      ...(amounts.includes('fees')
        ? [sum('billable_hours', 'hours', `${is} AND fee IS NOT NULL AND is_billable`)]
        : []),
    ];
  });
}

function sumNames(plan: SummaryPlan): string[] {
  return sideSums(plan).map(({ name }) => name);
}

/** Sums hours of some lines by cell, in millionths, and their amounts, in ten-thousandths (`PREFIX_sums`). */
export function sideSumsPart(plan: SummaryPlan, prefix: string, lines: string, keys: readonly string[]): string {
  const isPlan = isScheduled('compared', plan.source);
  const isCompared = `(${isPlan} AND ${plan.querySql.hasStatus('status')}) OR ${countsAs('work')}`;
  const sums = sideSums(plan).map(
    ({ name, expression, condition }) => `SUM(CASE WHEN ${condition} THEN ${expression} END) AS ${name}`,
  );
  const unitsOf = (name: string) => (name.endsWith('hours') ? hourUnits(name) : moneyUnits(name));
  const units = sumNames(plan).map((name) => `COALESCE(${unitsOf(name)}, 0) AS ${name}`);
  return `${prefix}_sums AS (
  SELECT ${list(keys, CELL, units)}
  FROM (
    SELECT ${list(keys, CELL, sums)}
    FROM (SELECT *, ${isPlan} AS is_plan FROM ${lines} WHERE is_to_date AND (${isCompared})) AS compared
    ${groupBy([...keys, ...CELL])}
  ) AS summed
)`;
}

/** Joins the sums of each level to those of a person in a role of a project. Windows over all people take several times as long. */
function selectLevels(plan: SummaryPlan): string {
  const names = sumNames(plan).filter((name) => !/^(plan|actual)_(billable_)?hours$/.test(name));
  const above = RATE_LEVELS.slice(0, -1).map((level) => {
    const keys = CELL.slice(0, level);
    const sums = names.map((name) => `${summed(name)}_${level}`);
    const same = keys.map((key) => `level_${level}.${key} IS NOT DISTINCT FROM people.${key}`).join(' AND ');
    return `JOIN (SELECT ${list(keys, sums)} FROM effect_people ${groupBy(keys)}) AS level_${level} ON ${same || 'TRUE'}`;
  });
  const levels = RATE_LEVELS.flatMap((level) =>
    names.map((name) => (level === RATE_LEVELS.length - 1 ? `people.${name} AS ${name}_${level}` : `${name}_${level}`)),
  );
  return `SELECT people.*, ${list(levels)} FROM effect_people AS people ${above.join(' ')}`;
}

/**
 * Returns the rate of each level as an amount and its hours (V2): of the plan, else of actual lines, else of the level above.
 * A level above that has no priced line has none below, either.
 */
function ratesOf(amount: EffectAmount): SqlColumn[] {
  return RATE_LEVELS.flatMap((level) => {
    const of = (column: string) =>
      `COALESCE(${RATE_LEVELS.slice(0, level + 1)
        .toReversed()
        .map(
          (own) =>
            `CASE WHEN plan_${amount}_hours_${own} <> 0 THEN plan_${column}_${own} WHEN actual_${amount}_hours_${own} <> 0 THEN actual_${column}_${own} END`,
        )
        .join(', ')}, NULL)`;
    return [
      { name: `${amount}_${level}`, expression: of(amount) },
      { name: `${amount}_hours_${level}`, expression: of(`${amount}_hours`) },
    ];
  });
}

function summed(name: string): string {
  return `CAST(SUM(${name}) AS HUGEINT) AS ${name}`;
}
