import { countWorkDays } from '../../../base/calendar/index.ts';
import { Exact } from '../../../base/index.ts';
import type { Field } from '../../resource/field.ts';
import { plainDecimal } from './decimal-text.ts';
import { hoursOf, plainHours } from './hours-text.ts';
import { openInterval } from './interval.ts';
import type { RowOrigin } from './made-ids.ts';
import type { FieldSource, FileMapping, SourceKind } from './mapping.ts';
import { translateField, translateNumber } from './notation.ts';
import { remembered } from './remembered.ts';
import { placesOf } from './row-shape.ts';
import { joinCells, type MakeValue, shownTexts, type ValueAt } from './row-value.ts';

/** The file that values are made in. */
export interface MakerContext {
  readonly file: FileMapping;
  /** The place that the ids of its rows depend on. */
  readonly origin: RowOrigin;
  readonly placeOf: (column: string) => number;
  /** The places that the id of a row is made of. */
  readonly row: readonly number[];
}

/** Matches a decimal with a point, as JSON has it. */
const PLAIN = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;

const UNIT_SECONDS = { hours: 3600, minutes: 60, seconds: 1 } as const;

type OpenMaker = (
  source: FieldSource,
  field: Field | undefined,
  places: readonly number[],
  context: MakerContext,
) => MakeValue;

const MAKERS: Readonly<Partial<Record<SourceKind, OpenMaker>>> = {
  value:
    ({ value = '' }) =>
    () =>
      value,
  name: nameMaker,
  named:
    ({ value = '' }, field, _, { file }) =>
    () =>
      file.ids.ofName(field?.refers ?? file.resource.name, [value]) ?? null,
  row:
    (_, field, __, { file, row, origin }) =>
    (valueAt) =>
      file.ids.ofRow(
        file.resource.name,
        JSON.stringify(row.map((place) => valueAt(place)?.text ?? '')),
        field?.type === 'key',
        origin,
      ),
  interval: ({ split = 1, notation }, _, places, { file }) => {
    const read = openInterval(notation.dates, file.zone);
    const textOf = (some: readonly number[], valueAt: ValueAt) => joinCells(some, valueAt)?.text.trim() ?? '';
    return (valueAt) => read(textOf(places.slice(0, split), valueAt), textOf(places.slice(split), valueAt));
  },
  sum: sumMaker,
  filled: (_, __, places) => (valueAt) => String(isFilled(shownTexts(places, valueAt).join(' '))),
};

/** Returns the maker of a value that isn't the text of columns. */
export function makerOf(
  source: FieldSource,
  field: Field | undefined,
  places: readonly number[],
  context: MakerContext,
): MakeValue | undefined {
  return MAKERS[source.kind]?.(source, field, places, context);
}

/** Returns the maker of hours that are those of all work days of a record, as the hours of each; another source stays as it is. */
export function spreadOver(
  make: MakeValue | undefined,
  source: FieldSource,
  fields: readonly FieldSource[],
  { file, placeOf }: MakerContext,
): MakeValue | undefined {
  if (source.spread === undefined) return make;
  const [start, end] = ['start_date', 'end_date'].map((name) => fields.find(({ field }) => field === name));
  const readDay = (day: FieldSource | undefined, valueAt: ValueAt) => {
    const text = (day && joinCells(placesOf(day, placeOf), valueAt)?.text) ?? '';
    const read = day && translateField(file.resource.fields[day.field], day.notation, day.words, file.zone);
    return read ? read(text) : text;
  };
  const own = make ?? ownHours(source, placeOf);
  return (valueAt) => {
    const hours = own(valueAt);
    const [startDate, endDate] = [readDay(start, valueAt), readDay(end, valueAt)];
    if (typeof hours !== 'string' || typeof startDate !== 'string' || typeof endDate !== 'string') return hours;
    const days = countWorkDays({ startDate, endDate });
    return days > 0 ? new Exact(hours).div(days).toFixed(12) : { fault: 'has no work day from start_date to end_date' };
  };
}

