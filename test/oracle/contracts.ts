import { daysOf } from './calendar.ts';
import { type Clean, NEVER_AFTER, type Progress } from './clean.ts';
import { type Exact, minorUnit, percent, ratioDifference, sum, sumHours, ZERO } from './exact.ts';
import { type Line, type Model, ownOf, STATUS_NAMES, type Status } from './ledger.ts';
import { countedOf, type Measures } from './measures.ts';
import type { Query } from './parameters.ts';
import { milestonesOf, type Place, placeKeyOf, placesOf, progressOf } from './places.ts';
import { earnRetained, retainedKeyOf } from './retained.ts';

/** The earnings of lines by their contracts (K1 to K4, 3.3.1). */
export interface Earnings {
  readonly earned: ReadonlyMap<Line, Exact | null>;
  readonly beyond: ReadonlyMap<Line, Exact>;
  /** The progress of fixed places that aren't canceled, by key. */
  readonly progress: ReadonlyMap<string, PlaceProgress>;
  /** The fixed places that have ended by the cutoff, by key. */
  readonly ended: ReadonlySet<string>;
  /** The lines of kind revenue, for the cutoff and statuses of the query. */
  readonly lines: ReadonlySet<Line>;
}

export const AGREED_MEASURES: readonly string[] = [
  'fees_beyond_budget',
  'forecast_fees_beyond_budget',
  'earned_revenue',
  'earned_profit',
  'earned_margin_percent',
  'forecast_earned_revenue',
  'forecast_earned_profit',
  'forecast_earned_margin_percent',
];

const ofPart = (part: string) => [`${part}_revenue`, `${part}_profit`, `${part}_margin_percent`];

/** The measures of what the plan earns (K5). */
const PLANNED_MEASURES: readonly string[] = [
  ...['scheduled', 'scheduled_to_date'].flatMap(ofPart),
  'variance_revenue',
  'variance_revenue_percent',
  'variance_profit',
  'variance_margin_points',
];

/** The measures of revenue by contract, and what is made of it. */
export const REVENUE_MEASURES: readonly string[] = [...['actual', 'forecast'].flatMap(ofPart), ...PLANNED_MEASURES];

/** Returns the lines of kind revenue that count in some of these measures, or that make rows beside those of whole lives. */
export function revenueLinesOf(names: readonly string[], { earned, planned }: BothEarnings): readonly Line[] {
  const isOfLives = names.some((name) => name.startsWith('budget_'));
  const isOfPlan = isOfLives || names.some((name) => PLANNED_MEASURES.includes(name));
  const isEarned = isOfLives || names.some((name) => REVENUE_MEASURES.includes(name) || name.includes('earned'));
  return [...(isEarned ? earned.lines : []), ...(isOfPlan ? planned.lines : [])];
}

/** The earnings of what is done and left to do, and those of the plan by itself. */
export interface BothEarnings {
  readonly earned: Earnings;
  readonly planned: Earnings;
}

/** An amount that no work carries, on its day. */
interface Due {
  readonly date: string;
  readonly amount: Exact;
}

interface Share {
  readonly earned: ReadonlyMap<Line, Exact>;
  readonly due: readonly Due[];
}

const less = (one: Exact, other: Exact) => (one.lessThan(other) ? one : other);

/** Tests for a line as firm as the less firm of its project and phase. */
export function isFirm({ projects, phases }: Clean, line: Line): boolean {
  const least = Math.min(projects.get(line.project_id)?.status ?? 2, phases.get(line.phase_id)?.status ?? 2);
  return STATUS_NAMES.indexOf(line.status) >= Math.min(least, 2);
}

/** Returns what all lines earn, over the whole life of each place, and what the plan earns: with a baseline, that of the baseline. */
export function earnings(model: Model, query: Query): BothEarnings {
  const own = ownOf(model);
  const isPlanned = ({ kind, isBaseline = false }: Line) => kind === 'scheduled' && isBaseline === query.hasBaseline;
  return {
    earned: earn(
      own,
      model.lines.filter((line) => !line.isBaseline),
      query,
    ),
    planned: earn(
      query.hasBaseline ? (model.kept ?? own) : own,
      model.lines.filter((line) => line.kind === 'expense' || isPlanned(line)),
      { ...query, cutoff: NEVER_BEFORE },
    ),
  };
}

/** A cutoff before all lines: nothing is done. */
const NEVER_BEFORE = '0001-01-01';

