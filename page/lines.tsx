import { linkTo } from './address.ts';
import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { type Catalogue, type Column, reportOf, unitOf } from './catalogue.ts';
import { type ExplainAnswer, Explained } from './explained.tsx';
import { formatDecimal } from './numbers.ts';
import { useAnswers, usePages } from './reading.ts';
import { Empty, Failed, Ready, TableShape } from './states.tsx';
import { ReportTable } from './table.tsx';

const LINES_PER_PAGE = 100;

/** Columns of lines in the drawer, in this order, where the lines have them. */
const SHOWN = [
  ...['date', 'kind', 'person', 'contribution', 'budget_unit', 'hours'],
  ...['cost_rate', 'cost_rate_source', 'bill_rate', 'bill_rate_source'],
  ...['work_hours', 'time_off_hours', 'capacity_hours', 'scheduled_hours', 'task', 'phase', 'project'],
];

/** The lines behind a number, their sum, and the derivation of the number. */
export function Lines({ catalogue, query }: { catalogue: Catalogue; query: string }) {
  const parameters = new URLSearchParams(query);
  const [report, measure] = [parameters.get('report') ?? 'pivot', parameters.get('measure') ?? ''];
  const column = reportOf(catalogue, report).columns.find(({ name }) => name === measure);
  if (!column)
    return <Failed failure={{ status: 404, message: `The report ${report} has no measure "${measure}".` }} />;
  return (
    <>
      <h2>{column.label}</h2>
      <p class="hint">{column.description}</p>
      <Choice catalogue={catalogue} parameters={parameters} isWholeLife={measure.startsWith('budget')} />
      {column.unit === 'percent' ? (
        <Derivation query={query} column={column} />
      ) : (
        <DerivedLines catalogue={catalogue} query={query} column={column} key={query} />
      )}
    </>
  );
}

/** The window and the filters of the number, in words. A budget covers the whole life of its project. */
function Choice(props: { catalogue: Catalogue; parameters: URLSearchParams; isWholeLife: boolean }) {
  const { catalogue, parameters, isWholeLife } = props;
  const labels = new Map(
    catalogue.reports.flatMap((report) => report.parameters).map(({ name, label }) => [name, label]),
  );
  const own = [
    'report',
    'measure',
    'start_date',
    'end_date',
    'period',
    'period_start',
    'period_end',
    'group_by',
    'include_empty',
  ];
  const start = parameters.get('period_start') ?? parameters.get('start_date');
  const end = parameters.get('period_end') ?? parameters.get('end_date');
  const filters = [...parameters].filter(([name]) => !own.includes(name));
  return (
    <p>
      {isWholeLife
        ? 'The whole life of the project, whatever the window'
        : (parameters.get('period') ?? `${start} to ${end}`)}
      {filters.map(([name, value]) => ` · ${labels.get(name) ?? name}: ${value}`)}
    </p>
  );
}

function Derivation({ query, column }: { query: string; column: Column }) {
  const reading = useAnswers<ExplainAnswer>([`/v3/explain?${query}`]);
  return (
    <Ready reading={reading} shape={<TableShape rows={4} />}>
      {([answer]) => answer && <Explained answer={answer} column={column} />}
    </Ready>
  );
}

/** The derivation of a number above its lines; the lines are requested first, because the derivation takes longer. */
function DerivedLines({ catalogue, query, column }: { catalogue: Catalogue; query: string; column: Column }) {
  const path = `/v3/reports/lines?${query}&decimals=string&limit=${LINES_PER_PAGE}`;
  const reading = useAnswers<Answer>([path]);
  return (
    <>
      {reading.state === 'loading' ? <TableShape rows={4} /> : <Derivation query={query} column={column} />}
      <Ready reading={reading} shape={<TableShape rows={12} />}>
        {([first]) => first && <LinePages catalogue={catalogue} path={path} first={first} column={column} />}
      </Ready>
    </>
  );
}

/** The first page of lines, and the next pages on request. */
function LinePages(props: { catalogue: Catalogue; path: string; first: Answer; column: Column }) {
  const { catalogue, path, first, column } = props;
  const { pages, failure, more } = usePages(first, (read) => {
    const cursor = read.at(-1)?.meta.next_cursor;
    return cursor && `${path}&cursor=${encodeURIComponent(cursor)}`;
  });
  const rows = pages.flatMap(rowsOf);
  const { currency, row_count: count } = first.meta;
  const sum = textOf(first.totals, 'contribution');
  const { columns } = reportOf(catalogue, 'lines');
  const shown = SHOWN.filter((name) => rows.some((row) => textOf(row, name) !== null));
  const ofLines = shown.flatMap((name) => columns.find((each) => each.name === name) ?? []);
  const typed = ofLines.map((each) => (each.name === 'contribution' ? { ...each, unit: column.unit } : each));
  return (
    <section>
      <h2>Lines</h2>
      <p class="sum">
        {count ?? rows.length} lines; their contributions add up to{' '}
        <output>{sum === null ? 'unknown' : formatDecimal(sum)}</output> {unitOf(column, currency)}
      </p>
      {rows.length === 0 ? (
        <Empty>No line is behind this number.</Empty>
      ) : (
        <ReportTable
          caption="Open a line to see why it costs what it costs"
          columns={typed}
          rows={rows}
          currency={currency}
          shownRows={Number.POSITIVE_INFINITY}
          cells={{ date: (row) => <LineLink row={row} /> }}
        />
      )}
      {failure && <Failed failure={failure} />}
      {more && (
        <p class="more">
          {rows.length} of {count ?? 'more'} lines.{' '}
          <button type="button" onClick={more}>
            Show more
          </button>
        </p>
      )}
    </section>
  );
}

/** The day of a line as a link to its explanation. */
export function LineLink({ row }: { row: Row }) {
  const id = textOf(row, 'line_id');
  const text = textOf(row, 'date') ?? '(no date)';
  const isExplained = id !== null && /^[sae]:/.test(id);
  return isExplained ? <a href={linkTo({ line: id })}>{text}</a> : text;
}
