import { Exact } from '../../../base/index.ts';
import type { ControlName } from './control-fields.ts';
import type { FieldSource } from './mapping.ts';

type Decimal = InstanceType<typeof Exact>;

export interface ColumnSum {
  readonly total: Decimal;
  readonly count: number;
  /** The largest part of a value that its column may have rounded away: half a unit of its last place. */
  readonly rounding: Decimal;
}

export const EMPTY_SUM: ColumnSum = { total: new Exact(0), count: 0, rounding: new Exact(0) };

const [MINUTE, SECOND] = [new Exact(1).div(60), new Exact(1).div(3600)];

/** The coarsest last place of an amount: one without decimals has cents, too. */
const CENT = new Exact('0.01');

/**
 * Adds a value to a sum.
 * @param value A plain decimal. @param text The value as the file has it.
 */
export function addValue(
  { total, count, rounding }: ColumnSum,
  name: ControlName,
  source: FieldSource,
  value: string,
  text: string,
): ColumnSum {
  const place = name === 'hours' ? lastPlaceOfHours(source, text) : lastPlace(text);
  const own = name !== 'hours' && place.gt(CENT) ? CENT : place;
  const half = own.div(2);
  // The finest value shows the last place: 7.5 beside 7.25 is 7.50.
  const finest = count === 0 || half.lt(rounding) ? half : rounding;
  return { total: total.plus(value), count: count + 1, rounding: finest };
}

/** Returns the unit of the last place of hours, in hours. */
function lastPlaceOfHours({ notation: { hours = 'decimal' } }: FieldSource, text: string): Decimal {
  if (hours === 'decimal') return lastPlace(text);
  const hasSeconds = hours === 'seconds' || hours === 'milliseconds' || /[0-9] ?s|:[0-9]{2}:/i.test(text);
  return hasSeconds ? SECOND : MINUTE;
}

/** Returns the unit of the last place of a decimal: 0.01 of 7,25. */
function lastPlace(text: string): Decimal {
  const [, decimals = ''] = /[.,]([0-9]+)\D*$/.exec(text) ?? [];
  return new Exact(10).pow(-decimals.length);
}
