import { periodStart } from './calendar.ts';
import { type Exact, minorUnit, percent, sum, sumHours, ZERO } from './exact.ts';
import type { Line, Model } from './ledger.ts';
import type { Query } from './parameters.ts';

export type Measures = Record<string, Exact | number | string | null>;

/** The lines that count (3.2), by their part in the definitions. */
export interface Counted {
  scheduled: Line[];
  /** The scheduled lines of the reported state. */
  current: Line[];
  baseline: Line[];
  scheduledToDate: Line[];
  scheduledAfter: Line[];
  tentative: Line[];
  tentativeAfter: Line[];
  actual: Line[];
  expenses: Line[];
  expensesToDate: Line[];
}

export function countedOf(
  lines: readonly Line[],
  query: Pick<Query, 'statuses' | 'cutoff'> & Partial<Pick<Query, 'hasBaseline'>>,
  isAsked = (line: Line) => query.statuses.includes(line.status),
): Counted {
  const all = lines.filter((line) => line.kind === 'scheduled' && line.status !== 'canceled');
  const asked = all.filter(isAsked);
  const current = asked.filter((line) => !line.isBaseline);
  const baseline = asked.filter((line) => line.isBaseline);
  const scheduled = query.hasBaseline ? baseline : current;
  return {
    scheduled,
    current,
    baseline,
    scheduledToDate: scheduled.filter((line) => line.date <= query.cutoff),
    scheduledAfter: current.filter((line) => line.date > query.cutoff),
    tentative: all.filter((line) => !line.isBaseline && line.status === 'tentative'),
    tentativeAfter: all.filter((line) => !line.isBaseline && line.status === 'tentative' && line.date > query.cutoff),
    actual: lines.filter((line) => line.kind === 'actual' && line.date <= query.cutoff),
    expenses: lines.filter((line) => line.kind === 'expense'),
    expensesToDate: lines.filter((line) => line.kind === 'expense' && line.date <= query.cutoff),
  };
}

function hours(lines: readonly Line[]): Exact {
  return sumHours(lines.map((line) => line.hours ?? ZERO));
}

function hoursMeasures(counted: Counted): Measures {
  const actual = hours(counted.actual);
  const toDate = hours(counted.scheduledToDate);
  const variance = actual.minus(toDate);
  return {
    scheduled_hours: hours(counted.scheduled),
    scheduled_billable_hours: hours(counted.scheduled.filter((line) => line.billable)),
    scheduled_non_billable_hours: hours(counted.scheduled.filter((line) => !line.billable)),
    tentative_hours: hours(counted.tentative),
    scheduled_to_date_hours: toDate,
    actual_hours: actual,
    actual_billable_hours: hours(counted.actual.filter((line) => line.billable)),
    actual_non_billable_hours: hours(counted.actual.filter((line) => !line.billable)),
    variance_hours: variance,
    variance_hours_percent: percent(variance, toDate),
    forecast_hours: actual.plus(hours(counted.scheduledAfter)),
    scheduled_hours_without_cost_rate: hours(counted.scheduled.filter((line) => line.cost === null)),
    actual_hours_without_cost_rate: hours(counted.actual.filter((line) => line.cost === null)),
    scheduled_hours_without_bill_rate: hours(counted.scheduled.filter((line) => line.billable && line.fee === null)),
    actual_hours_without_bill_rate: hours(counted.actual.filter((line) => line.billable && line.fee === null)),
  };
}

const costs = (lines: readonly Line[]): (Exact | null)[] => lines.map((line) => line.cost);
const fees = (lines: readonly Line[]): (Exact | null)[] => lines.map((line) => line.fee);
const negated = (values: readonly (Exact | null)[]): (Exact | null)[] =>
  values.map((value) => value?.negated() ?? null);

/** Returns a percentage, or null if a part of it is null. */
function percentOf(part: Exact | null, whole: Exact | null, ...parts: (Exact | null)[]): Exact | null {
  return parts.includes(null) ? null : percent(part, whole);
}

