import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { type Catalogue, type Column, columnsOf, reportOf, unitOf } from './catalogue.ts';
import { formatDate, formatDecimal } from './numbers.ts';
import { useAnswers, usePages } from './reading.ts';
import { Empty, Failed, Ready, TableShape } from './states.tsx';
import { type Cells, ReportTable } from './table.tsx';

const LINES_PER_PAGE = 100;

/** What a line has then and now, by the ending of the two columns, in the order of the table. */
const PAIRED = ['date', 'person', 'project', 'status', 'billable', 'hours', 'cost_rate', 'bill_rate', 'amount'];

/** Columns that the table has in any case. */
const ALWAYS: readonly string[] = ['date', 'amount'];

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
  const { pages, failure, more } = usePages(first, (read) => {
    const cursor = read.at(-1)?.meta.next_cursor;
    return cursor && `${path}&cursor=${encodeURIComponent(cursor)}`;
  });
  const rows = pages.flatMap(rowsOf);
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
      {failure && <Failed failure={failure} />}
      {more && (
        <p class="more">
          {formatDecimal(String(rows.length))} of {count === undefined ? 'more' : formatDecimal(String(count))} lines.{' '}
          <button type="button" onClick={more}>
            Show more
          </button>
        </p>
      )}
    </section>
  );
}

/** Returns a column for each pair that differs on some line, and those of the line itself. */
function columnsToShow(catalogue: Catalogue, rows: readonly Row[], measure: Column): readonly Column[] {
  const differs = (name: string) => rows.some((row) => textOf(row, `${name}_then`) !== textOf(row, `${name}_now`));
  const has = (name: string) => rows.some((row) => textOf(row, name) !== null);
  const named = ['person', 'project', 'hours'];
  const paired = PAIRED.filter((name) => ALWAYS.includes(name) || named.includes(name) || differs(name));
  const names = [...paired.map((name) => `${name}_now`), 'kind', 'causes', 'contribution', 'changed_at', 'changed_by'];
  return columnsOf(catalogue, 'changed-lines', names)
    .filter(({ name }) => name.endsWith('_now') || has(name))
    .map((column) => {
      const unit = ['amount_now', 'contribution'].includes(column.name) ? measure.unit : column.unit;
      return { ...column, unit, label: column.label.replace(/ now$/, '') };
    });
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
  if (then === now) return format(now);
  const isGone = textOf(row, 'line_id_now') === null;
  const isNew = textOf(row, 'line_id_then') === null;
  if (isNew) return format(now);
  return isGone ? <del>{format(then)}</del> : `${format(then)} → ${format(now)}`;
}

function formatText(text: string, unit: string): string {
  if (unit === 'boolean') return text === 'true' ? 'yes' : 'no';
  return unit === 'text' ? text : formatDecimal(text);
}
