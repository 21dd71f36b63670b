import type { Calendar } from '../../../base/calendar/index.ts';
import type { Column } from '../catalogue/table.ts';
import { columnsOfFacts } from '../kinds/kinds.ts';
import { afterCursor, type CursorReader, cursorReader, LINE_ORDER } from '../request/line-cursor.ts';
import { checkColumns, type NumberQuery, type Query } from '../request/query.ts';
import { contributionParts, sumContributions } from './contributions.ts';
import { askedOrder, listColumns, pageLimit } from './plan-list.ts';

export interface NumberPlan {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Returns one row: the count of all lines, and the sum of their contributions. */
  readonly totalSql: string;
  /** Counts the lines of each day. */
  readonly daysSql: string;
  readonly readCursor: CursorReader | undefined;
}

/**
 * Plans the list of the lines behind a number.
 * @param query The request for the list, whose report has contributions.
 * @param number The query of the number.
 */
export function planNumber(query: Query, number: NumberQuery, calendar: Calendar): NumberPlan {
  const columns = numberColumns(query, number);
  const names = columns.map(({ name }) => name);
  checkColumns(query, names);
  const shown = query.presentation.fields?.flatMap((field) => columns.filter(({ name }) => name === field)) ?? columns;
  const sorted = askedOrder(query, columns);
  const order = [...sorted, ...LINE_ORDER.map((name) => `${name} NULLS FIRST`)];
  const parts = `WITH ${contributionParts(number, calendar).join(',\n')}`;
  const page =
    query.presentation.limit === undefined ? pageLimit(query.presentation) : `LIMIT ${query.presentation.limit + 1}`;
  return {
    sql: `${parts}
SELECT ${shown.map(({ name }) => `"${name}"`).join(', ')}
FROM contributions
WHERE ${query.presentation.cursor ? afterCursor(query.presentation.cursor) : 'TRUE'}
ORDER BY ${order.join(', ')} ${page}`,
    columns: shown,
    totalSql: compileTotal(number, calendar),
    daysSql: `${parts}
SELECT date, COUNT(*) AS count FROM contributions GROUP BY date ORDER BY date`,
    readCursor: query.presentation.limit === undefined ? undefined : cursorReader(query, shown),
  };
}

/** Compiles the count of the lines behind a number, and the sum of their contributions. */
export function compileTotal(number: NumberQuery, calendar: Calendar): string {
  const [measure] = number.grouping.measures;
  const total = measure ? sumContributions(measure, number) : 'NULL';
  return `WITH ${contributionParts(number, calendar).join(',\n')}
SELECT COUNT(*) AS count, ${total} AS total
FROM contributions`;
}

function numberColumns(
  { selection: { report } }: Query,
  {
    grouping: {
      measures: [measure],
    },
  }: Query,
): Column[] {
  const { contributions, list = {} } = report;
  if (!contributions || !measure) return [];
  const kind = columnsOfFacts(measure);
  const known = listColumns({ ...list, ...contributions.columns });
  const names = [...(kind === 'of_sums' ? Object.keys(list) : []), ...contributions[kind]];
  return names
    .flatMap((name) => known.filter((column) => column.name === name))
    .map((column) =>
      column.name === 'contribution'
        ? { ...column, unit: measure.unit, needsRates: measure.needs_rates ?? false }
        : {
            ...column,
            needsRates: column.needsRates || (column.name.startsWith('rate_') && (measure.needs_rates ?? false)),
          },
    );
}
