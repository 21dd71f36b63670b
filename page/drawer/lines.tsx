import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { inBudgetUnit } from '../data/budget-units.ts';
import { type Catalogue, type Column, reportOf, unitOf } from '../data/catalogue.ts';
import { formatDate, formatDays, formatDecimal } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { LineLink, linkOfNumber } from '../parts/line-links.tsx';
import { Empty, Failed, Ready, TableShape } from '../parts/states.tsx';
import { ReportTable } from '../parts/table.tsx';
import { Crumbs } from './crumbs.tsx';
import { type ExplainAnswer, Explained } from './explained.tsx';
import { listLines, nextLines } from './line.tsx';
import { MoreLines, pathOfLines, useLinePages } from './line-pages.tsx';

/** Columns of lines in the drawer, in this order, where the lines have them. */
const SHOWN = [
  ...['date', 'kind', 'person', 'contribution', 'budget_unit', 'retainer_unit', 'hours'],
  ...['cost_rate', 'cost_rate_source', 'bill_rate', 'bill_rate_source'],
  ...['work_hours', 'time_off_hours', 'capacity_hours', 'scheduled_hours', 'actual_hours'],
  ...['task', 'phase', 'project'],
];

/** Columns of the cells of a bridge, each of a project, a role and a person. */
const SHOWN_OF_CELLS = [
  ...['person', 'role', 'contribution', 'scheduled_hours', 'actual_hours'],
  ...['all', 'project', 'role', 'person'].flatMap((level) => [`rate_${level}`, `rate_${level}_source`]),
  'project',
];

/** Columns that stay in the table even if all lines have the same value. */
const ALWAYS: readonly string[] = ['date', 'contribution', 'hours', 'scheduled_hours', 'actual_hours'];

/** Groups of measures of which some are made of others, and have no lines of their own. */
const MADE: readonly string[] = ['earned', 'rates', 'bridge', 'billing'];

/** The lines behind a number, their sum, and the derivation of the number. */
export function Lines({ catalogue, query }: { catalogue: Catalogue; query: string }) {
  const parameters = new URLSearchParams(query);
  const [report, measure] = [parameters.get('report') ?? 'pivot', parameters.get('measure') ?? ''];
  const column = reportOf(catalogue, report).columns.find(({ name }) => name === measure);
  if (!column)
    return (
      <Failed
        failure={{
          status: 404,
          message: `The report ${report} has no measure "${measure}" for this token. Costs and profits need the scope "rates".`,
        }}
      />
    );
  return (
    <>
      <Crumbs catalogue={catalogue} query={query} label={column.label} />
      <h2>{column.label}</h2>
      <p class="hint">{column.description}</p>
      {isDerived(column) ? (
        <Derivation query={query} column={column} />
      ) : MADE.includes(column.group ?? '') ? (
        <MadeNumber catalogue={catalogue} query={query} column={column} />
      ) : (
        <DerivedLines catalogue={catalogue} query={query} column={column} />
      )}
    </>
  );
}

/** Returns whether a measure is made of others, which have the lines: a percentage, another ratio, an effect on profit. */
function isDerived({ name, unit }: Column): boolean {
  return unit === 'percent' || unit === 'rate' || (name.startsWith('profit_') && name.endsWith('_effect'));
}

function Derivation({ query, column }: { query: string; column: Column }) {
  const reading = useAnswers<ExplainAnswer>([`/v3/explain?${query}`]);
  return (
    <Ready reading={reading} shape={<TableShape rows={4} />}>
      {([answer]) => answer && <Explained answer={answer} column={column} query={query} />}
    </Ready>
  );
}

/** A number that may be made of others: its derivation tells, and the lines follow if it has any. */
function MadeNumber({ catalogue, query, column }: { catalogue: Catalogue; query: string; column: Column }) {
  const reading = useAnswers<ExplainAnswer>([`/v3/explain?${query}`]);
  return (
    <Ready reading={reading} shape={<TableShape rows={4} />}>
      {([answer]) => {
        if (!answer) return null;
        const { lines, unit } = answer.explain;
        const counted = { ...column, unit };
        return lines === null ? (
          <Explained answer={answer} column={counted} query={query} />
        ) : (
          <DerivedLines catalogue={catalogue} query={query} column={counted} />
        );
      }}
    </Ready>
  );
}

