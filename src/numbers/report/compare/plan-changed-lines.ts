import { quoteText } from '../../../base/database/index.ts';
import { LIST_SEPARATOR } from '../../../base/index.ts';
import { listCauses } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import { askedOrder, listColumns, pageLimit } from '../plan/plan-list.ts';
import { afterCursor, assertOwnOrder, CLOSING_START, LINE_ORDER } from '../request/line-cursor.ts';
import { checkColumns, type Query } from '../request/query.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { list } from '../source/sql-columns.ts';
import type { ChangePlan } from './change-plan.ts';
import { PAIR, sumDifferences } from './differences.ts';
import { authorParts, RATE_CAUSES } from './last-writes.ts';

export interface ChangedLinesPlan {
  /** Its first columns, which are not shown, are the place of a line in the order: date, line_id and closing_start_date. */
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Returns one row: the count of all lines, and the sum of their contributions. */
  readonly totalSql: string;
}

/** The column of the differences whose lines are listed. */
export const CONTRIBUTION = 'contribution';

/** A comparison with one state, whose lines are listed. */
export interface ListedChange {
  readonly change: ChangePlan;
  /** The clauses WITH that make the relation `differences`, of pairs. */
  readonly differences: readonly string[];
  /** True if the reader doesn't see whole what the difference is about: what its lines contribute is blank (L2). Default: false. */
  readonly isBlank?: boolean;
  /** The closing and the first of the days that are compared with it; undefined for a state that all days are compared with. */
  readonly closing: { readonly name: string; readonly startDate: string } | undefined;
  /** The moment of the earlier state, as YYYY-MM-DDTHH:MM:SSZ. */
  readonly since: string;
}

/** Returns the differences of lines by a sum of lines. */
export function listedDifferences(change: ChangePlan, measure: Measure): string[] {
  return sumDifferences(change, [{ ...measure, name: CONTRIBUTION }], PAIR);
}

/**
 * Plans the list of the lines behind the difference of a measure, a row for each pair and each state.
 * @param query The request, whose report has the columns.
 * @param measure The measure, in the unit of the contributions.
 * @param hasWrites True if the open database has the log of single writes, as that of a server has.
 */
export function planChangedLines(
  query: Query,
  measure: Measure,
  changes: readonly ListedChange[],
  hasWrites: boolean,
): ChangedLinesPlan {
  const columns = listColumns(query.selection.report.list ?? {}).map((column) =>
    MEASURED.includes(column.name)
      ? { ...column, unit: measure.unit, needsRates: measure.needs_rates ?? false }
      : column,
  );
  checkColumns(
    query,
    columns.map(({ name }) => name),
  );
  const { fields, limit, cursor } = query.presentation;
  if (limit !== undefined) assertOwnOrder(query);
  const shown = fields?.flatMap((field) => columns.filter(({ name }) => name === field)) ?? columns;
  const isByClosing = changes.some(({ closing }) => closing);
  const described = uniteStates(changes, 'described', (each) => [
    ...listedParts(query, each),
    ...authorParts({ ...each, hasWrites }, measure),
    describedPart(each),
  ]);
  return {
    sql: `SELECT ${list(
      LINE_ORDER,
      [`${CLOSING_START} AS closing_place`],
      shown.map(({ name }) => `"${name}"`),
    )}
FROM (${described}) AS described
WHERE ${cursor ? afterCursor(cursor, isByClosing) : 'TRUE'}
ORDER BY ${list(askedOrder(query, columns), LINE_ORDER, [
      CLOSING_START,
    ])} ${limit === undefined ? pageLimit(query.presentation) : `LIMIT ${limit + 1}`}`,
    columns: shown,
    totalSql: `SELECT COUNT(*) AS count, CASE WHEN COUNT(*) = 0 THEN 0 ELSE SUM(contribution) END AS total
FROM (${uniteStates(changes, 'listed', (each) => listedParts(query, each))}) AS listed`,
  };
}

/** Unites a relation of several states, each with clauses WITH of its own. */
function uniteStates(
  changes: readonly ListedChange[],
  relation: string,
  partsOf: (change: ListedChange) => readonly string[],
): string {
  return changes
    .map(
      (each, place) => `SELECT * FROM (WITH ${partsOf(each).join(',\n')}\nSELECT * FROM ${relation}) AS state_${place}`,
    )
    .join('\nUNION ALL\n');
}

