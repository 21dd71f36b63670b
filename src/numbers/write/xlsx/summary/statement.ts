import { type Content, columnLetters, plainContent } from '../../../../../packages/xlsx/index.ts';
import { Exact } from '../../../../base/index.ts';
import type { Aspect } from '../../../report/workbook/workbook.ts';
import { ratioFormula } from '../columns/derived-formula.ts';
import type { DefinedSubject, Figure, Subject } from '../sheets/figures.ts';
import { COLUMNS } from './summary-block.ts';

/** The columns of aspects. */
export type AspectColumns = Readonly<Record<Aspect, number>>;

const ASPECT_COLUMNS: AspectColumns = {
  scheduled: COLUMNS.scheduled,
  scheduled_to_date: COLUMNS.scheduledToDate,
  actual: COLUMNS.actual,
  variance: COLUMNS.variance,
  variance_percent: COLUMNS.variancePercent,
  forecast: COLUMNS.forecast,
};

/** Returns the columns of the aspects. In a window that is over, the plan to date is the plan, and the forecast what was done. */
export function aspectColumns(isOver: boolean): AspectColumns {
  return isOver
    ? { ...ASPECT_COLUMNS, scheduled_to_date: COLUMNS.scheduled, forecast: COLUMNS.actual }
    : ASPECT_COLUMNS;
}

/** Subjects with a plan, in the order of the statement: sums and ratios of the rows above are formulas over their cells. */
export function statementOf(
  found: readonly Subject[],
  defined: readonly DefinedSubject[],
  firstRow: number,
  places: AspectColumns,
): Subject[] {
  const shown = defined.flatMap(({ name, is_further }) =>
    is_further ? [] : (found.find((subject) => subject.name === name) ?? []),
  );
  const numbers = numberRows(shown, firstRow);
  const rows = new Map(shown.map((subject, i) => [subject.name, { row: numbers[i] ?? firstRow, subject }]));
  const cells: CellFinder = (name, aspect) => {
    const row = rows.get(name);
    const content = row?.subject.figures.get(aspect)?.content;
    const value = content && plainContent(content);
    const number = value && 'number' in value ? value.number : undefined;
    return row && { place: `${columnLetters(places[aspect])}${row.row}`, number };
  };
  const stated = shown.map((subject): Subject => {
    const figures = new Map(
      [...subject.figures].map(([aspect, figure]) => [aspect, restate(subject, aspect, figure, cells)]),
    );
    addVariances(subject, figures, cells);
    return { ...subject, figures };
  });
  const rates = defined.filter(({ is_rate }) => is_rate);
  return [
    ...stated,
    ...rates.flatMap((rate, i) =>
      rateRow(rate, cells, found, { row: (numbers.at(-1) ?? firstRow - 1) + 1 + i, places }),
    ),
  ];
}

/** Returns the rows of subjects on a sheet: a part of the statement that begins below another one has a row for its heading. */
export function numberRows(subjects: readonly Pick<Subject, 'heading'>[], firstRow: number): number[] {
  let headings = 0;
  return subjects.map(({ heading }, i) => {
    if (heading !== undefined && i > 0) headings += 1;
    return firstRow + i + headings;
  });
}

/** Returns the place of a subject's cell and its number, if it has one; undefined for a subject that isn't shown. */
type CellFinder = (
  subject: string,
  aspect: Aspect,
) => { readonly place: string; readonly number: string | undefined } | undefined;

/** Replaces a figure by a formula over the cells of other rows, where they give the same number. */
function restate({ plus = [], minus = [], ratio }: Subject, aspect: Aspect, figure: Figure, cells: CellFinder): Figure {
  const value = figure.content && plainContent(figure.content);
  if (!value || !('number' in value)) return figure;
  if (ratio && aspect !== 'variance') {
    const [part, whole] = ratio.map((name) => cells(name, aspect));
    if (!part || !whole || ratioOf(part.number, whole.number, 4) !== value.number) return figure;
    return { ...figure, content: { formula: ratioFormula(part.place, whole.place), cached: value } };
  }
  const terms = [...plus.map((name) => ['+', name] as const), ...minus.map((name) => ['-', name] as const)];
  // A part that is 0 has no row.
  const found = terms.flatMap(([sign, name]) => {
    const cell = cells(name, aspect);
    return cell ? [{ sign, cell }] : [];
  });
  if (found.length === 0 || aspect === 'variance_percent') return figure;
  const sum = found.reduce(
    (total, { sign, cell }) => (sign === '+' ? total.plus(cell.number ?? 0) : total.minus(cell.number ?? 0)),
    new Exact(0),
  );
  if (!sum.equals(value.number)) return figure;
  const formula = found
    .map(({ sign, cell }) => `${sign}${cell.place}`)
    .join('')
    .replace(/^\+/, '');
  return { ...figure, content: { formula, cached: value } };
}