/** The derivation of a number above its lines; the lines are requested first, because the derivation takes longer. */
function DerivedLines({ catalogue, query, column }: { catalogue: Catalogue; query: string; column: Column }) {
  const path = pathOfLines(query);
  const reading = useAnswers<Answer>([path]);
  const first = reading.state === 'ready' ? reading.answers[0] : undefined;
  const shown = first ? inBudgetUnit(column, rowsOf(first)) : column;
  return (
    <>
      {reading.state === 'loading' && <TableShape rows={4} />}
      {first && <Derivation query={query} column={shown} />}
      <Ready reading={reading} shape={<TableShape rows={12} />}>
        {() => first && <LinePages {...{ catalogue, query, path, first }} column={shown} />}
      </Ready>
    </>
  );
}

/** The first page of lines, and the next pages on request. */
function LinePages(props: { catalogue: Catalogue; query: string; path: string; first: Answer; column: Column }) {
  const { catalogue, query, path, first, column } = props;
  const { rows, failure, more } = useLinePages(path, first);
  const { currency, row_count: count } = first.meta;
  const sum = textOf(first.totals, 'contribution');
  const { columns } = reportOf(catalogue, 'lines');
  const hasCells = rows[0]?.['kind'] === 'cell';
  const filled = (hasCells ? SHOWN_OF_CELLS : SHOWN).filter((name) => rows.some((row) => textOf(row, name) !== null));
  const isWhole = more === undefined;
  const constant = isWhole && rows.length > 1 ? filled.filter((name) => isConstant(rows, name)) : [];
  const ofLines = filled.flatMap((name) => columns.find((each) => each.name === name) ?? []);
  const typed = ofLines.map((each) => (each.name === 'contribution' ? { ...each, unit: column.unit } : each));
  nextLines.value = listLines(query, first, rows);
  return (
    <section>
      <h2>Lines</h2>
      <p class="sum">
        {formatDecimal(String(count ?? rows.length))} {count === 1 ? 'line' : 'lines'}; their contributions add up to{' '}
        <output>{sum === null ? 'unknown' : formatDecimal(sum)}</output> {unitOf(column, currency)}
        {isWhole && <Covered rows={rows} />}
      </p>
      {constant.length > 0 && <Constants columns={typed} names={constant} row={rows[0]} currency={currency} />}
      {rows.length === 0 ? (
        <Empty>No line is behind this number.</Empty>
      ) : (
        <ReportTable
          name="lines"
          caption={
            hasCells
              ? 'The hours of a person in a role of a project open their lines'
              : 'A line tells why it is priced as it is'
          }
          columns={typed.filter(({ name }) => !constant.includes(name))}
          rows={rows}
          currency={currency}
          shownRows={Number.POSITIVE_INFINITY}
          isPartial={!isWhole}
          path={path}
          cells={{ date: (row) => <LineLink row={row} /> }}
          linkOf={(row, column) => linkOfNumber(row, column, path)}
        />
      )}
      <MoreLines shown={rows.length} count={count} failure={failure} more={more} />
    </section>
  );
}

function isConstant(rows: readonly Row[], name: string): boolean {
  return !ALWAYS.includes(name) && new Set(rows.map((row) => textOf(row, name))).size === 1;
}

/** The days that lines really have, which are fewer than those of the window, or more for a budget. */
function Covered({ rows }: { rows: readonly Row[] }) {
  const days = rows.flatMap((row) => textOf(row, 'date') ?? []).toSorted();
  const [start, end] = [days[0], days.at(-1)];
  if (start === undefined || end === undefined) return null;
  return (
    <>, {start === end ? `on ${formatDate(start)}` : `from ${formatDays({ start_date: start, end_date: end })}`}</>
  );
}

/** The values that all lines share, in words. */
function Constants(props: {
  columns: readonly Column[];
  names: readonly string[];
  row: Row | undefined;
  currency: string;
}) {
  const { columns, names, row, currency } = props;
  return (
    <p class="constants">
      All of them:{' '}
      {columns
        .filter(({ name }) => names.includes(name))
        .map((column) => {
          const text = textOf(row, column.name) ?? '';
          const unit = unitOf({ unit: column.unit }, currency);
          return `${column.label.toLowerCase()} ${unit ? `${formatDecimal(text)} ${unit}` : text}`;
        })
        .join(' · ')}
    </p>
  );
}