/** The progress of a fixed place (G2): a part of 1 by hours, and as it was entered; null where nothing tells. */
export interface PlaceProgress {
  readonly computed: Exact | null;
  readonly entered: Exact | null;
}

/** G2: returns the progress of a fixed place, over its whole life up to the cutoff. */
function progressOfPlace(records: Clean, place: Place, lives: Lives, cutoff: string): PlaceProgress {
  const end = endOf(records, place, lives, cutoff);
  const hoursOf = (lines: readonly Line[]) => sumHours(lines.map(billableHours));
  const done = lives.life.filter((line) => line.kind === 'actual');
  const whole = hoursOf(lives.life.filter((line) => line.kind !== 'expense'));
  const entries = entriesOf(records, place, end ?? cutoff);
  const latest = entries.at(-1);
  const one = ZERO.plus(1);
  if (end !== null) return { computed: one, entered: latest ? one : null };
  const computed = hasLeft(lives.life) ? hoursOf(done).dividedBy(whole) : null;
  if (!latest) return { computed, entered: null };
  const { date, percent, remainingHours } = latest;
  const hours = hoursOf(done.filter((line) => line.date <= date));
  return { computed, entered: percent?.dividedBy(100) ?? partDone(hours, remainingHours ?? ZERO) };
}

/** Returns what lines earn of the places of some records. */
export function earn(records: Clean, counted: readonly Line[], query: Query): Earnings {
  const places = placesOf(records);
  const ofPlace = new Map<string, Line[]>([...places.keys()].map((key) => [key, []]));
  const earned = new Map<Line, Exact | null>();
  const beyond = new Map<Line, Exact>();
  const asked = new Set<Line>();
  const retained: Line[] = [];
  for (const line of counted) {
    if (line.status === 'canceled') continue;
    const place = places.get(placeKeyOf(records, line));
    if (line.kind === 'scheduled' && line.date > query.cutoff && query.statuses.includes(line.status)) asked.add(line);
    earned.set(line, line.fee);
    beyond.set(line, ZERO);
    if (retainedKeyOf(records, line.project_id, line.phase_id) !== undefined) retained.push(line);
    else if (place && (line.kind !== 'expense' || place.hasExpenses)) ofPlace.get(place.key)?.push(line);
  }
  const ofRetainers = earnRetained(records, inOrder(retained), asked, query);
  for (const [line, amount] of ofRetainers.earned) earned.set(line, amount);
  for (const [line, amount] of ofRetainers.beyond) beyond.set(line, amount);
  const lines = ofRetainers.days.flatMap(({ retainer, status, date, amount }) =>
    countsAlone(status, date, query) && !amount.isZero()
      ? [revenueLine(`f:r${retainer.id}:${date}`, date, [retainer.projectId, retainer.phaseId, null], status, amount)]
      : [],
  );
  const ended = new Set<string>();
  const progress = new Map<string, PlaceProgress>();
  for (const place of places.values()) {
    if (place.kind !== 'capped' && place.kind !== 'fixed') continue;
    const all = ofPlace.get(place.key) ?? [];
    const life = inOrder(
      all.filter((line) => {
        if (line.kind === 'expense') return true;
        if (line.kind === 'actual') return line.date <= query.cutoff;
        return line.date > query.cutoff && (asked.has(line) || isFirm(records, line));
      }),
    );
    const within = sharesWithin(place, life, asked);
    for (const line of life) beyond.set(line, feeOf(line, asked).minus(within.get(line) ?? ZERO));
    const { earned: shares, due } =
      place.kind === 'capped' || place.status === 'canceled'
        ? { earned: within, due: [] }
        : earnFee(records, place, { all, life, within }, query.cutoff);
    for (const line of life) earned.set(line, shares.get(line) ?? ZERO);
    if (endOf(records, place, { all, life, within }, query.cutoff) !== null) ended.add(place.key);
    if (place.kind === 'fixed' && place.status !== 'canceled')
      progress.set(place.key, progressOfPlace(records, place, { all, life, within }, query.cutoff));
    lines.push(...revenueLines(place, due, query));
  }
  return { earned, beyond, progress, ended, lines: new Set(lines) };
}

/** Puts lines in the order in which they use agreed fees (3.3.1). */
export function inOrder(lines: readonly Line[]): Line[] {
  const place = (line: Line) => `${line.date} ${line.kind === 'expense' ? 1 : 0} ${line.line_id}`;
  return lines.toSorted((a, b) => Buffer.compare(Buffer.from(place(a)), Buffer.from(place(b))));
}

