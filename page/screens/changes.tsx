import { ChangeBridge } from '../charts/change-bridge.tsx';
import { address, linkTo } from '../data/address.ts';
import { type Answer, isNonZero, type Row, rowsOf, textOf } from '../data/answer.ts';
import {
  type Catalogue,
  type Column,
  causesOf,
  columnsOf,
  type Dimension,
  filtersOf,
  pathOf,
  reportOf,
  unitOf,
} from '../data/catalogue.ts';
import { type Keys, linkToChanged, linkToValue } from '../data/change-links.ts';
import { compareDecimals, formatDate, formatRead, nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { describeState, findState, keptStates, listKeptStates, MemoButton, referenceOf } from '../head/kept-states.tsx';
import { Figure } from '../parts/figure.tsx';
import { placeCells } from '../parts/place-cells.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Select } from '../parts/select.tsx';
import { Empty, Failed, Pending, Ready, TableShape } from '../parts/states.tsx';
import { ReportTable } from '../parts/table.tsx';

/** Why the numbers of a kept state are others now, or in another state: by cause, and each cause by its lines. */
export function ChangesScreen({ catalogue }: { catalogue: Catalogue }) {
  const read = keptStates.value;
  const asked = address.value.get('from');
  const state = asked === null ? listKeptStates()[0] : findState(asked);
  const from = state ? referenceOf(state) : asked;
  const measures = sumsOf(catalogue);
  const measure = measures.find(({ name }) => name === address.value.get('measures')) ?? measures[0];
  if (from === null || !measure)
    return (
      <>
        <h1>Changes</h1>
        {read === undefined ? (
          <Pending rows={16} />
        ) : 'status' in read ? (
          <Failed failure={read} />
        ) : (
          <Empty>
            No state of the data is kept yet. The command “plumbline close 2026-03” closes a month and keeps it.
          </Empty>
        )}
      </>
    );
  return <Compared catalogue={catalogue} from={from} measure={measure} measures={measures} />;
}

/** Returns the measures that are sums of lines, which causes take apart. */
function sumsOf(catalogue: Catalogue): readonly Column[] {
  const { columns } = reportOf(catalogue, 'pivot');
  const isSum = ({ name }: Column) =>
    /^(scheduled|scheduled_to_date|actual|forecast|tentative)_(hours|cost|fees)$/.test(name);
  const [preferred, others] = [columns.filter(({ name }) => name === 'actual_cost'), columns.filter(isSum)];
  return [...new Set([...preferred, ...others])];
}

/** Dimensions of the rows whose lines a filter of the same name finds. */
function dimensionsOf(catalogue: Catalogue): readonly (Dimension & { readonly parameter: string })[] {
  const filters = filtersOf(reportOf(catalogue, 'changed-lines'));
  return catalogue.dimensions.flatMap((dimension) => {
    const parameter = filters.find((filter) => filter.dimension === dimension.name)?.name;
    return parameter === undefined ? [] : [{ ...dimension, parameter }];
  });
}

interface ComparedProps {
  readonly catalogue: Catalogue;
  /** The reference of the earlier state. */
  readonly from: string;
  readonly measure: Column;
  readonly measures: readonly Column[];
}

function Compared({ catalogue, from, measure, measures }: ComparedProps) {
  const to = address.value.get('to') ?? address.value.get('as_of') ?? 'now';
  const dimensions = dimensionsOf(catalogue);
  const asked = address.value.get('group_by') ?? 'project';
  const dimension = dimensions.find(({ name }) => name === asked) ?? dimensions[0];
  // A closing has a period of its own: it is the window unless the address has another.
  const hasWindow = ['period', 'start_date', 'end_date'].some((name) => address.value.has(name));
  const isClosing = listKeptStates().some((state) => referenceOf(state) === from && state.start_date !== undefined);
  const window = !hasWindow && isClosing ? { period: undefined } : {};
  const shared = { from, to, as_of: undefined, links: undefined, ...window };
  const isWhole = address.value.get('show') === 'all';
  const only_changed = isWhole ? undefined : '1';
  const rows = { group_by: dimension?.name, measures: measure.name, only_changed };
  const path = pathOf(catalogue, 'changes', { ...shared, ...rows });
  const linesOf = pathOf(catalogue, 'changed-lines', { ...shared, measure: measure.name });
  const reading = useAnswers<Answer>([path], true);
  const states = listKeptStates().map((state) => [referenceOf(state), describeState(state)] as const);
  return (
    <>
      <h1>Changes</h1>
      <div class="selects">
        <Select label="From" name="from" chosen={from} options={states} />
        <Select label="to" name="to" chosen={to} options={[['now', 'Now'], ...states]} />
        <Select
          label="Measure"
          name="measures"
          chosen={measure.name}
          options={measures.map(({ name, label }) => [name, label])}
        />
        <Select
          label="By"
          name="group_by"
          chosen={dimension?.name ?? ''}
          options={dimensions.map(({ name, label }) => [name, label])}
        />
        {to === 'now' && <MemoButton state={findState(from)} />}
      </div>
      <Ready reading={reading} shape={<TableShape rows={16} />}>
        {([answer]) =>
          answer &&
          dimension && (
            <>
              <Difference answer={answer} measure={measure} />
              <Provenance meta={answer.meta} />
              {answer.meta.notes.map((note) => (
                <p class="hint">{note}</p>
              ))}
              {(isWhole || answer.meta.notes.length > 0) && (
                <p class="hint">
                  <a href={linkTo({ show: isWhole ? undefined : 'all' })}>
                    {isWhole ? 'Leave out rows without a difference' : 'Show all rows'}
                  </a>
                </p>
              )}
              <Causes {...{ catalogue, answer, measure, dimension, path, linesOf }} />
            </>
          )
        }
      </Ready>
    </>
  );
}

/** The two values of the whole, and their difference, in a sentence. */
function Difference({ answer, measure }: { answer: Answer; measure: Column }) {
  const total = totalOf(answer);
  const unit = unitOf(measure, answer.meta.currency);
  const [then, now, difference] = ['value_then', 'value_now', 'difference'].map((name) => textOf(total, name));
  const { from, to } = answer.meta;
  const words = (value: string | null | undefined) =>
    value ? `${formatRead(value, measure.unit)} ${unit}` : 'unknown';
  const isSame = difference && !/[1-9]/.test(difference);
  return (
    <p class="headline">
      {isSame ? 'No difference' : difference ? formatRead(difference, measure.unit, true) : 'Unknown'}{' '}
      {!isSame && <span class="unit">{unit}</span>}{' '}
      <span class="words">
        {measure.label}: {words(then)} as of {from?.state}, actuals until {formatDate(from?.cutoff_date ?? '')};{' '}
        {words(now)} {to?.state === 'now' ? 'now' : `as of ${to?.state}`}, actuals until{' '}
        {formatDate(to?.cutoff_date ?? '')}
      </span>
    </p>
  );
}

function totalOf(answer: Answer): Row | undefined {
  return (answer.totals as unknown as readonly Row[] | undefined)?.[0];
}

interface CausesProps {
  readonly catalogue: Catalogue;
  readonly answer: Answer;
  readonly measure: Column;
  readonly dimension: Dimension & { readonly parameter: string };
  readonly path: string;
  /** The path of the lines behind the whole difference. */
  readonly linesOf: string;
}

/** The bridge of the whole, and the rows; each number opens its lines. */
function Causes({ catalogue, answer, measure, dimension, path, linesOf }: CausesProps) {
  const rows = rowsOf(answer);
  const total = totalOf(answer);
  if (!total || rows.length === 0) return <Empty>Nothing differs in this window, with these filters.</Empty>;
  const filled = causesOf(catalogue).filter(({ name }) => [...rows, total].some((row) => isNonZero(row, name)));
  const shown = ['value_then', ...filled.map(({ name }) => name), 'value_now', 'difference'];
  const columns = columnsOf(catalogue, 'changes', shown).map((column) => ({ ...column, unit: measure.unit }));
  const { currency } = answer.meta;
  const [key, name = key] = [dimension.key, dimension.columns.find((column) => !column.endsWith('_id'))];
  const text: Column = { name, label: dimension.label, unit: 'text', description: '' };
  const linkOf = (column: string, keys: Keys = {}) =>
    column.startsWith('value_')
      ? linkToValue(linesOf, answer.meta, column, keys)
      : linkToChanged(linesOf, column === 'difference' ? keys : { cause: column, ...keys });
  const nameOfRow = (row: Row) => {
    const id = textOf(row, key);
    return id === null ? (textOf(row, name) ?? '(none)') : nameOr(textOf(row, name), id, dimension.label);
  };
  const cellOf = (column: Column) => (row: Row) => <Figure row={row} column={column} href={linkOf(column.name)} />;
  return (
    <>
      {columns.length > ENDS && (
        <ChangeBridge
          {...{ total, columns, measure }}
          unit={unitOf(measure, currency)}
          linkOf={({ name }) => linkOf(name)}
        />
      )}
      <ReportTable
        name="changes"
        caption={`${measure.label}, by ${dimension.label.toLowerCase()}`}
        columns={[text, ...columns]}
        rows={largestFirst(rows)}
        totals={total}
        totalCells={Object.fromEntries(columns.map((column) => [column.name, cellOf(column)]))}
        currency={currency}
        path={path}
        cells={{ [name]: placeCells[name] ?? nameOfRow }}
        linkOf={(row, column) => linkOf(column.name, { [dimension.parameter]: textOf(row, key) ?? 'none' })}
      />
    </>
  );
}

/** The columns of a row without a cause: then, now, difference. */
const ENDS = 3;

/** Returns the rows by the size of their difference; those whose difference is unknown come first. */
function largestFirst(rows: readonly Row[]): readonly Row[] {
  const sizeOf = (row: Row) => textOf(row, 'difference')?.replace('-', '');
  return rows.toSorted((one, other) => {
    const [size, otherSize] = [sizeOf(one), sizeOf(other)];
    if (size === undefined || otherSize === undefined)
      return Number(size !== undefined) - Number(otherSize !== undefined);
    return compareDecimals(otherSize, size);
  });
}
