import { useState } from 'preact/hooks';
import type { Row } from '../data/answer.ts';
import { type Catalogue, isNumber, unitOf } from '../data/catalogue.ts';
import { Failed, Pending } from '../parts/states.tsx';
import { ReportTable, type ReportTableProps } from '../parts/table.tsx';
import { type Difference, type Since, textOfCauses, useSince, WHY } from './since-changes.ts';
import { Causes, Value } from './since-news.tsx';

/** The difference of a row and its causes, as cells of a table that has rows of its own. */
export function SinceCells({ of }: { of: Difference | undefined }) {
  return (
    <>
      <td class="number">{of && <Value of={of} />}</td>
      <td class="causes">{of && <Causes of={of} />}</td>
    </>
  );
}

/** The heads of the difference and its causes. */
export function SinceHeads({ of: { column }, currency }: { of: Since; currency: string }) {
  return (
    <>
      <th scope="col" class="number" title={column.description}>
        {column.label} <span class="unit">{unitOf(column, currency)}</span>
      </th>
      <th scope="col">{WHY}</th>
    </>
  );
}

/** The difference of all rows and its causes. */
export function SinceTotals({ of: { total } }: { of: Since }) {
  return <SinceCells of={total} />;
}

/** The measure whose differences since a state are shown, and the dimensions of the rows. */
export interface ComparedRows {
  readonly measure: string | undefined;
  readonly dimensions: readonly string[];
}

interface SinceTableProps extends ReportTableProps {
  readonly catalogue: Catalogue;
  readonly since?: ComparedRows;
}

/** A table of a report, since the state of the address: with differences by cause, and without the rows that haven't changed. */
export function SinceTable({ catalogue, since: asked, ...props }: SinceTableProps) {
  const reading = useSince(catalogue, asked?.measure, asked?.dimensions ?? []);
  if (!reading) return <ReportTable {...props} />;
  if (reading.state === 'failed')
    return (
      <>
        <Failed failure={reading.failure} retry={reading.retry} />
        <ReportTable {...props} />
      </>
    );
  return reading.since ? <ChangedTable since={reading.since} {...props} /> : <Pending />;
}

function ChangedTable({ since, ...props }: ReportTableProps & { since: Since }) {
  const [isWhole, show] = useState(false);
  const { column, changed, keyOf, nameOf, total } = since;
  const [name] = props.columns;
  const numbers = props.columns.findIndex(isNumber);
  const at = numbers < 0 ? props.columns.length : numbers;
  const count = props.rows.filter((row) => !changed.has(keyOf(row))).length;
  if (!name) return null;
  const known = new Set(props.rows.map(keyOf));
  const gone = [...changed].flatMap(([key, { row }]) =>
    known.has(key) ? [] : [{ ...row, [name.name]: row[name.name] ?? nameOf(row) }],
  );
  const rows = [...props.rows.filter((row) => isWhole || changed.has(keyOf(row))), ...gone].map((row) => {
    const found = changed.get(keyOf(row));
    return { ...row, since: found?.value ?? null, since_causes: found ? textOfCauses(found) : null };
  });
  const isAll = rows.length === 0;
  const folded = <Folded {...{ since, count, isAll, isWhole, show }} />;
  if (isAll) return folded;
  const cells = {
    since: (row: Row) => <Shown of={changed.get(keyOf(row))} show={Value} />,
    since_causes: (row: Row) => <Shown of={changed.get(keyOf(row))} show={Causes} />,
  };
  const why = { name: 'since_causes', label: WHY, unit: 'causes', description: 'The causes of the difference.' };
  return (
    <>
      <ReportTable
        {...props}
        columns={[...props.columns.slice(0, at), column, why, ...props.columns.slice(at)]}
        rows={rows}
        totals={props.totals && { ...props.totals, since: total?.value ?? null }}
        cells={{ ...props.cells, ...cells }}
        totalCells={{
          ...props.totalCells,
          since: () => <Shown of={total} show={Value} />,
          since_causes: () => <Shown of={total} show={Causes} />,
        }}
        files={[{ format: 'csv' }]}
      />
      {folded}
    </>
  );
}

function Shown({ of, show: Part }: { of: Difference | undefined; show: typeof Value }) {
  return of ? <Part of={of} /> : null;
}

interface FoldedProps {
  readonly since: Since;
  /** The number of rows that haven't changed. */
  readonly count: number;
  /** True if no row is shown. */
  readonly isAll: boolean;
  readonly isWhole: boolean;
  readonly show: (isWhole: boolean) => void;
}

/**
 * Returns the rows of a table since a state without those that haven't changed, until they are asked for, and the words about
 * the rows that are left out or gone.
 * @param all The rows that aren't gone. Default: those to show.
 */
export function useChangedRows(since: Since | undefined, found: readonly Row[], all = found) {
  const [isWhole, show] = useState(false);
  if (!since) return { rows: found, left: undefined };
  const changed = found.filter((row) => since.changed.has(since.keyOf(row)));
  const rows = isWhole ? found : changed;
  const count = found.length - changed.length;
  const left = (
    <>
      <Folded {...{ since, count, isWhole, show }} isAll={rows.length === 0} />
      <Gone since={since} known={new Set(all.map(since.keyOf))} />
    </>
  );
  return { rows, left };
}

/** Says how many rows without a change are folded away, and shows them. */
function Folded({ since, count, isAll, isWhole, show }: FoldedProps) {
  if (count === 0) return null;
  return (
    <p class={isAll ? 'empty' : 'more'}>
      {count} {count === 1 ? 'row' : 'rows'} without a change of {since.measure.toLowerCase()}.{' '}
      <button type="button" aria-expanded={isWhole} onClick={() => show(!isWhole)}>
        {isWhole ? 'Fold' : 'Show'} {count === 1 ? 'it' : 'them'}
      </button>
    </p>
  );
}

/** Names the rows that have changed and that a table no longer has, each with its difference. */
function Gone({ since, known }: { since: Since; known: ReadonlySet<string> }) {
  const gone = [...since.changed].filter(([key]) => !known.has(key));
  if (gone.length === 0) return null;
  return (
    <p class="more">
      Not in these rows any more:{' '}
      {gone.map(([, difference], index) => (
        <>
          {index > 0 && ', '}
          {since.nameOf(difference.row)} <Value of={difference} />
        </>
      ))}
    </p>
  );
}
