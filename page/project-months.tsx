import { useState } from 'preact/hooks';
import { address, go, linkTo, linkToScreen } from './address.ts';
import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { type Catalogue, type Column, columnsOf, unitOf } from './catalogue.ts';
import { Figure } from './figure.tsx';
import { formatMonth, judge, stepOf, toFloat } from './numbers.ts';
import { Empty } from './states.tsx';
import { More, Unit } from './table.tsx';

/** Projects shown at first, and with each press of the button. */
const PROJECTS_SHOWN = 50;

interface ProjectMonthsProps {
  readonly catalogue: Catalogue;
  readonly by: string;
  readonly sort: string;
  readonly projects: Answer;
  readonly cells: Answer;
  readonly byMonth: Answer;
}

/** Projects as rows, months as columns: the variance in percent, beside budget and margin. */
export function ProjectMonths({ catalogue, by, sort, projects, cells, byMonth }: ProjectMonthsProps) {
  const [shown, show] = useState(PROJECTS_SHOWN);
  const find = address.value.get('find') ?? '';
  const rows = rowsOf(projects).filter((row) => (textOf(row, 'name') ?? '').toLowerCase().includes(find.toLowerCase()));
  const months = rowsOf(byMonth).map((row) => textOf(row, 'month') ?? '');
  const [variance, ...others] = columnsOf(catalogue, 'projects', [
    `variance_${by}_percent`,
    'budget_used_percent',
    'actual_margin_percent',
  ]);
  if (!variance) return null;
  // Months that begin after the cutoff have no actuals yet, so nothing to compare.
  const isPlan = (month: string) => month > (byMonth.meta.cutoff?.date ?? month);
  const cellOf = new Map(rowsOf(cells).map((row) => [`${row['project_id']} ${row['month']}`, row]));
  const { currency } = projects.meta;
  const header = (column: Column) => <SortLink column={column} sort={sort} currency={currency} />;
  return (
    <section>
      <div class="heading">
        <h2>Projects by months</h2>
        <input
          type="search"
          aria-label="Find a project"
          placeholder="Find a project"
          value={find}
          onInput={({ currentTarget: { value } }) => go(linkTo({ find: value || undefined }), true)}
        />
      </div>
      <Legend column={variance} />
      <div class="scroll">
        <table class="months">
          <caption>{variance.label}: actual against scheduled, to the cutoff</caption>
          <thead>
            <tr>
              <th scope="col">{header({ ...variance, name: 'name', label: 'Project', unit: 'text' })}</th>
              <th scope="col" class="number">
                {header(variance)}
              </th>
              {others.map((column) => (
                <th scope="col" class="number">
                  {header(column)}
                </th>
              ))}
              {months.map((month) => (
                <th scope="col" class="number">
                  {formatMonth(month)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <tr>
                <th scope="row">
                  <ProjectName row={row} />
                </th>
                <Heat row={row} column={variance} />
                {others.map((column) => (
                  <td class="number">
                    <Bar row={row} column={column} />
                  </td>
                ))}
                {months.map((month) =>
                  isPlan(month) ? (
                    <PlanCell />
                  ) : (
                    <Heat row={cellOf.get(`${row['project_id']} ${month}`)} column={variance} />
                  ),
                )}
              </tr>
            ))}
          </tbody>
          {find === '' && (
            <tfoot>
              <tr>
                <th scope="row">All projects</th>
                <Heat row={projects.totals} column={variance} />
                {others.map((column) => (
                  <td class="number">{projects.totals && <Figure row={projects.totals} column={column} />}</td>
                ))}
                {rowsOf(byMonth).map((row) =>
                  isPlan(textOf(row, 'month') ?? '') ? <PlanCell /> : <Heat row={row} column={variance} />,
                )}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {rows.length === 0 && <Empty>No project of this window has “{find}” in its name.</Empty>}
      <More shown={shown} of={rows.length} show={show} step={PROJECTS_SHOWN} />
    </section>
  );
}

function ProjectName({ row }: { row: Row }) {
  const client = textOf(row, 'client');
  return (
    <>
      <a href={linkToScreen('project', { project_id: textOf(row, 'project_id') ?? '' })}>
        {textOf(row, 'name') || `(no name) ${row['project_id']}`}
      </a>
      {client && <small>{client}</small>}
    </>
  );
}

/** A header that sorts by its column, upwards or downwards. */
function SortLink({
  column: { name, label, unit, description },
  sort,
  currency,
}: {
  column: Column;
  sort: string;
  currency: string;
}) {
  const isDown = sort === `-${name}`;
  const mark = isDown ? ' ↓' : sort === name ? ' ↑' : '';
  const first = unit === 'text' ? name : `-${name}`;
  const next = sort === first ? (isDown ? name : `-${name}`) : first;
  return (
    <a href={linkTo({ sort: next })} title={description}>
      {label}
      <Unit of={unitOf({ unit, label }, currency)} />
      {mark}
    </a>
  );
}

/** The color scales of favorable and unfavorable variances, as classes. */
const SCALES = { F: 'f', U: 'a' };

/** A cell whose color, sign and letter tell the direction and the size of a variance. */
function Heat({ row, column }: { row: Row | null | undefined; column: Column }) {
  const text = textOf(row, column.name);
  if (!row) return <td class="number" />;
  if (text === null)
    return (
      <td class="number">
        <Figure row={row} column={column} />
      </td>
    );
  const judged = judge(text, column.better);
  return (
    <td class={`number heat ${judged ? SCALES[judged] : 'n'}${stepOf(text)}`}>
      <Figure row={row} column={column} decimals={2} />
    </td>
  );
}

/** A hatched cell of a month after the cutoff: all of it is plan. */
function PlanCell() {
  return (
    <td class="number plan" title="After the cutoff: all of it is plan">
      <span class="unseen">plan</span>
    </td>
  );
}

function Legend({ column: { better } }: { column: Column }) {
  if (better === undefined || better === 'none')
    return <p class="legend">Darker is a larger difference: from 2.5, 5, 10, 20, 50 %.</p>;
  return (
    <p class="legend">
      <span class="heat f3">F favorable</span> <span class="heat a3">U unfavorable</span> Darker is a larger difference:
      from 2.5, 5, 10, 20, 50 %.
    </p>
  );
}

/** A percentage with a bar up to 100 %, and a mark beyond it. */
function Bar({ row, column }: { row: Row; column: Column }) {
  const percent = toFloat(row[column.name]);
  return (
    <span class={percent > 100 ? 'bar over' : 'bar'}>
      <Figure row={row} column={column} decimals={2} />
      <span class="track">
        <span style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
      </span>
    </span>
  );
}
