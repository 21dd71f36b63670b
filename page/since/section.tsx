import { type Answer, isNonZero, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, isNumber } from '../data/catalogue.ts';
import { worded } from '../data/words.ts';
import { Empty, Pending } from '../parts/states.tsx';
import { type Cells, countOf } from '../parts/table.tsx';
import { type ComparedRows, SinceTable } from './since-table.tsx';

interface SectionProps {
  readonly catalogue: Catalogue;
  readonly title: string;
  /** Undefined until it has come. */
  readonly answer: Answer | undefined;
  readonly path?: string | undefined;
  /** The columns shown, as far as the reader may see them and they hold anything. */
  readonly names: readonly string[];
  /** Words for columns, where they are others than those of the report. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly cells?: Cells;
  readonly totalCells?: Cells;
  readonly linkOf?: (row: Row) => string | undefined;
  /** The differences of its rows since a state. Default: none. */
  readonly since?: ComparedRows;
}

/** A table of a place under its title. */
export function Section({ catalogue, title, answer, path, names, labels = {}, ...cells }: SectionProps) {
  const columns = answer ? columnsOf(catalogue, answer.meta.report, names) : [];
  const rows = answer ? rowsOf(answer).filter((row) => !isNothing(row, columns)) : [];
  return (
    <section>
      <h2>{title}</h2>
      {!answer ? (
        <Pending />
      ) : rows.length > 0 ? (
        <SinceTable
          catalogue={catalogue}
          caption={(shown) => (
            <>
              <span class="unseen">{title}: </span>
              {countOf(shown, 'row')}
            </>
          )}
          columns={worded(catalogue, columns)
            .filter((column) => isUsed(column, rows))
            .map((column) => ({ ...column, label: labels[column.name] ?? column.label }))}
          rows={rows}
          totals={answer.totals}
          currency={answer.meta.currency}
          path={path}
          name={title.toLowerCase()}
          {...cells}
        />
      ) : (
        <Empty>None in this window.</Empty>
      )}
    </section>
  );
}

/** Returns whether a column says anything: an unknown amount does, an empty budget doesn't. */
function isUsed(column: Column, rows: readonly Row[]): boolean {
  const canBeEmpty = !isNumber(column) || column.name.startsWith('budget');
  return !canBeEmpty || rows.some((row) => textOf(row, column.name) !== null);
}

/** Returns whether a row without a name has zeros alone: it is there for columns that aren't shown. */
function isNothing(row: Row, [name, ...others]: readonly Column[]): boolean {
  if (name === undefined || textOf(row, name.name) !== null) return false;
  return others.filter(isNumber).every((column) => textOf(row, column.name) !== null && !isNonZero(row, column.name));
}

/** Returns the measures of a place's tables: hours, and the subject if it is another. */
export function measuresOf(by: string): string[] {
  const subjects = [...new Set(['hours', by])];
  return subjects.flatMap((subject) => ['scheduled_to_date', 'actual', 'variance'].map((name) => `${name}_${subject}`));
}