function amountMeasures(
  suffix: string,
  counted: Counted,
  amounts: (lines: readonly Line[]) => (Exact | null)[],
): Measures {
  const actual = sum(amounts(counted.actual));
  const toDate = sum(amounts(counted.scheduledToDate));
  const variance = sum([...amounts(counted.actual), ...negated(amounts(counted.scheduledToDate))]);
  return {
    [`scheduled_${suffix}`]: sum(amounts(counted.scheduled)),
    [`scheduled_to_date_${suffix}`]: toDate,
    [`actual_${suffix}`]: actual,
    [`variance_${suffix}`]: variance,
    [`variance_${suffix}_percent`]: percentOf(variance, toDate, actual, toDate),
    [`forecast_${suffix}`]: sum([...amounts(counted.actual), ...amounts(counted.scheduledAfter)]),
  };
}

/** Computes every measure of 3.2 that needs only the lines of the row, and no contract. */
export function lineMeasures(counted: Counted): Measures {
  return {
    ...hoursMeasures(counted),
    ...amountMeasures('cost', counted, costs),
    ...amountMeasures('fees', counted, fees),
    tentative_fees: sum(fees(counted.tentative)),
    expense_cost: sum(costs(counted.expenses)),
    expense_fees: sum(fees(counted.expenses)),
    expense_to_date_cost: sum(costs(counted.expensesToDate)),
    expense_to_date_fees: sum(fees(counted.expensesToDate)),
  };
}

export function capacityMeasures(
  model: Model,
  people: Iterable<number>,
  days: readonly string[],
  counted: Counted,
  cutoff: string,
): Measures {
  const scheduledOn = new Map<string, Exact>();
  for (const line of counted.current) {
    const key = `${line.people_id} ${line.date}`;
    scheduledOn.set(key, (scheduledOn.get(key) ?? ZERO).plus(line.hours ?? ZERO));
  }
  let capacity = ZERO;
  let toDate = ZERO;
  let timeOff = ZERO;
  let overtime = ZERO;
  let unscheduled = ZERO;
  for (const peopleId of people) {
    for (const day of days) {
      if (!model.days.canWork(peopleId, day)) continue;
      const free = model.days.capacity(peopleId, day);
      const scheduled = scheduledOn.get(`${peopleId} ${day}`) ?? ZERO;
      capacity = capacity.plus(free);
      if (day <= cutoff) toDate = toDate.plus(free);
      timeOff = timeOff.plus(model.days.timeOff(peopleId, day));
      if (scheduled.greaterThan(free)) overtime = overtime.plus(scheduled.minus(free));
      if (free.greaterThan(scheduled)) unscheduled = unscheduled.plus(free.minus(scheduled));
    }
  }
  return {
    capacity_hours: capacity,
    capacity_to_date_hours: toDate,
    time_off_hours: timeOff,
    overtime_hours: overtime,
    unscheduled_hours: unscheduled,
    scheduled_percent: percent(hours(counted.scheduled), capacity),
    utilization_percent: percent(hours(counted.actual.filter((line) => line.billable)), toDate),
  };
}

/** Groups lines by a key. */
function groupsBy(lines: readonly Line[], keyOf: (line: Line) => string): Line[][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) groups.set(keyOf(line), [...(groups.get(keyOf(line)) ?? []), line]);
  return [...groups.values()];
}

const scheduledOf = (lines: readonly Line[]): Line[] => lines.filter((line) => line.kind === 'scheduled');
const actualOf = (lines: readonly Line[]): Line[] => lines.filter((line) => line.kind === 'actual');

/** 8.8: a ratio with 4 decimals; null if undefined or a part is missing. */
function ratio(part: Exact | null, whole: Exact): Exact | null {
  return part === null || whole.isZero() ? null : part.dividedBy(whole).toDecimalPlaces(4);
}