/** Returns the maker of hours without their breaks; another source stays as it is. A blank break is none. */
export function lessBreaks(
  make: MakeValue | undefined,
  source: FieldSource,
  field: Field | undefined,
  context: MakerContext,
): MakeValue | undefined {
  const { less } = source;
  if (less === undefined) return make;
  const places = less.columns.map(context.placeOf);
  const own = make ?? ownHours(source, context.placeOf);
  const breaks = makerOf(less, field, places, context) ?? ownHours(less, context.placeOf);
  return (valueAt) => {
    const [hours, off] = [own(valueAt), breaks(valueAt)];
    if (typeof hours !== 'string' || off === null) return hours;
    if (typeof off !== 'string') return { fault: 'a break that is no time' };
    const worked = new Exact(hours).minus(off);
    return worked.isNegative() ? { fault: 'a break longer than the time' } : worked.toFixed();
  };
}

/**
 * Returns the maker of an amount less those in other columns, such as its tax, or with the other sign; undefined for an amount that is
 * read as it is. A blank cell takes nothing off.
 */
export function signedAmount(
  source: FieldSource,
  field: Field | undefined,
  placeOf: (column: string) => number,
): MakeValue | undefined {
  const { less, isNegated = false } = source;
  if (field?.type !== 'amount' || (less === undefined && !isNegated)) return undefined;
  const own = readAmount(source, field, placesOf(source, placeOf));
  const parts = (less?.columns ?? []).map((column) => readAmount(less ?? source, field, [placeOf(column)]));
  return (valueAt) => {
    const amount = own(valueAt);
    if (typeof amount !== 'string') return amount;
    let rest = new Exact(amount);
    for (const part of parts) {
      const off = part(valueAt);
      if (off === null) continue;
      if (typeof off !== 'string') return { fault: 'less what is no number' };
      rest = rest.minus(off);
    }
    return (isNegated ? rest.negated() : rest).toFixed();
  };
}

function readAmount({ notation }: FieldSource, field: Field, places: readonly number[]): MakeValue {
  const [translate, translateJson] = [translateField(field, notation), translateNumber(field, notation)];
  return (valueAt: ValueAt) => {
    const cell = joinCells(places, valueAt);
    if (cell === null || cell.text.trim() === '') return null;
    const text = cell.text.trim();
    const read = (cell.isJson ? translateJson?.(text) : translate?.(text)) ?? text;
    return typeof read !== 'string' || PLAIN.test(read) ? read : { fault: 'not a number' };
  };
}

function ownHours(source: FieldSource, placeOf: (column: string) => number): MakeValue {
  const places = placesOf(source, placeOf);
  return (valueAt) => {
    const cell = joinCells(places, valueAt);
    if (cell === null) return null;
    const { hours = 'decimal', decimal, dayHours } = source.notation;
    const read = plainHours(cell.text.trim(), hours, cell.isJson ? 'point' : decimal, dayHours);
    return read ?? { fault: 'not hours' };
  };
}

function nameMaker(
  { isLastFirst = false }: FieldSource,
  field: Field | undefined,
  places: readonly number[],
  { file }: MakerContext,
): MakeValue {
  const order = isLastFirst ? firstNameFirst : (text: string) => text;
  const idOf = (texts: readonly string[]) =>
    file.ids.ofName(field?.refers ?? file.resource.name, texts.map(order)) ?? null;
  const idOfOne = remembered((text) => idOf([text]));
  return (valueAt) => {
    const texts = shownTexts(places, valueAt);
    return texts.length === 1 ? idOfOne(texts[0] ?? '') : idOf(texts);
  };
}

/** Returns the maker of hours whose hours, minutes and seconds are in columns of their own; null if all are blank. */
function sumMaker({ units = [], notation }: FieldSource, _: Field | undefined, places: readonly number[]): MakeValue {
  return (valueAt) => {
    const cells = places.map((place) => valueAt(place));
    if (cells.every((cell) => cell === null)) return null;
    let seconds = new Exact(0);
    for (const [index, cell] of cells.entries()) {
      const unit = units[index] ?? 'hours';
      const plain = plainDecimal(cell?.text.trim() ?? '0', (!cell?.isJson && notation.decimal) || 'point');
      if (plain === undefined) return { fault: `not a number of ${unit}` };
      seconds = seconds.plus(new Exact(plain).times(UNIT_SECONDS[unit]));
    }
    return hoursOf(seconds);
  };
}

/** Tells whether a text says anything but zero. */
function isFilled(text: string): boolean {
  return /[0-9]/.test(text) ? /[1-9]/.test(text) : text.trim() !== '';
}

/** Returns King, Ada as Ada King. */
export function firstNameFirst(text: string): string {
  const [last = '', first, ...others] = text.split(',');
  return first === undefined || others.length > 0 ? text : `${first.trim()} ${last.trim()}`;
}
