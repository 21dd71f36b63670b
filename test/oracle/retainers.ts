/*
 * An independent walk over the lots of retainers (13.2): day by day, lot by lot, with debts in a queue. Amounts are whole units: millionths of hours, or
 * minor units of the currency.
 */

/** The entry of a retainer's amounts from a day on. */
export interface RetainerAmount {
  readonly amount: bigint;
  readonly price: bigint | null;
  readonly from: string | null;
}

export interface Retainer {
  readonly id: number;
  readonly unit: 'hours' | 'fee';
  readonly amounts: readonly RetainerAmount[];
  readonly every: 'month' | 'week' | 'quarter' | 'year';
  readonly start: string;
  readonly end: string | null;
  readonly counts: 'billable' | 'all';
  readonly rollover: 'none' | 'surplus' | 'deficit' | 'both';
  readonly expiresAfter: number | null;
  readonly first: 'whole' | 'by_days';
  readonly recognise: 'evenly' | 'as_used';
  readonly overage: 'free' | 'billed';
}

/** The company's periods, and the last day on which a retainer without an end opens one. */
export interface Grid {
  readonly weekStartsOn: number;
  readonly fiscalYearStartsIn: number;
  readonly horizon: string;
}

export interface Lot {
  readonly first: string;
  readonly last: string;
  readonly days: number;
  readonly amount: bigint;
  readonly price: bigint | null;
  /** The last day on which it is open. */
  readonly lapse: string | null;
}

/** The units that a line uses on its day. */
export interface Use {
  readonly date: string;
  readonly units: bigint;
}

/** The part of a use that a lot has; paid on its own day, or of a debt on the first day of the lot. */
export interface Take {
  readonly use: Use;
  readonly lot: Lot;
  readonly units: bigint;
  readonly isDebt: boolean;
}

export interface Walk {
  readonly lots: readonly Lot[];
  readonly takes: readonly Take[];
  readonly lapses: ReadonlyMap<Lot, bigint>;
  readonly beyond: ReadonlyMap<Use, bigint>;
}

const DAY_MS = 86_400_000;

const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
const plusDays = (day: string, days: number) => dayOf(numberOf(day) + days);

/** The same day of another month, or its last one. */
function plusMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

const MONTHS = { month: 1, quarter: 3, year: 12, week: 0 } as const;

/** Returns the first day of the company's period that has a day. */
function periodOf({ every }: Retainer, day: string, { weekStartsOn, fiscalYearStartsIn }: Grid): string {
  if (every === 'week') return plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() - weekStartsOn + 7) % 7));
  let first = `${day.slice(0, 'YYYY-MM'.length)}-01`;
  const isFirst = (month: number) => (month - fiscalYearStartsIn + 12) % MONTHS[every] === 0;
  while (!isFirst(Number(first.slice(5, 7)))) first = plusMonths(first, -1);
  return first;
}

/** Rounds half away from zero. */
const share = (units: bigint, part: number, whole: number) =>
  (2n * units * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole));

/** Returns the lots of a retainer (T2). */
export function lotsOf(retainer: Retainer, grid: Grid): Lot[] {
  const { every, start, end, first, rollover, expiresAfter, amounts, unit } = retainer;
  const origin = first === 'whole' ? start : periodOf(retainer, start, grid);
  const begin = (number: number) =>
    every === 'week' ? plusDays(origin, 7 * number) : plusMonths(origin, MONTHS[every] * number);
  const lots: Lot[] = [];
  for (let number = 0; begin(number) <= (end ?? grid.horizon); number += 1) {
    const next = begin(number + 1);
    const [, from = start] = [begin(number), start].toSorted();
    const to = end !== null && end < next ? end : plusDays(next, -1);
    const [whole, days] = [numberOf(next) - numberOf(begin(number)), numberOf(to) - numberOf(from) + 1];
    const entry = amounts
      .filter((each) => each.from === null || each.from <= from)
      .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
      .at(-1);
    if (!entry) continue;
    const part = (units: bigint) => (first === 'whole' ? units : share(units, days, whole));
    const stays = rollover === 'surplus' || rollover === 'both';
    const after = stays ? expiresAfter : 0;
    const own = after === null ? null : plusDays(begin(number + 1 + after), -1);
    const lapse = end !== null && (own === null || end < own) ? end : own;
    const price = unit === 'fee' ? entry.amount : entry.price;
    lots.push({
      first: from,
      last: to,
      days,
      amount: part(entry.amount),
      price: price === null ? null : part(price),
      lapse,
    });
  }
  return lots;
}

