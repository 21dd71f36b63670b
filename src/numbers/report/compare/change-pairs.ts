import { countsAs } from '../../relation/line-kinds.ts';
import { list } from '../source/sql-columns.ts';

/** A way to find the partners of scheduled lines without one: the first of one state goes with the first of the other. */
interface Round {
  /** The columns in which partners are equal. */
  readonly same: readonly string[];
  readonly order: readonly string[];
}

/** Rules (2) to (4) of X2, within an allocation: the same day, the same person, the rest. */
const ROUNDS: readonly Round[] = [
  { same: ['task_id', 'date'], order: ['people_id'] },
  { same: ['task_id', 'people_id'], order: ['date'] },
  { same: ['task_id'], order: ['date', 'people_id'] },
];

/**
 * Returns the pairs of lines of `then_lines` and `now_lines` (`pairs`): then_id and now_id, one of them null for a line
 * without a partner (X2). Rule (1) is the same line_id.
 */
export function pairParts(): string[] {
  const first = `matched_0 AS (
  SELECT then_lines.line_id AS then_id, now_lines.line_id AS now_id
  FROM then_lines JOIN now_lines ON now_lines.line_id = then_lines.line_id
)`;
  const rounds = ROUNDS.flatMap((round, index) => roundParts(round, index + 1));
  const matched = [0, ...ROUNDS.map((_, index) => index + 1)].map((index) => `SELECT * FROM matched_${index}`);
  return [
    first,
    ...rounds,
    `matched AS (${matched.join(' UNION ALL ')})`,
    `pairs AS (
  SELECT then_lines.line_id AS then_id, matched.now_id
  FROM then_lines LEFT JOIN matched ON matched.then_id = then_lines.line_id
  UNION ALL
  SELECT NULL AS then_id, now_lines.line_id AS now_id
  FROM now_lines LEFT JOIN matched ON matched.now_id = now_lines.line_id
  WHERE matched.now_id IS NULL
)`,
  ];
}

/** Returns the partners of a round. Lists of those who share its columns find them in a third of the time of numbers by window. */
function roundParts({ same, order }: Round, index: number): string[] {
  const sides = (['then', 'now'] as const).map((side) => {
    const from = index === 1 ? `${side}_lines` : `${side}_rest_${index - 1}`;
    return {
      rest: `${side}_rest_${index} AS (
  SELECT line_id, task_id, date, people_id FROM ${from} AS rest
  WHERE NOT EXISTS (SELECT 1 FROM matched_${index - 1} AS matched WHERE matched.${side}_id = rest.line_id)${index === 1 ? ` AND ${countsAs('plan')}` : ''}
)`,
      lists: `(
    SELECT ${list(same)}, list(line_id ORDER BY ${list(order)}) AS ${side}_ids FROM ${side}_rest_${index} GROUP BY ${list(same)}
  ) AS ${side}_rest`,
    };
  });
  return [
    ...sides.map(({ rest }) => rest),
    `matched_${index} AS (
  SELECT then_id, now_id
  FROM (
    SELECT UNNEST(then_ids) AS then_id, UNNEST(now_ids) AS now_id
    FROM ${sides.map(({ lists }) => lists).join(' JOIN ')} USING (${list(same)})
  ) AS partners
  WHERE then_id IS NOT NULL AND now_id IS NOT NULL
)`,
  ];
}