/** Adds the variance of expenses, and the variance of a profit in percent, which no measure has. */
function addVariances({ name, column }: Subject, figures: Map<Aspect, Figure>, cells: CellFinder): void {
  const [toDate, actual] = [cells(name, 'scheduled_to_date'), cells(name, 'actual')];
  if (toDate?.number === undefined || actual?.number === undefined || column.unit !== 'money') return;
  const variance = new Exact(actual.number).minus(toDate.number);
  if (!figures.has('variance')) {
    const content: Content = { formula: `${actual.place}-${toDate.place}`, cached: { number: variance.toFixed() } };
    figures.set('variance', { column: { ...column, name: `variance_${name}`, better: 'none' }, content });
  } else if (!figures.has('variance_percent') && new Exact(toDate.number).greaterThan(0)) {
    const percent = variance.div(toDate.number).toDecimalPlaces(4, Exact.ROUND_HALF_UP).toFixed();
    const formula = `ROUND(${columnLetters(COLUMNS.variance)}${actual.place.replace(/^[A-Z]+/, '')}/${toDate.place},4)`;
    const named = { ...column, name: `variance_${name}_percent`, unit: 'percent', better: undefined } as const;
    figures.set('variance_percent', { column: named, content: { formula, cached: { number: percent } } });
  }
}

/** Returns the row of an amount of an hour, which stands in a row of the sheet; none without both. */
function rateRow(
  { measures, ratio: [amount, hours] = ['', ''], ...defined }: DefinedSubject,
  cells: CellFinder,
  found: readonly Subject[],
  { row, places }: { readonly row: number; readonly places: AspectColumns },
): Subject[] {
  const [whole, divisor] = [amount, hours].map((name) => found.find((subject) => subject.name === name));
  if (!whole || !divisor) return [];
  const columnOf = (aspect: Aspect, better?: 'more') =>
    ({ ...whole.column, name: measures[aspect] ?? '', unit: 'rate', better }) as const;
  const figures = new Map<Aspect, Figure>();
  const rates = new Map<Aspect, string>();
  for (const aspect of ['scheduled', 'scheduled_to_date', 'actual', 'forecast'] as const) {
    const [part, of] = [cells(amount, aspect), cells(hours, aspect)];
    const rate = ratioOf(part?.number, of?.number, 4);
    if (!part || !of || rate === undefined) continue;
    rates.set(aspect, rate);
    const content = { formula: ratioFormula(part.place, of.place), cached: { number: rate } };
    figures.set(aspect, { column: columnOf(aspect), content });
  }
  if (figures.size === 0) return [];
  const [toDate, actual] = [rates.get('scheduled_to_date'), rates.get('actual')];
  if (toDate !== undefined && actual !== undefined) {
    const formula = `${columnLetters(places.actual)}${row}-${columnLetters(places.scheduled_to_date)}${row}`;
    const content: Content = { formula, cached: { number: new Exact(actual).minus(toDate).toFixed() } };
    figures.set('variance', { column: columnOf('variance', 'more'), content });
  }
  return [{ ...defined, ratio: [amount, hours], column: columnOf('actual'), figures }];
}

function ratioOf(part: string | undefined, whole: string | undefined, decimals: number): string | undefined {
  if (part === undefined || whole === undefined || new Exact(whole).isZero()) return undefined;
  return new Exact(part).div(whole).toDecimalPlaces(decimals, Exact.ROUND_HALF_UP).toFixed();
}
