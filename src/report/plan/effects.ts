import { type Effect, effectsOf } from '../catalogue/bridges.ts';
import { isScheduled } from './compared-lines.ts';
import { EFFECT_AMOUNTS, type EffectAmount, type SqlColumn } from './measure.ts';
import { type Family, groupBy, keyNames, list, rowLines, type SummaryPlan } from './plan-summary.ts';
import { kindLiteral } from './query-sql.ts';
import { fromUnits, MINOR_UNIT, quotient, toUnits } from './quotient.ts';

/** A cell of a bridge, beside the keys of its row. */
export const CELL = ['project_id', 'role_id', 'people_id'];

/** The levels of the rates: all lines, the project, the role in it, the person in that role. */
export const LEVELS = [0, 1, 2, 3] as const;

/** The effects that lead from an amount of the plan to the actual one (V1 to V4), as sums of the cells of the rows. */
export const EFFECTS: Family = {
  values: (plan) => valuesOf(plan),
  parts(plan) {
    const keys = keyNames(plan);
    const sums = valuesOf(plan).map((name) => `SUM(${name}) AS ${name}`);
    return [
      `row_effects AS (SELECT ${list(keys, sums)} FROM ${plan.hasOverlap ? 'effect_cells' : 'effect_line_cells'} ${groupBy(keys)})`,
      `total_effects AS (SELECT ${list(sums)} FROM effect_line_cells)`,
    ];
  },
  ofRows: ['row_effects'],
  ofTotals: ['total_effects'],
};

/** Returns the amounts that the effects of a plan take apart. Readers without rates have no cost. */
export function effectAmounts({ amounts }: SummaryPlan): EffectAmount[] {
  return (['cost', 'fees'] as const).filter((amount) => amounts.includes(EFFECT_AMOUNTS[amount]));
}

function valuesOf(plan: SummaryPlan): string[] {
  return effectAmounts(plan).flatMap((amount) => effectsOf(amount).map((effect) => `effect__${amount}_${effect}`));
}

/**
 * Returns the cells of a plan's rows with their effects: `effect_line_cells`, with each line once, and `effect_cells` for
 * rows that share lines. They stand at the grain of all keys of a report, so that its subtotals and periods are sums of
 * them, too. The rates are those of all lines of the query (`effect_rates`); `effect_known` tells whether there are any.
 */
export function effectCellParts(plan: SummaryPlan): string[] {
  if (!plan.families.has('effect')) return [];
  return [
    ...effectRateParts(plan),
    ...cellParts(plan, 'effect_line', 'lines', keysOnce(plan)),
    ...(plan.hasOverlap ? cellParts(plan, 'effect', rowLines(plan), keyNames(plan)) : []),
  ];
}

/** Returns the keys of a plan's rows without those of which a line has several. */
export function keysOnce({ keys }: SummaryPlan): string[] {
  return keys.filter(({ dimension }) => !dimension?.overlaps).map(({ name }) => name);
}

/** Returns the rates of all lines (`effect_rates`), and whether there are any (`effect_known`). */
export function effectRateParts(plan: SummaryPlan): string[] {
  const known = effectAmounts(plan).map((amount) => `BOOL_OR(${amount}_hours_0 IS NOT NULL) AS knows_${amount}`);
  return [
    `effect_levels AS (${selectLevels(plan)})`,
    `effect_rates AS (SELECT *, ${list(effectAmounts(plan).flatMap((amount) => ratesOf(amount).map(aliased)))} FROM effect_levels)`,
    `effect_known AS (SELECT ${list(known)} FROM effect_rates)`,
  ];
}

/** Sums hours and amounts of some lines, in ten-thousandths; `x_hours` are the hours of the lines whose amount x is known. */
function selectSums(plan: SummaryPlan, lines: string, keys: readonly string[]): string {
  const { query, querySql } = plan;
  const side = {
    plan: `${isScheduled('compared', query.selection)} AND ${querySql.hasStatus('status')}`,
    actual: `kind = ${kindLiteral('actual')}`,
  };
  const sums = (['plan', 'actual'] as const).flatMap((name) => {
    const sum = (alias: string, amount: string, condition: string) =>
      `COALESCE(${toUnits(`SUM(CASE WHEN ${side[name]} AND ${condition} THEN ${amount} END)`)}, 0) AS ${name}_${alias}`;
    return [
      sum('hours', 'hours', 'TRUE'),
      ...effectAmounts(plan).flatMap((amount) => {
        const column = EFFECT_AMOUNTS[amount];
        return [sum(amount, column, 'TRUE'), sum(`${amount}_hours`, 'hours', `${column} IS NOT NULL`)];
      }),
      ...(effectAmounts(plan).includes('fees')
        ? [sum('billable_hours', 'hours', 'fee IS NOT NULL AND is_billable')]
        : []),
    ];
  });
  return `
  SELECT ${list(keys, CELL, sums)}
  FROM ${lines} WHERE is_to_date AND (${side.plan} OR ${side.actual}) ${groupBy([...keys, ...CELL])}
`;
}

/** Sums amounts and priced hours at each level. */
function selectLevels(plan: SummaryPlan): string {
  const columns = effectAmounts(plan).flatMap((amount) =>
    ['plan', 'actual'].flatMap((side) => [`${side}_${amount}`, `${side}_${amount}_hours`]),
  );
  const sums = LEVELS.flatMap((level) => {
    const within = level === 0 ? '' : `PARTITION BY ${CELL.slice(0, level).join(', ')}`;
    return columns.map((name) => `${toInteger(`SUM(${name}) OVER (${within})`)} AS ${name}_${level}`);
  });
  return `SELECT *, ${list(sums)} FROM (${selectSums(plan, 'lines', [])}) AS people`;
}

/**
 * Returns the rate of each level as an amount and its hours (V2): of the plan, else of actual lines, else of the level above.
 * A level above that has no priced line has none below, either.
 */
function ratesOf(amount: EffectAmount): SqlColumn[] {
  return LEVELS.flatMap((level) => {
    const of = (column: string) =>
      `COALESCE(${LEVELS.slice(0, level + 1)
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

/**
 * Returns the cells of some lines with their effects.
 * @param prefix Begins the names of the relations: `PREFIX_cells` has the cells.
 */
export function cellParts(plan: SummaryPlan, prefix: string, lines: string, keys: readonly string[]): string[] {
  const amounts = effectAmounts(plan);
  const same = CELL.map((name) => `rates.${name} IS NOT DISTINCT FROM cells.${name}`).join(' AND ');
  const rates = amounts.flatMap((amount) =>
    LEVELS.flatMap((level) => [`rates.${amount}_${level}`, `rates.${amount}_hours_${level}`]),
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
    FROM (${selectSums(plan, lines, keys)}) AS cells
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
    ...LEVELS.map((level) => ({
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

/** Returns the effects of a cell, which add up to its difference. */
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
    expression: fromUnits(`(${expressions[effect]})`),
  }));
}

function toInteger(sum: string): string {
  return `CAST(${sum} AS HUGEINT)`;
}

function aliased({ name, expression }: SqlColumn): string {
  return `${expression} AS ${name}`;
}
