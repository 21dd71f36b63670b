import { type Answer, type Row, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, reportOf, unitOf } from '../data/catalogue.ts';
import { formatDate, formatDecimal } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { Empty, Ready, TableShape } from '../parts/states.tsx';
import { type Cells, ReportTable } from '../parts/table.tsx';
import { MoreLines, useLinePages } from './line-pages.tsx';

const LINES_PER_PAGE = 100;

/** Columns of the table, in this order; those of a line then and now by the latter. */
const SHOWN = [
  ...['date_now', 'person_now', 'project_now', 'causes', 'contribution', 'hours_now', 'amount_now'],
  ...['cost_rate_now', 'bill_rate_now', 'status_now', 'billable_now', 'kind', 'closing', 'changed_at', 'changed_by'],
];

/** Columns that the table has only where they tell a difference. */
const IF_CHANGED: readonly string[] = ['cost_rate_now', 'bill_rate_now', 'status_now', 'billable_now'];

/** The lines behind a difference, then and now. @param query Parameters of the report changed-lines. */
export function ChangedLines({ catalogue, query }: { catalogue: Catalogue; query: string }) {
  const path = `${reportOf(catalogue, 'changed-lines').path}?${query}&decimals=string&limit=${LINES_PER_PAGE}`;
  const reading = useAnswers<Answer>([path]);
  const parameters = new URLSearchParams(query);
  const measure = reportOf(catalogue, 'pivot').columns.find(({ name }) => name === parameters.get('measure'));
  const cause = columnsOf(catalogue, 'changes', [parameters.get('cause') ?? '']);
  return (
    <>
      <h2>
        {measure?.label ?? 'Changes'}: {cause[0]?.label.toLowerCase() ?? 'all causes'}
      </h2>
      {cause[0] && <p class="hint">{cause[0].description}</p>}
      <Ready reading={reading} shape={<TableShape rows={12} />}>
        {([first]) => first && measure && <ChangedPages key={path} {...{ catalogue, path, first, measure }} />}
      </Ready>
    </>
  );
}

function ChangedPages(props: { catalogue: Catalogue; path: string; first: Answer; measure: Column }) {
  const { catalogue, path, first, measure } = props;
  const { rows, failure, more } = useLinePages(path, first);
  const { currency, row_count: count } = first.meta;
  const sum = textOf(first.totals, 'contribution');
  const columns = columnsToShow(catalogue, rows, measure);
  return (
    <section>
      <p class="sum">
        {formatDecimal(String(count ?? rows.length))} {count === 1 ? 'line' : 'lines'}; their parts of the difference
        add up to <output>{sum === null ? 'unknown' : formatDecimal(sum, true)}</output> {unitOf(measure, currency)}
      </p>
      {rows.length === 0 ? (
        <Empty>No line is behind this number.</Empty>
      ) : (
        <ReportTable
          name="changed-lines"
          caption="Each line then → now"
          columns={columns}
          rows={rows}
          currency={currency}
          shownRows={Number.POSITIVE_INFINITY}
          isPartial={more !== undefined}
          path={path}
          cells={cellsOf(columns)}
        />
      )}
      <MoreLines shown={rows.length} count={count} failure={failure} more={more} />
    </section>
  );
}

/** Returns the columns that tell something about these lines. */
function columnsToShow(catalogue: Catalogue, rows: readonly Row[], measure: Column): readonly Column[] {
  const isChanged = (name: string) =>
    rows.some((row) => isBoth(row) && textOf(row, name.replace(/_now$/, '_then')) !== textOf(row, name));
  const isFilled = (name: string) => name.endsWith('_now') || rows.some((row) => textOf(row, name) !== null);
  const names = SHOWN.filter((name) => (IF_CHANGED.includes(name) ? isChanged(name) : isFilled(name)));
  return columnsOf(catalogue, 'changed-lines', names).map((column) => {
    const unit = ['amount_now', 'contribution'].includes(column.name) ? measure.unit : column.unit;
    return { ...column, unit, label: column.label.replace(/ now$/, '') };
  });
}

/** Returns whether a line is there in both states. */
function isBoth(row: Row): boolean {
  return textOf(row, 'line_id_then') !== null && textOf(row, 'line_id_now') !== null;
}

/** Returns the cells of pairs: one value where both are the same, else both. */
function cellsOf(columns: readonly Column[]): Cells {
  const paired = columns.filter(({ name }) => name.endsWith('_now'));
  return Object.fromEntries(paired.map((column) => [column.name, (row: Row) => pairOf(row, column)]));
}

function pairOf(row: Row, { name, unit }: Column) {
  const format = (text: string | null) =>
    text === null ? '–' : unit === 'date' ? formatDate(text) : formatText(text, unit);
  const [then, now] = [textOf(row, name.replace(/_now$/, '_then')), textOf(row, name)];
  if (!isBoth(row)) return textOf(row, 'line_id_then') === null ? format(now) : <del>{format(then)}</del>;
  return then === now ? format(now) : `${format(then)} → ${format(now)}`;
}

function formatText(text: string, unit: string): string {
  if (unit === 'boolean') return text === 'true' ? 'yes' : 'no';
  return unit === 'text' ? text : formatDecimal(text);
}
