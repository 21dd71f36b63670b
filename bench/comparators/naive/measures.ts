import { Decimal } from 'decimal.js';
import type { Line, Status } from './ledger.ts';

export type Row = Readonly<Record<string, Decimal | string | number | boolean | null>>;

/** A sum of the amounts known on some lines. */
export interface Sum {
  readonly value: Decimal;
  readonly isKnown: boolean;
  readonly isEmpty: boolean;
}

interface Sums {
  readonly scheduled: Sum;
  readonly toDate: Sum;
  readonly later: Sum;
  readonly actual: Sum;
  readonly expenses: Sum;
  readonly expensesToDate: Sum;
}

/** The amounts of a budget, all null without one. */
export interface Budget {
  readonly unit: string | null;
  readonly total: Decimal | null;
  readonly used: Decimal | null;
  readonly remaining: Decimal | null;
  readonly forecast: Decimal | null;
}

const zero = new Decimal(0);
const askedStatuses: readonly Status[] = ['confirmed', 'completed'];

export function measure(lines: readonly Line[], budget: Budget, cutoff: string): Row {
  const plan = lines.filter(({ kind }) => kind === 'scheduled');
  const scheduled = plan.filter(isAsked);
  const tentative = plan.filter(({ status }) => status === 'tentative');
  const toDate = scheduled.filter(({ date }) => date <= cutoff);
  const later = scheduled.filter(({ date }) => date > cutoff);
  const actual = lines.filter(({ kind, date }) => kind === 'actual' && date <= cutoff);
  const expenses = lines.filter(({ kind }) => kind === 'expense');
  const expensesToDate = expenses.filter(({ date }) => date <= cutoff);
  const hoursToDate = hoursOf(toDate);
  const variance = hoursOf(actual).minus(hoursToDate);
  return {
    scheduled_hours: hoursOf(scheduled),
    scheduled_billable_hours: hoursOf(scheduled.filter(({ isBillable }) => isBillable)),
    scheduled_non_billable_hours: hoursOf(scheduled.filter(({ isBillable }) => !isBillable)),
    tentative_hours: hoursOf(tentative),
    scheduled_to_date_hours: hoursToDate,
    actual_hours: hoursOf(actual),
    actual_billable_hours: hoursOf(actual.filter(({ isBillable }) => isBillable)),
    actual_non_billable_hours: hoursOf(actual.filter(({ isBillable }) => !isBillable)),
    variance_hours: variance,
    variance_hours_percent: percent(variance, hoursToDate),
    forecast_hours: hoursOf(actual).plus(hoursOf(later)),
    tentative_fees: net([sum(tentative, ({ fee }) => fee)]),
    scheduled_hours_without_cost_rate: hoursOf(scheduled.filter(({ cost }) => cost === null)),
    actual_hours_without_cost_rate: hoursOf(actual.filter(({ cost }) => cost === null)),
    scheduled_hours_without_bill_rate: hoursOf(scheduled.filter(({ fee }) => fee === null)),
    actual_hours_without_bill_rate: hoursOf(actual.filter(({ fee }) => fee === null)),
    ...measureMoney({ scheduled, toDate, later, actual, expenses, expensesToDate }),
    budget_unit: budget.unit,
    budget_total: budget.total,
    budget_used: budget.used,
    budget_remaining: budget.remaining,
    budget_used_percent: percent(budget.used, budget.total),
    budget_forecast: budget.forecast,
    budget_forecast_percent: percent(budget.forecast, budget.total),
  };
}

