/*
 * Two states of the data become one relation, `differences`: what each line of either contributes, with a sign, its partner and a cause.
 * `change-lines` finds the lines that differ, `change-pairs` pairs them, and `change-steps` takes each pair from then to now. The report
 * changes is the relation's sums by row and cause (`compile-changes`), changed-lines its list (`plan-changed-lines`), and the use of
 * budgets its sums by budget (`compile-budget-changes`).
 */
import type { Amount } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { termsOf } from '../catalogue/measure-meaning.ts';
import { amountOf, compileSum, flagOf, hasLines } from '../kinds/lines.ts';
import { LINE_AMOUNTS } from '../source/line-amounts.ts';
import { aliased, list, type SqlColumn } from '../source/sql-columns.ts';
import type { ChangePlan } from './change-plan.ts';
import { pointParts } from './change-steps.ts';
import { isOfAgreedFees } from './fee-points.ts';

/** SQL of the contribution of a point of a line: null for nothing, or if it is unknown. */
interface PointAmount extends SqlColumn {
  /** The same where the cause is the later cutoff. Default: the expression. */
  readonly later?: string;
}

export const PAIR = ['then_line_id', 'now_line_id'];

/**
 * Returns the relation `differences`: each point of a line adds its amounts by the cause that leads to it, and takes them away by the
 * one that leads on (X3). `cause` is null for the lines of the earlier state, and `is_end` true for the lines as they are in a state.
 * @param points The points, each with its side, arrival and departure.
 * @param columns Further columns of the points.
 */
export function differencesPart(points: string, columns: readonly string[], amounts: readonly PointAmount[]): string {
  const signed = (sign: string, cause: string) =>
    amounts.map(({ name, expression, later = expression }) => {
      const amount =
        later === expression ? expression : `CASE WHEN ${cause} = 'cutoff' THEN ${later} ELSE ${expression} END`;
      return aliased({ name, expression: `${sign}(${amount})` });
    });
  return `differences AS (
  SELECT ${list(columns, ['side', 'arrival AS cause', `arrival IS NULL OR side = 'now' AND departure IS NULL AS is_end`], signed('', 'arrival'))}
  FROM ${points}
  UNION ALL
  SELECT ${list(columns, ['side', 'departure AS cause', 'FALSE AS is_end'], signed('-', 'departure'))}
  FROM ${points} WHERE departure IS NOT NULL
)`;
}

/** Returns the differences of measures that are sums of lines, in columns with their names. @param columns Further columns. */
export function sumDifferences(change: ChangePlan, measures: readonly Measure[], columns: readonly string[]): string[] {
  const { catalogue } = change.plan.query.selection;
  const terms = measures.flatMap(termsOf);
  const sets = [...new Set(terms.map(({ lines }) => lines))];
  const amounts = terms.map((term) =>
    aliased({
      name: amountOf(term),
      expression: `CASE WHEN in_${term.lines} THEN ${LINE_AMOUNTS[term.amount as Amount].expression} END`,
    }),
  );
  const flags = sets.map((set) => `in_${set} AS ${hasLines({ lines: set, amount: '' })}`);
  return [
    ...pointParts(change, measures.some(isOfAgreedFees)),
    `sets AS (SELECT *, ${list(sets.map((set) => aliased(flagOf(catalogue, set))))} FROM counted)`,
    `terms AS (SELECT *, ${list(flags, [...new Set(amounts)])} FROM sets)`,
    differencesPart(
      'terms',
      columns,
      measures.map((measure) => ({ name: measure.name, expression: compileSum(termsOf(measure)) })),
    ),
  ];
}
