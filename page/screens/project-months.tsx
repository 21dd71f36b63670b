import { useState } from 'preact/hooks';
import { Bar, Heat, Legend, PlanCell } from '../charts/heat.tsx';
import { Sparkline } from '../charts/sparkline.tsx';
import { address, go, linkTo, linkToScreen } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { BILL_WORDS, POSITION, withPositions } from '../data/bills.ts';
import { type Catalogue, type Column, columnsOf, measureOf, newsOf } from '../data/catalogue.ts';
import { formatMonth, nameOr, toFloat } from '../data/numbers.ts';
import { hasBills } from '../data/read-bills.ts';
import { worded } from '../data/words.ts';
import { ClosedMark, type SinceClosed, useSinceClosed } from '../head/kept-states.tsx';
import { areCompared } from '../parts/change.tsx';
import { Figure } from '../parts/figure.tsx';
import { hasShownStatus, hasStatus, STATUSES, Status } from '../parts/insights.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { nextSort, orderOf, SortHeader, sortRows } from '../parts/sorting.tsx';
import { Empty, Failed, Pending } from '../parts/states.tsx';
import { More } from '../parts/table.tsx';
import { TableTools } from '../parts/table-tools.tsx';
import { Unpriced } from '../parts/unpriced.tsx';
import { textsOfMonths, workbookOfMonths } from '../since/month-texts.ts';
import { type Since, useSince } from '../since/since-changes.ts';
import { SinceCells, SinceHeads, SinceTotals, useChangedRows } from '../since/since-table.tsx';

/** Projects shown at first, and with each press of the button. */
const PROJECTS_SHOWN = 50;

interface ProjectMonthsProps {
  readonly catalogue: Catalogue;
  readonly by: string;
  readonly sort: string;
  readonly projects: Answer;
  readonly cells: Answer;
  readonly byMonth: Answer;
  /** The position of each project; undefined until it has come, and in a company without bills. */
  readonly positions: Answer | undefined;
}

/** The columns of the rows of projects and of their totals. */
interface Shown {
  readonly by: string;
  /** The measure of what was done. */
  readonly actual: string;
  readonly closed: SinceClosed;
  /** The differences of projects since the state of the address. */
  readonly since: Since | undefined;
  readonly variance: Column;
  readonly others: readonly Column[];
  readonly months: readonly string[];
  /** The months that begin after the cutoff: they have no actuals yet, so nothing to compare. */
  readonly planned: readonly string[];
}