const billableHours = (line: Line) => (line.billable ? (line.hours ?? ZERO) : ZERO);

/** Returns the fee by which a line uses T: work that is left to do uses none unless its status is asked. */
function feeOf(line: Line, asked: ReadonlySet<Line>): Exact {
  return line.kind === 'scheduled' && !asked.has(line) ? ZERO : (line.fee ?? ZERO);
}

/** 3.3.1: returns the part of each line within T. */
function sharesWithin({ total }: Place, life: readonly Line[], asked: ReadonlySet<Line>): Map<Line, Exact> {
  let used = ZERO;
  return new Map(
    life.map((line) => {
      const before = used;
      used = used.plus(feeOf(line, asked));
      return [line, less(total, used).minus(less(total, before))];
    }),
  );
}

/** The lines of a place: all but canceled ones, those of its life in their order, and their parts within T. */
interface Lives {
  readonly all: readonly Line[];
  readonly life: readonly Line[];
  readonly within: ReadonlyMap<Line, Exact>;
}

const isSoft = ({ status }: Place) => status === 'draft' || status === 'tentative';

/** K3: returns the day on which a completed place ends; null if the place isn't completed, or nothing tells. */
function completedOn(place: Place, all: readonly Line[]): string | null {
  if (place.status !== 'completed') return null;
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (place.completedOn !== null) return place.completedOn;
  if (place.endDate !== null && place.endDate <= today) return place.endDate;
  const days = all.map((line) => line.date).filter((date) => date <= today);
  return days.sort().at(-1) ?? null;
}

function hasLeft(life: readonly Line[]): boolean {
  return life.some((line) => line.kind === 'scheduled' && billableHours(line).greaterThan(0));
}

/** G1: returns the entries of progress that count at a cutoff. */
export function entriesOf(records: Clean, place: Place, cutoff: string) {
  return place.recognise === 'progress' ? progressOf(records, place).filter(({ date }) => date <= cutoff) : [];
}

/** K3: returns the day on which a fixed place has ended by the cutoff, or null. */
function endOf(records: Clean, place: Place, { all, life }: Lives, cutoff: string): string | null {
  const completed = completedOn(place, all);
  const isOpen = entriesOf(records, place, cutoff).some(
    (entry) => entry.date >= (place.endDate ?? NEVER_AFTER) && !isWhole(entry),
  );
  const isOver =
    place.endDate !== null && place.endDate <= cutoff && !hasLeft(life) && !isOpen && place.status !== 'completed';
  const last = completed ?? (isOver && !isSoft(place) ? place.endDate : null);
  return last !== null && last <= cutoff ? last : null;
}

/** K2, K3: returns what the lines of a fixed place earn, and what no work carries. */
function earnFee(records: Clean, place: Place, lives: Lives, cutoff: string): Share {
  const { life, within } = lives;
  const isLeft = hasLeft(life);
  const entries = entriesOf(records, place, cutoff);
  const end = endOf(records, place, lives, cutoff);
  const digits = minorUnit(records.settings.currency);
  const { total } = place;
  // The day on which what is left of T stands: that of the end, or the planned one while it is still to come.
  const finish = end ?? (place.endDate !== null && place.endDate > cutoff ? place.endDate : null);
  const rest = (due: readonly Due[]): Due[] => {
    const left = total.minus(due.reduce((all, { amount }) => all.plus(amount), ZERO));
    return finish === null ? [...due] : [...due, { date: finish, amount: left }];
  };
  if (place.recognise === 'done') return { earned: new Map(), due: rest([]) };
  if (place.recognise === 'evenly') {
    const days = daysOf(place.startDate ?? '', place.endDate ?? '');
    const upTo = (count: number) => total.times(count).dividedBy(days.length).toDecimalPlaces(digits);
    const due = days.map((date, index) => ({ date, amount: upTo(index + 1).minus(upTo(index)) }));
    return { earned: new Map(), due: rest(due.filter(({ date }) => date < (finish ?? NEVER_AFTER))) };
  }
  if (place.recognise === 'milestones') {
    let reached = ZERO;
    const due = milestonesOf(records, place)
      .filter(({ date }) => end === null || date <= end)
      .map(({ date, amount }) => {
        const before = less(total, reached);
        reached = reached.plus(amount.toDecimalPlaces(digits));
        return { date, amount: less(total, reached).minus(before) };
      });
    return { earned: new Map(), due: rest(due) };
  }
  const known = entries.filter(({ date }) => date <= (end ?? cutoff));
  if (known.length > 0) return earnByEntries(place, life, { entries: known, end, cutoff, finish, digits });
  if (end !== null) {
    const before = life.filter((line) => line.date <= end);
    const done = before.filter((line) => line.kind === 'actual');
    if (done.some((line) => billableHours(line).greaterThan(0))) {
      return { earned: sharesByHours(total, done, digits), due: [] };
    }
    const paid = before.filter((line) => line.kind === 'expense');
    return { earned: new Map(paid.map((line) => [line, within.get(line) ?? ZERO])), due: restOf(paid) };
  }
  if (isLeft) {
    const work = life.filter((line) => line.kind !== 'expense');
    return { earned: sharesByHours(total, work, digits), due: [] };
  }
  return { earned: within, due: restOf(life) };

  function restOf(lines: readonly Line[]): Due[] {
    return rest(lines.map((line) => ({ date: line.date, amount: within.get(line) ?? ZERO }))).slice(lines.length);
  }
}