function measureMoney(lines: Record<keyof Sums, readonly Line[]>): Row {
  const sums = (amountOf: (line: Line) => Decimal | null): Sums => ({
    scheduled: sum(lines.scheduled, amountOf),
    toDate: sum(lines.toDate, amountOf),
    later: sum(lines.later, amountOf),
    actual: sum(lines.actual, amountOf),
    expenses: sum(lines.expenses, amountOf),
    expensesToDate: sum(lines.expensesToDate, amountOf),
  });
  const cost = sums((line) => line.cost);
  const fees = sums((line) => line.fee);
  const expenses = { fees: fees.expenses, cost: cost.expenses };
  const spent = { fees: fees.expensesToDate, cost: cost.expensesToDate };
  const actual = measureProfit([fees.actual], [cost.actual], spent);
  const toDate = measureProfit([fees.toDate], [cost.toDate], spent);
  const revenue = net([fees.actual], [fees.toDate]);
  const points = actual.margin && toDate.margin && roundPercent(actual.margin.minus(toDate.margin));
  return {
    ...measureAmount('cost', cost),
    ...measureAmount('fees', fees),
    expense_cost: net([cost.expenses]),
    expense_fees: net([fees.expenses]),
    expense_to_date_cost: net([cost.expensesToDate]),
    expense_to_date_fees: net([fees.expensesToDate]),
    ...nameProfit('scheduled', measureProfit([fees.scheduled], [cost.scheduled], expenses)),
    ...nameProfit('scheduled_to_date', toDate),
    ...nameProfit('actual', actual),
    ...nameProfit('forecast', measureProfit([fees.actual, fees.later], [cost.actual, cost.later], expenses)),
    variance_revenue: revenue,
    variance_revenue_percent: net([fees.actual]) && net([fees.toDate]) && percent(revenue, toDate.revenue),
    variance_profit: net([fees.actual, cost.toDate], [fees.toDate, cost.actual]),
    variance_margin_points: points,
  };
}

function measureAmount(name: string, { scheduled, toDate, later, actual }: Sums): Row {
  const variance = net([actual], [toDate]);
  return {
    [`scheduled_${name}`]: net([scheduled]),
    [`scheduled_to_date_${name}`]: net([toDate]),
    [`actual_${name}`]: net([actual]),
    [`variance_${name}`]: variance,
    [`variance_${name}_percent`]: net([actual]) && percent(variance, net([toDate])),
    [`forecast_${name}`]: net([actual, later]),
  };
}

interface Profit {
  readonly revenue: Decimal | null;
  readonly profit: Decimal | null;
  /** Not rounded. Unit: percent. */
  readonly margin: Decimal | null;
}

/** Returns the profit of some lines; a percentage is null if any part is, so unknown costs give no 100 % margin. */
function measureProfit(fees: Sum[], costs: Sum[], expenses: { readonly fees: Sum; readonly cost: Sum }): Profit {
  const revenue = net([...fees, expenses.fees]);
  const profit = net([...fees, expenses.fees], [...costs, expenses.cost]);
  return { revenue, profit, margin: net(fees) && net(costs) && ratio(profit, revenue) };
}

function nameProfit(name: string, { revenue, profit, margin }: Profit): Row {
  return {
    [`${name}_revenue`]: revenue,
    [`${name}_profit`]: profit,
    [`${name}_margin_percent`]: margin && roundPercent(margin),
  };
}

export function isAsked({ status }: Line): boolean {
  return askedStatuses.includes(status);
}

export function hoursOf(lines: readonly Line[]): Decimal {
  return sum(lines, ({ hours }) => hours).value;
}

export function sum(lines: readonly Line[], amountOf: (line: Line) => Decimal | null): Sum {
  const amounts = lines.map(amountOf).filter((amount) => amount !== null);
  const value = amounts.reduce((total, amount) => total.plus(amount), zero);
  return { value, isKnown: amounts.length > 0, isEmpty: lines.length === 0 };
}

/** Returns some sums less others; null if there are lines but none has the amount. */
export function net(added: readonly Sum[], taken: readonly Sum[] = []): Decimal | null {
  const all = [...added, ...taken];
  if (!all.every(({ isEmpty }) => isEmpty) && !all.some(({ isKnown }) => isKnown)) return null;
  const total = added.reduce((value, part) => value.plus(part.value), zero);
  return taken.reduce((value, part) => value.minus(part.value), total);
}

function percent(part: Decimal | null, whole: Decimal | null): Decimal | null {
  const exact = ratio(part, whole);
  return exact && roundPercent(exact);
}

function ratio(part: Decimal | null, whole: Decimal | null): Decimal | null {
  return part === null || whole === null || whole.isZero() ? null : part.times(100).div(whole);
}

function roundPercent(percentage: Decimal): Decimal {
  return percentage.toDecimalPlaces(2);
}
