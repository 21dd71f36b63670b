import { endOfMonth, moveDay } from '../../../base/calendar/index.ts';
import { AppError } from '../../../base/index.ts';
import { type DateFormat, parseDateFormat } from './date-format.ts';
import type { FieldSource, UNPIVOTED_PARTS, Unpivot } from './mapping.ts';
import type { PlacedHeader, ValueAt } from './row-value.ts';

/** The places of what a row gets from a column that became a row; those of columns are 0 and more. */
export const UNPIVOTED_PLACES: Readonly<Record<(typeof UNPIVOTED_PARTS)[number], number>> = {
  start: -2,
  end: -3,
  cell: -4,
};

/** Returns the places that a source reads. @param placeOf Returns the place of a column. */
export function placesOf({ kind, value, columns }: FieldSource, placeOf: (column: string) => number): number[] {
  return kind === 'unpivot' ? [UNPIVOTED_PLACES[value as keyof typeof UNPIVOTED_PLACES]] : columns.map(placeOf);
}

/** Returns the rows that a row of a file stands for. */
export type ReadShape = (valueAt: ValueAt) => readonly ValueAt[];

interface PeriodColumn {
  readonly at: number;
  readonly start: string;
  readonly end: string;
}

/** Returns the filling of blank cells by the values above. @param placeOf Returns the place of a column. */
export function openFill(fields: readonly FieldSource[], placeOf: (column: string) => number): ReadShape {
  const columns = fields.filter(({ fillsDown }) => fillsDown).flatMap((source) => source.columns);
  const places = [...new Set(columns)].map(placeOf);
  if (places.length === 0) return (valueAt) => [valueAt];
  const last = new Map<number, ReturnType<ValueAt>>();
  return (valueAt) => {
    for (const place of places) {
      const value = valueAt(place);
      if (value !== null && value.text.trim() !== '') last.set(place, value);
    }
    const filled = new Map(last);
    return [(place) => filled.get(place) ?? valueAt(place)];
  };
}

/**
 * Returns the columns that become rows, as the rows of each row: those whose cell isn't blank.
 * @throws AppError input if no header is a day.
 */
export function openUnpivot(
  { period, month }: Unpivot,
  header: readonly PlacedHeader[],
  dates: DateFormat | undefined,
  file: string,
): ReadShape {
  const columns = header.flatMap(({ name, at }): PeriodColumn[] => {
    const start = month === undefined ? readPeriod(name, period, dates) : dayOfMonth(month, name);
    return start === undefined ? [] : [{ at, start, end: endOf(start, period) }];
  });
  if (columns.length === 0)
    throw new AppError('input', `${file} has no column whose header is a ${period}, which unpivot looks for`, {
      hint: `Its columns are ${header.map(({ name }) => name).join(', ')}. Write dates: as they are written. Nothing was loaded.`,
    });
  return (valueAt) =>
    columns
      .filter(({ at }) => (valueAt(at)?.text ?? '').trim() !== '')
      .map(({ at, start, end }) => (place) => {
        if (place === UNPIVOTED_PLACES.cell) return valueAt(at);
        if (place === UNPIVOTED_PLACES.start) return { text: start, isJson: false };
        return place === UNPIVOTED_PLACES.end ? { text: end, isJson: false } : valueAt(place);
      });
}

/** Returns the first day of a period that a header names. */
function readPeriod(text: string, period: Unpivot['period'], dates: DateFormat | undefined): string | undefined {
  const format = dates ?? parseDateFormat('YYYY-MM-DD');
  const day = format?.read(text.trim());
  if (day !== undefined || period !== 'month') return day;
  return /^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text.trim()) ? `${text.trim()}-01` : undefined;
}

/** Returns the day of a month that a header numbers; undefined for a number that the month doesn't have. */
function dayOfMonth(month: string, text: string): string | undefined {
  if (!/^[0-9]{1,2}$/.test(text.trim())) return undefined;
  const day = `${month}-${text.trim().padStart(2, '0')}`;
  return day >= `${month}-01` && day <= endOfMonth(`${month}-01`) ? day : undefined;
}

function endOf(start: string, period: Unpivot['period']): string {
  if (period === 'day') return start;
  return period === 'week' ? moveDay(start, 'day', 6) : endOfMonth(start);
}