/** Walks over the days of a retainer (T3). @param uses In the order of lines. */
export function walkLots(retainer: Retainer, lots: readonly Lot[], uses: readonly Use[]): Walk {
  const hasDebts = retainer.rollover === 'deficit' || retainer.rollover === 'both';
  const left = new Map<Lot, bigint>();
  const takes: Take[] = [];
  const lapses = new Map<Lot, bigint>();
  const beyond = new Map<Use, bigint>();
  const debts: { readonly use: Use; units: bigint }[] = [];
  const take = (lot: Lot, use: Use, wanted: bigint, isDebt: boolean): bigint => {
    const has = left.get(lot) ?? 0n;
    const units = has < wanted ? has : wanted;
    if (units === 0n) return 0n;
    left.set(lot, has - units);
    takes.push({ use, lot, units, isDebt });
    return units;
  };
  const days = new Set([...lots.flatMap((lot) => [lot.first, lot.lapse ?? lot.last]), ...uses.map(({ date }) => date)]);
  for (const day of [...days].sort()) {
    for (const lot of lots.filter(({ first }) => first === day)) {
      left.set(lot, lot.amount);
      for (const debt of debts) debt.units -= take(lot, debt.use, debt.units, true);
    }
    for (const use of uses.filter(({ date }) => date === day)) {
      let wanted = use.units;
      for (const lot of left.keys()) wanted -= take(lot, use, wanted, false);
      if (wanted > 0n && hasDebts) debts.push({ use, units: wanted });
      else if (wanted > 0n) beyond.set(use, wanted);
    }
    for (const lot of lots.filter(({ lapse }) => lapse === day)) {
      const rest = left.get(lot) ?? 0n;
      if (rest > 0n) lapses.set(lot, rest);
      left.set(lot, 0n);
    }
  }
  for (const { use, units } of debts) if (units > 0n) beyond.set(use, units);
  return { lots, takes, lapses, beyond };
}

/** The revenue of a retainer, in minor units of the currency: with lines, and beside them by day (T6). */
export interface RetainerRevenue {
  readonly earned: ReadonlyMap<Use, bigint>;
  readonly beyond: ReadonlyMap<Use, bigint>;
  readonly days: ReadonlyMap<string, bigint>;
}

/** Returns what a retainer earns. @param feeOf The fee of a line, in minor units. */
export function earnRetainer(
  { recognise, overage }: Retainer,
  { lots, takes, lapses, beyond }: Walk,
  uses: readonly Use[],
  feeOf: (use: Use) => bigint,
): RetainerRevenue {
  const days = new Map<string, bigint>();
  const owe = (day: string, units: bigint) => days.set(day, (days.get(day) ?? 0n) + units);
  const part = (units: bigint, from: bigint, to: bigint, whole: bigint) =>
    share(units, Number(to), Number(whole)) - share(units, Number(from), Number(whole));
  const earned = new Map(uses.map((use) => [use, 0n]));
  const add = (use: Use, units: bigint) => earned.set(use, (earned.get(use) ?? 0n) + units);
  const ofLot = new Map<Lot, bigint>();
  const ofUse = new Map<Use, bigint>();
  for (const { use, lot, units, isDebt } of takes) {
    const [lotBefore, useBefore] = [ofLot.get(lot) ?? 0n, ofUse.get(use) ?? 0n];
    ofLot.set(lot, lotBefore + units);
    ofUse.set(use, useBefore + units);
    if (lot.price === null) add(use, part(feeOf(use), useBefore, useBefore + units, use.units));
    else if (recognise === 'as_used') {
      const amount = part(lot.price, lotBefore, lotBefore + units, lot.amount);
      if (isDebt) owe(lot.first, amount);
      else add(use, amount);
    }
  }
  for (const lot of lots) {
    if (lot.price === null) continue;
    for (let day = 1; recognise === 'evenly' && day <= lot.days; day += 1)
      owe(plusDays(lot.first, day - 1), part(lot.price, BigInt(day - 1), BigInt(day), BigInt(lot.days)));
    if (recognise === 'as_used' && lot.lapse !== null) {
      const rest = lapses.get(lot) ?? 0n;
      owe(
        lot.lapse,
        lot.amount === 0n ? lot.price : lot.price - share(lot.price, Number(lot.amount - rest), Number(lot.amount)),
      );
    }
  }
  const left = new Map<Use, bigint>();
  for (const [use, units] of beyond) {
    const fee = feeOf(use) - share(feeOf(use), Number(use.units - units), Number(use.units));
    if (overage === 'billed') add(use, fee);
    else left.set(use, fee);
  }
  return { earned, beyond: left, days };
}
