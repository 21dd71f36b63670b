import type { Value } from '../../../base/database/index.ts';
import { type Column, type Meta, operandsOf, type Table } from '../../../numbers/report/catalogue/index.ts';
import type { Query } from '../../../numbers/report/request/number.ts';
import type { ContentRow } from './message-content.ts';
import { figureOf, formatFigure, isFigure, namedIn } from './message-figures.ts';
import { makePageLinks } from './page-links.ts';

/** The rows that a message names; the page has them all. Unit: rows. */
export const MAX_NAMED_ROWS = 10;

/** The texts that name a row, and the values beside them. */
const [NAMES, ROW_VALUES] = [2, 3];

/** Names the first rows of a table, each with the values that say why it is there. */
export async function nameRows(
  query: Query,
  { columns, rows, meta }: Pick<Table, 'columns' | 'rows' | 'meta'>,
  page: string | undefined,
  where: string | undefined,
): Promise<ContentRow[]> {
  const { describe } = rowDescriber(query, columns, meta, page, where);
  const named: ContentRow[] = [];
  for await (const chunk of rows) {
    for (const row of chunk) {
      if (named.length === MAX_NAMED_ROWS) return named;
      named.push(describe(row));
    }
  }
  return named;
}

/** Describes rows: by their names, and the values of the condition, what these are made of, and those that their report shows first. */
export interface RowDescriber {
  valuesOf(row: readonly Value[]): Readonly<Record<string, string>>;
  describe(row: readonly Value[]): ContentRow;
}

export function rowDescriber(
  query: Query,
  columns: readonly Column[],
  meta: Meta,
  page: string | undefined,
  where: string | undefined,
): RowDescriber {
  const links = makePageLinks(page, query);
  const { report, catalogue } = query.selection;
  const { table = [] } = report;
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
  const inCondition = namedIn(where, columns);
  // A budget used to 120 % is understood beside the budget and its use.
  const behind = inCondition.flatMap((name) => {
    const measure = catalogue.measures.get(name);
    return measure ? operandsOf(measure) : [];
  });
  const shown = [...new Set([...inCondition, ...behind, ...table])].map(indexOf).filter((index) => {
    const column = columns[index];
    return column !== undefined && isFigure(column);
  });
  // Rows of periods have one name otherwise; other days, such as that of the last entry, name nothing.
  const texts = [...new Set([...table, ...columns.map(({ name }) => name)])].filter(
    (name) => columns[indexOf(name)]?.unit === 'text' && !inCondition.includes(name),
  );
  const names = [...texts.slice(0, NAMES), 'period_start', 'date'].map(indexOf).filter((index) => index >= 0);
  const keys = columns.flatMap(({ name, unit }, index) => (unit === 'id' ? [[name, index] as const] : []));
  const linesAt = indexOf('_lines');
  // The budget or retainer of a row is in hours or in money.
  const unitIn = (row: readonly Value[], column: Column): Column => {
    const isOfRetainer = catalogue.measures.get(column.name)?.kind === 'retainer';
    const unit = row[indexOf(isOfRetainer ? 'retainer_unit' : 'budget_unit')];
    if (column.unit !== 'budget' || unit == null) return column;
    return { ...column, unit: unit === 'hours' ? 'hours' : 'money' };
  };
  const values = shown.slice(0, ROW_VALUES).flatMap((index) => {
    const column = columns[index];
    return column ? [{ column, index }] : [];
  });
  const describe = (row: readonly Value[]) => {
    const ids = keys.flatMap(([name, index]) => (row[index] == null ? [] : [[name, String(row[index])] as const]));
    const named = names.flatMap((index) => (row[index] == null ? [] : [String(row[index])]));
    return {
      name: {
        text: named.join(', ') || ids.map(([, id]) => id).join(', ') || 'A row',
        link: links.row(Object.fromEntries(ids)),
      },
      values: values.map(({ column, index }) =>
        figureOf(unitIn(row, column), row[index] ?? null, meta, links, row[linesAt]),
      ),
    };
  };
  return {
    describe,
    valuesOf: (row) =>
      Object.fromEntries(
        values.map(({ column, index }) => [column.label, formatFigure(unitIn(row, column), row[index] ?? null, meta)]),
      ),
  };
}