const MEASURED = ['amount_then', 'amount_now', 'contribution'];

/** Returns what each pair contributes by cause (`caused`), and the pairs that contribute by one that is asked for (`listed`). */
function listedParts({ compared }: Query, { differences, isBlank = false }: ListedChange): string[] {
  const seen = (sum: string) => (isBlank ? `CASE WHEN FALSE THEN ${sum} END` : sum);
  const pair = list(PAIR);
  const causes = (compared?.causes ?? listCauses()).map(quoteText);
  const rateCauses = RATE_CAUSES.map(quoteText);
  const order = `CASE cause ${listCauses()
    .map((cause, place) => `WHEN '${cause}' THEN ${place}`)
    .join(' ')} END`;
  const amountOf = (side: string) =>
    `${seen(`MAX(CASE WHEN side = '${side}' AND is_end THEN ${CONTRIBUTION} END)`)} AS amount_${side}`;
  return [
    ...differences,
    `caused AS (
  SELECT ${pair}, cause, SUM(${CONTRIBUTION}) AS part
  FROM differences GROUP BY ${pair}, cause
)`,
    `amounts AS (
  SELECT ${list(PAIR, ['then', 'now'].map(amountOf))}
  FROM differences GROUP BY ${pair}
)`,
    `listed AS (
  SELECT ${pair}, string_agg(cause, '${LIST_SEPARATOR}' ORDER BY ${order}) AS causes, ${seen('SUM(part)')} AS contribution,
    BOOL_OR(cause IN (${list(rateCauses)})) AS has_rate, BOOL_OR(cause NOT IN (${list(rateCauses)})) AS has_other
  FROM caused WHERE part <> 0 AND cause IN (${list(causes)})
  GROUP BY ${pair}
)`,
  ];
}

/** The columns of a line that the list shows of both states. */
const SHOWN = ['date', 'status', 'billable', 'hours', 'bill_rate'];

/** Describes each pair by its lines in both states, and the last write behind its causes (X8). */
function describedPart({ change: { plan, earlier }, closing }: ListedChange): string {
  const sides = [
    { side: 'then', source: earlier },
    { side: 'now', source: plan.source },
  ];
  const columns = sides.flatMap(({ side }): SqlColumn[] => [
    ...[...SHOWN, ...plan.source.costs('cost_rate')].map((name) => ({
      name: `${name}_${side}`,
      expression: `paired.${side}_${name}`,
    })),
    { name: `line_id_${side}`, expression: `paired.${side}_line_id` },
    { name: `person_${side}`, expression: `person_${side}.person` },
    { name: `project_${side}`, expression: `project_${side}.project` },
    { name: `amount_${side}`, expression: `amounts.amount_${side}` },
  ]);
  const joins = sides.flatMap(({ side, source }) => [
    `LEFT JOIN ${source.relation('named_people')} AS person_${side} ON person_${side}.people_id = paired.${side}_people_id`,
    `LEFT JOIN ${source.relation('named_projects')} AS project_${side} ON project_${side}.project_id = paired.${side}_project_id`,
  ]);
  const same = (other: string) =>
    PAIR.map((name) => `${other}.${name} IS NOT DISTINCT FROM listed.${name}`).join(' AND ');
  const lineId = 'COALESCE(listed.now_line_id, listed.then_line_id)';
  const [closingName, startDate] = closing
    ? [quoteText(closing.name), dateLiteral(closing.startDate)]
    : ['NULL', 'NULL'];
  return `described AS (
  SELECT COALESCE(paired.now_date, paired.then_date) AS date, ${lineId} AS line_id, CAST(paired.kind AS VARCHAR) AS kind,
    CAST(${closingName} AS VARCHAR) AS closing, CAST(${startDate} AS DATE) AS ${CLOSING_START}, listed.causes, listed.contribution, ${list(columns.map(({ name, expression }) => `${expression} AS ${name}`))},
    strftime(authors.changed_at, '%Y-%m-%dT%H:%M:%SZ') AS changed_at, authors.changed_by
  FROM listed
  JOIN paired ON ${same('paired')}
  JOIN amounts ON ${same('amounts')}
  ${joins.join('\n  ')}
  LEFT JOIN authors ON ${same('authors')}
)`;
}
