import { earn, entriesOf, inOrder } from './contracts.ts';
import { type Exact, minorUnit, sum, ZERO } from './exact.ts';
import { type Line, type Model, ownOf } from './ledger.ts';
import { countedOf, type Measures } from './measures.ts';
import type { Query } from './parameters.ts';
import { type Place, placeKeyOf, placesOf } from './places.ts';
import { isRetainedAtPrice, retainedKeyOf } from './retained.ts';
import { missingLines } from './timesheets.ts';

/** Computes what the missing lines of some lines would earn if they were logged as planned (K7). */
export function missingRevenueOf(model: Model, query: Query): (lines: readonly Line[]) => Measures {
  const ofLine = missingRevenue(model, query);
  return (lines) => ({
    missing_revenue: sum(lines.flatMap((line) => (ofLine.has(line) ? [ofLine.get(line) ?? null] : []))),
  });
}

function missingRevenue(model: Model, query: Query): ReadonlyMap<Line, Exact | null> {
  const own = ownOf(model);
  const places = placesOf(own);
  const present = model.lines.filter((line) => !line.isBaseline);
  const missing = inOrder(missingLines(model, countedOf(present, query), query.cutoff));
  const earned = new Map(missing.map((line) => [line, isRetainedAtPrice(own, line) ? ZERO : line.fee]));
  const without = earnedByPlace(present);
  const logged = missing.map((line): Line => ({ ...line, kind: 'actual', line_id: `a${line.line_id}` }));
  const all = earnedByPlace([...present, ...logged]);
  for (const [key, place] of places) {
    if (place.kind !== 'fixed' && place.kind !== 'capped') continue;
    const lines = missing.filter((line) => keyOf(line) === key);
    const shares =
      place.kind === 'capped'
        ? sharesWithin(place, lines)
        : sharesByHours(hasEntries(place) ? ZERO : (all.get(key) ?? ZERO).minus(without.get(key) ?? ZERO), lines);
    for (const [line, share] of shares) earned.set(line, share);
  }
  return earned;

  /** Returns the key of the place of a line; undefined with a retainer, which has none. */
  function keyOf(line: Line): string | undefined {
    return retainedKeyOf(own, line.project_id, line.phase_id) === undefined ? placeKeyOf(own, line) : undefined;
  }

  /** Tests whether a place earns by what is entered, whatever is logged. */
  function hasEntries(place: Place): boolean {
    return entriesOf(own, place, query.cutoff).length > 0;
  }

  /** Returns what places have earned up to the cutoff, with what no work carries. */
  function earnedByPlace(lines: readonly Line[]): Map<string, Exact> {
    const { earned: ofLines, lines: beside } = earn(own, lines, query);
    const sums = new Map<string, Exact>();
    const add = (key: string | undefined, amount: Exact) => {
      if (key !== undefined) sums.set(key, (sums.get(key) ?? ZERO).plus(amount));
    };
    for (const [line, amount] of ofLines)
      if (line.kind !== 'scheduled' && line.date <= query.cutoff) add(keyOf(line), amount ?? ZERO);
    for (const line of beside)
      if (line.date <= query.cutoff && !line.line_id.startsWith('f:r'))
        add(`${line.project_id}:${line.phase_id}:${line.task_meta_id ?? ''}`, line.revenue ?? ZERO);
    return sums;
  }

  function sharesWithin({ key, total }: Place, lines: readonly Line[]): [Line, Exact][] {
    const isUsed = (line: Line) => line.date <= query.cutoff && line.kind !== 'scheduled' && line.status !== 'canceled';
    const isInside = (line: Line) => line.kind !== 'expense' || places.get(key)?.hasExpenses === true;
    const used = present.filter((line) => isUsed(line) && isInside(line) && keyOf(line) === key);
    let fees = used.reduce((all, { fee }) => all.plus(fee ?? ZERO), ZERO);
    return lines.map((line) => {
      const before = fees;
      fees = fees.plus(line.fee ?? ZERO);
      const within = (amount: Exact) => (amount.lessThan(total) ? amount : total);
      return [line, within(fees).minus(within(before))];
    });
  }

  function sharesByHours(whole: Exact, lines: readonly Line[]): [Line, Exact][] {
    const digits = minorUnit(own.settings.currency);
    const hoursOf = (line: Line) => (line.billable ? (line.hours ?? ZERO) : ZERO);
    const hours = lines.reduce((all, line) => all.plus(hoursOf(line)), ZERO);
    let done = ZERO;
    return lines.map((line) => {
      const upTo = () => (hours.isZero() ? ZERO : whole.times(done).dividedBy(hours).toDecimalPlaces(digits));
      const before = upTo();
      done = done.plus(hoursOf(line));
      return [line, upTo().minus(before)];
    });
  }
}