/** The entries and days that decide, beside the lines, what progress earns. */
interface Entered {
  readonly entries: readonly Progress[];
  readonly end: string | null;
  readonly cutoff: string;
  readonly finish: string | null;
  readonly digits: number;
}

/** Tests for an entry of 100 %. */
export const isWhole = ({ percent, remainingHours }: Progress) =>
  percent === null ? remainingHours?.isZero() === true : percent.equals(100);

/** G2: returns what the lines between entries earn, up to the end as an entry of 100 %, and of what is left to do before it. */
function earnByEntries({ total }: Place, life: readonly Line[], entered: Entered): Share {
  const { entries, end, cutoff, finish, digits } = entered;
  const done = life.filter((line) => line.kind === 'actual' && billableHours(line).greaterThan(0));
  const earned = new Map<Line, Exact>();
  const due: Due[] = [];
  let [since, before] = ['', ZERO];
  const step = (lines: readonly Line[], upTo: Exact, date: string | null) => {
    const amount = upTo.minus(before);
    before = upTo;
    if (lines.length > 0) for (const [line, part] of sharesByHours(amount, lines, digits)) earned.set(line, part);
    else if (date !== null) due.push({ date, amount });
  };
  for (const { date, percent, remainingHours } of entries.filter((entry) => entry.date < (end ?? NEVER_AFTER))) {
    const hours = sumHours(done.filter((line) => line.date <= date).map(billableHours));
    const part = percent?.dividedBy(100) ?? partDone(hours, remainingHours ?? ZERO);
    const lines = done.filter((line) => line.date > since && line.date <= date);
    step(lines, total.times(part).toDecimalPlaces(digits), date);
    since = date;
  }
  const left = life.filter((line) => line.date > cutoff && billableHours(line).greaterThan(0));
  if (end === null) step(left, total, finish);
  else
    step(
      done.filter((line) => line.date > since && line.date <= end),
      total,
      end,
    );
  return { earned, due };
}

/** Returns the part that hours are of themselves and those that remain. */
const partDone = (hours: Exact, remaining: Exact) =>
  remaining.isZero() ? remaining.plus(1) : hours.dividedBy(hours.plus(remaining));

/** 3.3.1: shares T by billable hours. */
function sharesByHours(total: Exact, lines: readonly Line[], digits: number): Map<Line, Exact> {
  const whole = sumHours(lines.map(billableHours));
  let [done, shared] = [ZERO, ZERO];
  return new Map(
    lines.map((line) => {
      const before = shared;
      done = done.plus(billableHours(line));
      shared = total.times(done).dividedBy(whole).toDecimalPlaces(digits);
      return [line, shared.minus(before)];
    }),
  );
}

/** K4: makes one line of each day of a place: up to the cutoff of firm places, after it of asked statuses. */
function revenueLines(place: Place, due: readonly Due[], query: Query): Line[] {
  const days = new Map<string, Exact>();
  for (const { date, amount } of due) days.set(date, (days.get(date) ?? ZERO).plus(amount));
  return [...days]
    .filter(([date, amount]) => countsAlone(place.status, date, query) && !amount.isZero())
    .map(([date, amount]) => {
      const ids = [place.project.id, place.phase?.id ?? 0, place.task?.id ?? null] as const;
      return revenueLine(`f:${ids[0]}:${ids[1]}:${ids[2] ?? 0}:${date}`, date, ids, place.status, amount);
    });
}

