import { Exact, formatForeign } from '../../../base/index.ts';
import type { ControlName } from '../mapping/control-fields.ts';
import type { OwnTotal } from '../mapping/row-tally.ts';

/** A total that a file has itself, beside that of its records. */
export interface OwnControl {
  readonly name: ControlName;
  /** In a row of its own, or as the sum of a column that no field is read from. */
  readonly place: 'row' | 'column';
  readonly column: string;
  readonly total: string;
  /** The part of the difference that rounding may explain. */
  readonly rounding: string;
  /** The total of the records that were loaded; null if there is none. */
  readonly loaded: string | null;
  /** The excess of the file over its records; null if they can't be compared. */
  readonly difference: string | null;
}

/** The records of a file with what they sum up to. */
export interface RecordTotals {
  readonly resource: string;
  readonly records: number;
  readonly duplicates: number;
  readonly hours: string | null;
  readonly fees: string | null;
  readonly cost: string | null;
}

/** The part of a record's number that the program rounds away: hours have 6 decimals, and amounts of lines those of the minor unit. */
const RECORD_ROUNDING = {
  hours: new Exact('0.0000005'),
  fees: new Exact('0.005'),
  cost: new Exact('0.005'),
} as const;

/** The decimals of what rounding explains: half of the last place of hours has 7. */
const ROUNDING_DECIMALS = 7;

/** Compares a total of a file with that of its records. Fees and costs of time entries aren't known before the models are built. */
export function compareTotal(own: OwnTotal, totals: RecordTotals): OwnControl {
  const { name, place, column, total, count } = own;
  const each = RECORD_ROUNDING[name];
  const rounding =
    place === 'row' ? each.times(totals.records) : (own.rounding.gt(each) ? own.rounding : each).times(count);
  const control = {
    name,
    place,
    column,
    total: total.toFixed(),
    rounding: rounding.toDecimalPlaces(ROUNDING_DECIMALS).toFixed(),
    loaded: null,
  };
  const isPending = totals.resource === 'logged_time' && name !== 'hours';
  return isPending ? { ...control, difference: null } : withLoaded(control, totals);
}

/** Returns a control with the total of the records. Records that another file has, too, count there, so there is no difference. */
export function withLoaded<Control extends Omit<OwnControl, 'loaded' | 'difference'>>(
  control: Control,
  totals: RecordTotals,
): Control & Pick<OwnControl, 'loaded' | 'difference'> {
  const loaded = totals[control.name];
  const difference = totals.duplicates > 0 ? null : new Exact(control.total).minus(loaded ?? 0).toFixed();
  return { ...control, loaded, difference };
}

/** Tells whether a file says something else than its records, beyond rounding. */
function differs({ difference, rounding }: OwnControl): boolean {
  return difference !== null && new Exact(difference).abs().gt(rounding);
}

/** Returns sentences on the totals of files that their records differ from, one for each file, resource and number. */
export function describeDifferences(
  controls: readonly { readonly file: string; readonly own: readonly OwnControl[] }[],
): string[] {
  return controls.flatMap(({ file, own }) => {
    const differing = own.filter(differs);
    const first = differing.filter(({ name }, at) => differing.findIndex((each) => each.name === name) === at);
    return first.map((control) => `${formatForeign(file)}: ${describeDifference(control)}`);
  });
}

function describeDifference({ name, place, column, total, loaded }: OwnControl): string {
  const unit = name === 'hours' ? ' h' : '';
  const where = `${place === 'row' ? 'its total row, in' : 'its column'} ${formatForeign(column)}`;
  return `${where}, says ${name} of ${total}${unit}; its records have ${loaded === null ? 'none' : `${loaded}${unit}`}`;
}
