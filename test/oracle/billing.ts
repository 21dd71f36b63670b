/*
 * Bills and what they cover, by the rules alone (M1 to M5, N1, N2): no SQL, amounts in cents.
 */

/** A piece of work that may be billed. */
export interface Item {
  readonly id: string;
  readonly project: number;
  readonly date: string;
  /** Its value at rates, and what it earns by itself, in cents. */
  readonly fee: bigint;
  readonly earned: bigint;
  readonly hours: bigint;
  readonly billable: boolean;
  readonly contract: 'time' | 'capped' | 'fixed';
}

export interface Cover {
  readonly item: string;
  readonly amount: bigint | null;
  readonly value: bigint | null;
}

/** A line of an invoice, or a write-off. */
export interface Bill {
  readonly kind: 'invoice' | 'write_off';
  readonly id: number;
  readonly invoice: number | null;
  readonly date: string;
  readonly status: 'issued' | 'draft' | 'void';
  readonly project: number;
  readonly amount: bigint;
  readonly covers: readonly Cover[];
  readonly credits: number | null;
}

/** Returns round(amount x part / whole), half away from zero. */
export function share(amount: bigint, part: bigint, whole: bigint): bigint {
  const product = 2n * amount * part;
  const divisor = 2n * whole;
  const isBelow = product < 0n !== divisor < 0n;
  const [size, by] = [product < 0n ? -product : product, divisor < 0n ? -divisor : divisor];
  const rounded = (size + by / 2n) / by;
  return isBelow ? -rounded : rounded;
}

/** Returns the smaller of two amounts. */
export function least(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n);

/** A part of a bill's amount that falls on an item. */
interface Covered {
  readonly bill: Bill;
  readonly item: string;
  readonly amount: bigint;
  readonly value: bigint;
}

/** Spreads the amount of a bill over what it covers (M4). */
export function spread(bill: Bill, items: ReadonlyMap<string, Item>): Covered[] {
  const worthOf = ({ item, value }: Cover) => {
    const found = items.get(item);
    return value ?? (found?.contract === 'fixed' ? found.fee : found?.earned) ?? 0n;
  };
  const dateOf = ({ item }: Cover) => items.get(item)?.date ?? '9999';
  const ordered = bill.covers.toSorted((one, other) =>
    dateOf(one) < dateOf(other) ? -1 : dateOf(one) > dateOf(other) ? 1 : one.item < other.item ? -1 : 1,
  );
  const open = ordered.filter(({ amount }) => amount === null);
  const left = bill.amount - sum(ordered.map(({ amount }) => amount ?? 0n));
  const ways = [worthOf, ({ item }: Cover) => items.get(item)?.hours ?? 0n, () => 1n];
  const weightOf = ways.find((way) => sum(open.map(way)) !== 0n) ?? (() => 1n);
  const whole = sum(open.map(weightOf));
  let soFar = 0n;
  return ordered.map((cover) => {
    const own = { bill, item: cover.item, value: worthOf(cover) };
    if (cover.amount !== null) return { ...own, amount: cover.amount };
    const before = soFar;
    soFar += weightOf(cover);
    return { ...own, amount: share(left, soFar, whole) - share(left, before, whole) };
  });
}

/** The balances of a project at the end of a day, in cents. */
export interface Balances {
  readonly position: bigint;
  readonly unbilled: bigint;
  readonly ages: readonly [bigint, bigint, bigint, bigint];
  readonly difference: bigint;
  readonly changed: bigint;
  readonly covered: bigint;
  readonly decided: bigint;
  readonly withoutCovers: bigint;
}

const DAY_MS = 86_400_000;

/**
 * Returns the balances of a project.
 * @param earned What it has earned up to the day, by its contract.
 */
export function balancesOf(
  project: number,
  day: string,
  earned: bigint,
  { items, bills }: { readonly items: ReadonlyMap<string, Item>; readonly bills: readonly Bill[] },
): Balances {
  const counted = bills.filter((bill) => bill.status === 'issued' && bill.date <= day);
  const isCredit = (bill: Bill) => bill.kind === 'invoice' && bill.credits !== null && bill.amount < 0n;
  const covers = counted.filter((bill) => !isCredit(bill)).flatMap((bill) => spread(bill, items));
  const reduced: Covered[] = [];
  const whole = new Set<number>();
  for (const line of counted.filter(({ kind, amount }) => kind === 'invoice' && amount > 0n)) {
    let taken = 0n;
    const credits = counted
      .filter((bill) => isCredit(bill) && bill.credits === line.id)
      .toSorted((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : one.id - other.id));
    for (const bill of credits) {
      const next = least(taken - bill.amount, line.amount);
      let soFar = 0n;
      for (const cover of covers.filter((each) => each.bill === line)) {
        const before = soFar;
        soFar += cover.amount;
        const amount = share(next - taken, before, line.amount) - share(next - taken, soFar, line.amount);
        reduced.push({ ...cover, bill, amount });
      }
      if (taken - bill.amount >= line.amount) whole.add(line.id);
      taken = next;
    }
  }
  const live = covers.filter(({ bill }) => bill.kind !== 'invoice' || !whole.has(bill.id));
  const isOfTime = (id: string) => items.get(id)?.contract !== 'fixed';
  const own = [...covers, ...reduced].filter(({ bill }) => bill.project === project);
  const firsts = new Map<string, Covered>();
  const ordered = covers.toSorted((one, other) => {
    if (one.bill.date !== other.bill.date) return one.bill.date < other.bill.date ? -1 : 1;
    if (one.bill.kind !== other.bill.kind) return one.bill.kind < other.bill.kind ? -1 : 1;
    return one.bill.id - other.bill.id;
  });
  for (const cover of ordered) if (!firsts.has(cover.item)) firsts.set(cover.item, cover);
  const decided = [...new Set(live.map(({ item }) => item))].flatMap((item) => firsts.get(item) ?? []);
  const done = [...items.values()].filter((item) => item.project === project && item.date <= day);
  const open = done.filter(
    (item) => item.billable && item.contract !== 'fixed' && !live.some((cover) => cover.item === item.id),
  );
  const ageOf = (item: Item) => Math.round((Date.parse(day) - Date.parse(item.date)) / DAY_MS);
  const within = (least: number, most: number) =>
    sum(open.filter((item) => ageOf(item) >= least && ageOf(item) <= most).map((item) => item.earned));
  const values = decided.filter(({ bill, item }) => bill.project === project && isOfTime(item));
  const covered = new Set(live.map(({ item }) => item));
  const today = done.filter((item) => item.billable && item.contract !== 'fixed' && covered.has(item.id));
  const ofBills = counted.filter((bill) => bill.project === project);
  return {
    position: earned - sum(ofBills.map(({ amount }) => amount)),
    unbilled: sum(open.map((item) => item.earned)),
    ages: [within(0, 30), within(31, 60), within(61, 90), within(91, Number.POSITIVE_INFINITY)],
    difference:
      sum(values.map(({ value }) => value)) - sum(own.filter(({ item }) => isOfTime(item)).map(({ amount }) => amount)),
    changed: sum(today.map((item) => item.earned)) - sum(values.map(({ value }) => value)),
    covered: sum(own.filter(({ bill }) => bill.kind === 'invoice').map(({ amount }) => amount)),
    decided: sum(decided.filter(({ bill }) => bill.project === project).map(({ item }) => items.get(item)?.fee ?? 0n)),
    withoutCovers: sum(ofBills.map(({ amount }) => amount)) - sum(own.map(({ amount }) => amount)),
  };
}