/** K4: tests whether what no work carries counts: up to the cutoff of firm records, after it of those of an asked status. */
function countsAlone(status: Status, date: string, { cutoff, statuses }: Query): boolean {
  return date > cutoff
    ? statuses.includes(status)
    : status !== 'draft' && status !== 'tentative' && status !== 'canceled';
}

function revenueLine(
  line_id: string,
  date: string,
  [project_id, phase_id, task_meta_id]: readonly [project: number, phase: number, task: number | null],
  status: Status,
  revenue: Exact,
): Line {
  return {
    ...{ kind: 'revenue', line_id, date, people_id: null, role_id: null, project_id, phase_id, task_meta_id },
    ...{ task_id: null, logged_time_id: null, project_expense_id: null, status, billable: true, hours: null },
    ...{ cost_rate: null, cost_rate_source: null, cost: null },
    ...{ bill_rate: null, bill_rate_source: null, bill_rate_from: null, fee: null, revenue },
  };
}

/** A side of a comparison: its labour, what else it earns, and by what. */
interface Side {
  readonly work: readonly Line[];
  readonly others: readonly Line[];
  readonly by: Earnings;
}

/** Returns the revenue and the profit of a side as single amounts, and its margin. Percentages are known only if the amounts of each kind of labour are. */
function amountsOf({ work, others, by }: Side) {
  const counted = [...work, ...others];
  const revenueOf = (line: Line) => line.revenue ?? by.earned.get(line) ?? null;
  const revenues = counted.map(revenueOf);
  const profits = [...revenues, ...counted.map((line) => line.cost?.negated() ?? null)];
  const [revenue, profit] = [sum(revenues), sum(profits)];
  const isKnown = (amountOf: (line: Line) => Exact | null) =>
    ['actual', 'scheduled'].every((kind) => sum(work.filter((line) => line.kind === kind).map(amountOf)) !== null);
  const isWhole = isKnown(revenueOf);
  const margin = isWhole && isKnown((line) => line.cost) ? percent(profit, revenue) : null;
  return { revenues, profits, revenue, profit, isWhole, margin };
}

/** Computes the measures of revenue by contract of some lines (K5), and those of 3.3.1. */
export function agreedMeasures(lines: readonly Line[], query: Query, { earned, planned }: BothEarnings): Measures {
  const counted = countedOf(lines, query);
  const isToDate = (line: Line) => line.date <= query.cutoff;
  const side = (work: readonly Line[], by: Earnings, isDone: boolean): Side => {
    const others = [...counted.expenses, ...lines.filter((line) => by.lines.has(line))];
    return { work, others: isDone ? others.filter(isToDate) : others, by };
  };
  const sides = {
    actual: side(counted.actual, earned, true),
    forecast: side([...counted.actual, ...counted.scheduledAfter], earned, false),
    scheduled: side(counted.scheduled, planned, false),
    scheduled_to_date: side(counted.scheduledToDate, planned, true),
  };
  const amounts = Object.entries(sides).map(([name, each]) => [name, amountsOf(each)] as const);
  const { actual, scheduled_to_date: plan } = Object.fromEntries(amounts);
  if (!actual || !plan) throw new Error('a side is missing');
  const less = (one: readonly (Exact | null)[], other: readonly (Exact | null)[]) =>
    sum([...one, ...other.map((value) => value?.negated() ?? null)]);
  const variance = less(actual.revenues, plan.revenues);
  const beyondOf = ({ work, others }: Side) => sum([...work, ...others].map((line) => earned.beyond.get(line) ?? ZERO));
  const names = { actual: 'earned', forecast: 'forecast_earned' } as const;
  return {
    fees_beyond_budget: beyondOf(sides.actual),
    forecast_fees_beyond_budget: beyondOf(sides.forecast),
    ...Object.fromEntries(
      amounts.flatMap(([name, { revenue, profit, margin }]) =>
        [name, ...(name === 'actual' || name === 'forecast' ? [names[name]] : [])].flatMap((prefix) => [
          [`${prefix}_revenue`, revenue],
          [`${prefix}_profit`, profit],
          [`${prefix}_margin_percent`, margin],
        ]),
      ),
    ),
    variance_revenue: variance,
    variance_revenue_percent: actual.isWhole && plan.isWhole ? percent(variance, plan.revenue) : null,
    variance_profit: less(actual.profits, plan.profits),
    variance_margin_points:
      actual.margin && plan.margin && actual.profit && actual.revenue && plan.profit && plan.revenue
        ? ratioDifference([actual.profit, actual.revenue], [plan.profit, plan.revenue])
        : null,
  };
}