/** Projects as rows, months as columns: the variance in percent, beside budget and margin. */
export function ProjectMonths({ catalogue, by, sort, projects, cells, byMonth, positions }: ProjectMonthsProps) {
  const [count, show] = useState(PROJECTS_SHOWN);
  const cutoff = byMonth.meta.cutoff?.date;
  const all = rowsOf(byMonth).map((row) => textOf(row, 'month') ?? '');
  const isPlanned = (month: string) => month > (cutoff ?? month);
  const months = all.filter((month) => !isPlanned(month));
  const closed = useSinceClosed(catalogue, by, months);
  const changes = useSince(catalogue, newsOf(catalogue, by)[0], ['project']);
  const since = changes?.since;
  const find = address.value.get('find') ?? '';
  const [position] = hasBills.value ? columnsOf(catalogue, 'projects', [POSITION]) : [];
  const ordered = sortRows(withPositions(rowsOf(projects), positions), orderOf(sort), position ? [position] : []);
  const found = ordered.filter((row) => isFound(row, find) && hasShownStatus(row));
  const { rows, left } = useChangedRows(since, found, ordered);
  const status = STATUSES[address.value.get('show') ?? ''];
  const names = [measureOf(catalogue, by, 'variance_percent'), 'budget_used_percent', 'actual_margin_percent'];
  const [variance, ...shares] = worded(catalogue, columnsOf(catalogue, 'projects', names));
  const others = [...shares, ...(position ? [{ ...position, label: BILL_WORDS[POSITION] ?? position.label }] : [])];
  const [totals] = projects.totals ? withPositions([projects.totals], positions) : [];
  if (!variance) return null;
  const actual = measureOf(catalogue, by, 'actual');
  if (changes?.state === 'loading') return <Pending rows={16} />;
  const planned = all.filter(isPlanned);
  const shown = { by, actual, closed, since, variance, others, months, planned };
  const isSelected = find !== '' || status !== undefined;
  const cellsOf = Map.groupBy(rowsOf(cells), (row) => row['project_id'] ?? null);
  return (
    <section>
      <div class="heading">
        <h2>Projects by months</h2>
        {status && (
          <span class="chip">
            {status.word} <a href={linkTo({ show: undefined })}>show all</a>
          </span>
        )}
        <Legend column={variance} />
        <input
          type="search"
          aria-label="Find a project or a client"
          placeholder="Find a project or a client"
          value={find}
          onInput={({ currentTarget: { value } }) => go(linkTo({ find: value || undefined }), true)}
        />
        <TableTools
          name="projects-by-months"
          seen={() => textsOfMonths(shown, rows, cellsOf, totals, byMonth)}
          files={[
            { format: 'csv' },
            ...(isSelected || since || areCompared(rows) ? [] : [workbookOfMonths(catalogue, shown)]),
          ]}
        />
      </div>
      <Scroll>
        <table class="months">
          <caption class="unseen">
            {variance.label}: actual against scheduled, to the cutoff. A cell opens the exact number.
          </caption>
          <Head {...shown} currency={projects.meta.currency} sort={sort} />
          <tbody>
            {rows.slice(0, count).map((row) => (
              <ProjectRow {...shown} row={row} cells={cellsOf.get(row['project_id'] ?? null) ?? []} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All projects</th>
              <Heat row={totals} column={variance} />
              {others.map((column) => (
                <td class="number">{totals && <Amount row={totals} column={column} />}</td>
              ))}
              {since && <SinceTotals of={since} />}
              <td />
              {rowsOf(byMonth)
                .slice(0, months.length)
                .map((row) => (
                  <Heat row={row} column={variance} />
                ))}
              {shown.planned.length > 0 && <PlanCell />}
            </tr>
          </tfoot>
        </table>
      </Scroll>
      {changes?.state === 'failed' && <Failed failure={changes.failure} retry={changes.retry} />}
      {left}
      {found.length === 0 && (
        <Empty>
          No project{status && ` that is ${status.word}`} or client of this window has “{find}” in its name.
        </Empty>
      )}
      <More shown={count} of={rows.length} show={show} step={PROJECTS_SHOWN} />
    </section>
  );
}

/** Returns months in words: the only one, or the first and the last. */
function formatMonths(months: readonly string[]): string {
  return [...new Set([months[0], months.at(-1)])].map((month = '') => formatMonth(month)).join(' to ');
}

function isFound(row: Row, find: string): boolean {
  const names = ['name', 'client', 'project_code'].map((name) => textOf(row, name) ?? '');
  return names.some((name) => name.toLowerCase().includes(find.toLowerCase()));
}

function Head({
  closed,
  since,
  variance,
  others,
  months,
  planned,
  currency,
  sort,
}: Shown & { currency: string; sort: string }) {
  const name: Column = { ...variance, name: 'name', label: 'Project', unit: 'text' };
  return (
    <thead>
      <tr>
        {[name, variance, ...others].map((column) => (
          <SortHeader
            column={column}
            currency={currency}
            order={orderOf(sort)}
            href={linkTo({ sort: nextSort(sort, column) })}
          />
        ))}
        {since && <SinceHeads of={since} currency={currency} />}
        <th scope="col">By month</th>
        {months.map((month) => (
          <th scope="col" class="number month">
            {formatMonth(month)}
            <ClosedMark month={month} since={closed} />
          </th>
        ))}
        {planned.length > 0 && <th scope="col">Plan, {formatMonths(planned)}</th>}
      </tr>
    </thead>
  );
}

function ProjectRow({
  row,
  cells,
  by,
  actual,
  variance,
  others,
  months,
  planned,
  since,
}: Shown & { row: Row; cells: readonly Row[] }) {
  const cellOf = new Map(cells.map((cell) => [textOf(cell, 'month'), cell]));
  const actuals = months.map((month) => toFloat(cellOf.get(month)?.[actual]));
  const client = textOf(row, 'client');
  return (
    <tr>
      <th scope="row">
        <a href={linkToScreen('project', { project_id: textOf(row, 'project_id') ?? '' })}>
          {nameOr(textOf(row, 'name'), row['project_id'], 'project')}
        </a>
        {(client || hasStatus(row)) && (
          <small>
            <Status row={row} /> {client}
          </small>
        )}
        <Unpriced row={row} column={actual} />
      </th>
      <Heat row={row} column={variance} />
      {others.map((column) => (
        <td class="number">
          {column.unit === 'percent' ? <Bar row={row} column={column} /> : <Amount row={row} column={column} />}
        </td>
      ))}
      {since && <SinceCells of={since.changed.get(since.keyOf(row))} />}
      <td>
        <Sparkline values={actuals} label={`Actual ${by} by month`} />
      </td>
      {months.map((month) => (
        <Heat row={cellOf.get(month)} column={variance} whole={row} />
      ))}
      {planned.length > 0 && <PlanCell />}
    </tr>
  );
}

/** An amount that may not have come yet. */
function Amount({ row, column }: { row: Row; column: Column }) {
  return column.name in row ? <Figure row={row} column={column} /> : null;
}
