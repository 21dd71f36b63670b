import { type ControlTotals, describeDifferences } from '../../records/ingest/index.ts';
import type { FileTotals, ListedLoad, ToldEffect } from './load-json.ts';
import type { LoadEntry } from './load-log.ts';

/** Returns a load of the list as JSON, without amounts for a reader who sees no rates. */
export function toListedLoad(load: LoadEntry, seesRates: boolean): ListedLoad {
  const { id, loadedAt, loadedBy, files, undoneAt, undoneBy, totals } = load;
  return {
    id,
    loaded_at: loadedAt,
    loaded_by: loadedBy,
    files,
    totals: (seesRates ? totals : withoutFileAmounts(totals)).map(toTotals),
    undone_at: undoneAt,
    undone_by: undoneBy,
  };
}

/** Tells control totals, and those that files have themselves and differ, without amounts to a reader who sees no rates. */
export function tellTotals(
  totals: readonly ControlTotals[],
  seesRates: boolean,
): Pick<ToldEffect, 'totals' | 'differences'> {
  const seen = seesRates ? totals : withoutFileAmounts(totals);
  return { totals: seen.map(toTotals), differences: describeDifferences(seen) };
}

/** Returns control totals without amounts, which reveal rates. */
function withoutFileAmounts(controls: readonly ControlTotals[]): ControlTotals[] {
  return controls.map((totals) => ({
    ...totals,
    fees: null,
    cost: null,
    ...(totals.sums && { sums: [] }),
    own: totals.own.filter(({ name }) => name === 'hours'),
  }));
}

/** Returns the totals of a file as JSON, beside those that it has itself. */
function toTotals({
  firstDay,
  lastDay,
  billableHours,
  setAside,
  leftOut,
  sums,
  number: _,
  ...totals
}: ControlTotals): FileTotals {
  return {
    ...totals,
    set_aside: setAside,
    left_out: leftOut,
    billable_hours: billableHours,
    first_day: firstDay,
    last_day: lastDay,
    ...(sums && { sums: sums.map(({ field, total, setAside: lost }) => ({ field, total, set_aside: lost })) }),
  };
}