/** Computes the measures of 8.8 that a request must name. */
export function namedMeasures(
  counted: Counted,
  { currency, weekStartsOn }: { readonly currency: string; readonly weekStartsOn: number },
): Measures {
  const worked = [...counted.scheduledToDate, ...counted.actual];
  const days = groupsBy(worked, (line) => `${line.people_id} ${line.date}`).map((lines) => {
    const [scheduled, actual] = [scheduledOf(lines), actualOf(lines)];
    const [planned, done] = [hours(scheduled), hours(actual)];
    const unlogged = planned.greaterThan(done) ? planned.minus(done) : ZERO;
    const share = (amount: Exact | null) =>
      amount?.times(unlogged).dividedBy(planned).toDecimalPlaces(minorUnit(currency)) ?? null;
    return {
      unlogged,
      covered: planned.minus(unlogged),
      cost: unlogged.isZero() ? null : share(sum(costs(scheduled))),
      fees: unlogged.isZero() ? null : share(sum(fees(scheduled))),
    };
  });
  const weeks = groupsBy(worked, (line) => `${line.people_id} ${periodStart(line.date, 'week', weekStartsOn, 1)}`);
  const error = sumHours(
    weeks.map((lines) =>
      hours(actualOf(lines))
        .minus(hours(scheduledOf(lines)))
        .abs(),
    ),
  );
  const toDate = hours(counted.scheduledToDate);
  const covered = sumHours(days.map((day) => day.covered));
  const unlogged = days.filter((day) => !day.unlogged.isZero());
  const costed = hours(counted.actual.filter((line) => line.cost !== null));
  return {
    unlogged_hours: sumHours(days.map((day) => day.unlogged)),
    unlogged_cost: sum(unlogged.map((day) => day.cost)),
    unlogged_fees: sum(unlogged.map((day) => day.fees)),
    covered_hours: covered,
    logging_coverage_percent: percent(covered, toDate),
    plan_error_hours: error,
    plan_error_percent: percent(error, toDate),
    backlog_fees: sum(fees(counted.scheduledAfter)),
    soft_backlog_fees: sum(fees(counted.tentativeAfter)),
    effective_bill_rate: ratio(sum(fees(counted.actual)), hours(counted.actual)),
    actual_hours_with_cost_rate: costed,
    average_cost_rate: ratio(sum(costs(counted.actual)), costed),
  };
}

/** Computes the measures of B3. */
export function baselineMeasures({ current, baseline }: Counted): Measures {
  const replanned = (amounts: (lines: readonly Line[]) => (Exact | null)[]) =>
    sum([...amounts(current), ...negated(amounts(baseline))]);
  return {
    baseline_hours: hours(baseline),
    baseline_cost: sum(costs(baseline)),
    baseline_fees: sum(fees(baseline)),
    replanned_hours: hours(current).minus(hours(baseline)),
    replanned_cost: replanned(costs),
    replanned_fees: replanned(fees),
  };
}

/** The measures of 8.8. */
export const NAMED_MEASURES: readonly string[] = [
  'unlogged_hours',
  'unlogged_cost',
  'unlogged_fees',
  'covered_hours',
  'logging_coverage_percent',
  'plan_error_hours',
  'plan_error_percent',
  'backlog_fees',
  'soft_backlog_fees',
  'effective_bill_rate',
  'actual_hours_with_cost_rate',
  'average_cost_rate',
];

export const HOURS_MEASURES: readonly string[] = [
  'scheduled_hours',
  'scheduled_billable_hours',
  'scheduled_non_billable_hours',
  'tentative_hours',
  'scheduled_to_date_hours',
  'actual_hours',
  'actual_billable_hours',
  'actual_non_billable_hours',
  'variance_hours',
  'variance_hours_percent',
  'forecast_hours',
];

const amountNames = (suffix: string): string[] => [
  `scheduled_${suffix}`,
  `scheduled_to_date_${suffix}`,
  `actual_${suffix}`,
  `variance_${suffix}`,
  `variance_${suffix}_percent`,
  `forecast_${suffix}`,
];

export const AMOUNT_MEASURES: readonly string[] = [
  ...amountNames('cost'),
  ...amountNames('fees'),
  'tentative_fees',
  'scheduled_hours_without_cost_rate',
  'actual_hours_without_cost_rate',
  'scheduled_hours_without_bill_rate',
  'actual_hours_without_bill_rate',
];

export const EXPENSE_MEASURES: readonly string[] = [
  'expense_cost',
  'expense_fees',
  'expense_to_date_cost',
  'expense_to_date_fees',
];

export const CAPACITY_MEASURES: readonly string[] = [
  'capacity_hours',
  'capacity_to_date_hours',
  'time_off_hours',
  'overtime_hours',
  'unscheduled_hours',
  'scheduled_percent',
  'utilization_percent',
];

export const BUDGET_MEASURES: readonly string[] = [
  'budget_total',
  'budget_used',
  'budget_remaining',
  'budget_used_percent',
  'budget_forecast',
  'budget_forecast_percent',
];

export function pick(measures: Measures, names: readonly string[]): Measures {
  const picked: Measures = {};
  for (const name of names) {
    const value = measures[name];
    if (value === undefined) throw new Error(`no measure ${name}`);
    picked[name] = value;
  }
  return picked;
}
