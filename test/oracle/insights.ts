import { addDays, daysBetween, weekday } from './calendar.ts';
import { agreedMeasures, earnings, entriesOf, isWhole, revenueLinesOf } from './contracts.ts';
import type { Dataset } from './dataset.ts';
import { Exact, minorUnit, percent, sum, ZERO } from './exact.ts';
import { isNonBillable, type Line, type Model, modelOf } from './ledger.ts';
import { countedOf } from './measures.ts';
import { linesOf, type Parameters, type Query, readQuery } from './parameters.ts';
import { placeKeyOf, placesOf } from './places.ts';
import { ownRole, roleBillRate, roleCostRate } from './rates.ts';
import { type Row, runReport } from './reports.ts';
import { missingLines } from './timesheets.ts';

/** A sentence: its rule, and its numbers, days and names in the order of its words. */
export type Said = readonly [rule: string, ...values: string[]];

export interface SaidRow {
  readonly key: string;
  readonly sentences: readonly Said[];
  readonly status: string | null;
  /** Returns the size by which the largest sentence of each rule comes first. */
  readonly sizeOf: (said: Said) => Exact;
  /** The money at stake, which decides before that. */
  readonly stakeOf: (said: Said) => Exact;
  /** The hours and the labour cost of internal work, and the hours whose cost is unknown. */
  readonly internal: { readonly hours: Exact; readonly cost: Exact | null; readonly unpriced: Exact } | undefined;
}

/** Returns the numbers of the sentence about all internal work; none without any. */
export function sayInternal(rows: readonly SaidRow[]): string[] {
  const internal = rows.flatMap((row) => row.internal ?? []);
  // No hours cost nothing, which says nothing of the others.
  const worked = internal.filter(({ hours, cost }) => !hours.isZero() || !(cost ?? ZERO).isZero());
  const [hours, cost] = [sum(worked.map((each) => each.hours)), sum(worked.map((each) => each.cost))];
  if (!hours?.greaterThan(0)) return [];
  const unpriced = sum(internal.map((each) => each.unpriced)) ?? ZERO;
  const known = cost === null ? [] : [cost, ...(unpriced.isZero() ? [] : [unpriced])];
  return [hours, ...known].map((value) => value.toFixed());
}

/** Rules that put a project at risk, in the order of what they say. */
const AT_RISK = [
  ...['budget_at_risk', 'plan_exceeds_budget', 'loss', 'margin_below_plan', 'fees_beyond_agreed'],
  ...['above_plan', 'ends_beyond_plan'],
];

/** Rules by severity, the gravest first. */
const GRAVEST_FIRST = [
  ['budget_passed'],
  AT_RISK,
  ['no_actuals_since', 'missing_time', 'progress_missing', 'below_plan', 'unpriced'],
];

/** A sentence of a portfolio: its rule, the key of its row, and its size. */
export type Ranked = readonly [rule: string, key: string, size: string];

/** Puts the sentences about all rows in order, the worst first; those of one rule, stake and size are in any order. */
export function rankSaid(rows: readonly SaidRow[]): Ranked[] {
  return GRAVEST_FIRST.flatMap((rules) =>
    rules
      .flatMap((rule) =>
        rows
          .flatMap(({ key, sentences, sizeOf, stakeOf }) =>
            sentences
              .filter(([name]) => name === rule)
              .map((said) => ({ rule, key, size: sizeOf(said), stake: stakeOf(said) })),
          )
          .sort((a, b) => b.size.comparedTo(a.size)),
      )
      .sort((a, b) => b.stake.comparedTo(a.stake))
      .map(({ rule, key, size }) => [rule, key, size.toFixed()] as const),
  );
}

/** Returns the money that a sentence is about; 0 where it is about none. */
function stakeOfSaid(row: Row, [rule, ...values]: Said, { isMoney, overdueFees, waitingCost }: Stakes): Exact {
  const excess = exactOf(row, 'budget_forecast')?.minus(exactOf(row, 'budget_total') ?? 0);
  // Other sentences have days and names at these places.
  const amountAt = (place: number) =>
    ['loss', 'fees_beyond_agreed', 'unpriced'].includes(rule) ? new Exact(values[place] ?? 0) : null;
  const stakes: Readonly<Record<string, Exact | null | undefined>> = {
    budget_passed: isMoney ? exactOf(row, 'budget_remaining') : null,
    budget_at_risk: isMoney ? excess : null,
    plan_exceeds_budget: isMoney ? excess : null,
    loss: amountAt(0),
    margin_below_plan: exactOf(row, 'variance_profit'),
    fees_beyond_agreed: amountAt(0),
    above_plan: exactOf(row, 'variance_cost'),
    below_plan: exactOf(row, 'variance_fees'),
    missing_time: overdueFees,
    progress_missing: waitingCost,
    unpriced: amountAt(4),
  };
  return (stakes[rule] ?? ZERO).abs();
}

/** Facts that decide the stakes of a row, beside its measures. */
interface Stakes {
  /** The budget is in money. */
  readonly isMoney: boolean;
  readonly overdueFees: Exact | null;
  readonly waitingCost: Exact | null;
}

/** Returns the size of a sentence: the percentage of a budget, or the hours that it is about. */
function sizeOfSaid(row: Row, [rule, ...values]: Said): Exact {
  const [first = '', second = '', , share] = values;
  if (rule === 'budget_passed') return exactOf(row, 'budget_used_percent') ?? new Exact(second);
  if (rule.includes('budget')) return new Exact(share ?? second);
  if (rule === 'above_plan' || rule === 'below_plan') return hoursOf(row, 'variance_hours').abs();
  if (rule === 'ends_beyond_plan') return new Exact(values.at(-1) ?? 0);
  if (rule === 'margin_below_plan') return new Exact(second).abs();
  if (rule === 'progress_missing') return new Exact(first.includes('-') ? second : (values[2] ?? 0));
  return new Exact(rule === 'no_actuals_since' && first.includes('-') ? second : first).abs();
}

type Value = Exact | string | null;

/** The part of a number that one person or one month has. */
interface Part {
  readonly name: string;
  readonly value: Exact;
}

/** Computes what is to be said about each row of projects or phases, line by line. */
export function sayRows(dataset: Dataset, name: string, parameters: Parameters): SaidRow[] {
  const model = modelOf(dataset);
  const query = readQuery(name, parameters);
  return runReport(dataset, name, parameters).rows.map((row) => sayRow(model, query, row));
}

function sayRow(model: Model, query: Query, row: Row): SaidRow {
  const isOf = (line: Line) =>
    line.project_id === row['project_id'] && (query.name === 'projects' || line.phase_id === row['phase_id']);
  const lines = linesOf(model, query).filter(isOf);
  const whole: Query = { ...query, window: { start: '0000', end: '9999' } };
  const life = linesOf(model, whole).filter(isOf);
  const all = model.lines.filter((line) => line.status !== 'canceled' && isOf(line));
  const due = lastDue(model, query);
  const overdue = due === null ? [] : missingLines(model, countedOf(lines, query), due);
  const waiting = waitingOf(model, query, lines);
  const said = [
    ...sayBudget(model, query, row, all),
    ...sayMoney(model, query, row, lines, { isOf, waiting }),
    ...sayMissing(model, query, overdue, due),
    ...sayWaiting(waiting),
    ...sayAbove(model, query, row, lines),
    ...sayLate(model, query, row, lines),
    ...saySilence(model, query, lines, life),
    ...sayBelow(model, query, row, lines),
    ...sayUnpriced(model, query, row, lines),
  ];
  const onPlan = said.length === 0 && overdue.length === 0 ? sayOnPlan(row) : [];
  const rules = said.map(([rule]) => rule);
  const isAtRisk = AT_RISK.some((rule) => rules.includes(rule));
  const status = rules.includes('budget_passed') ? 'over' : isAtRisk ? 'at_risk' : onPlan.length > 0 ? 'on_plan' : null;
  const key = query.name === 'projects' ? `${row['project_id']}` : `${row['project_id']},${row['phase_id']}`;
  const isMoney = model.clean.projects.get(Number(row['project_id']))?.budgetType !== 1;
  const stakes = { isMoney, overdueFees: sum(overdue.map((line) => line.fee)), waitingCost: waiting.cost };
  return {
    key,
    sentences: [...said, ...onPlan],
    status,
    sizeOf: (each) => sizeOfSaid(row, each),
    stakeOf: (each) => stakeOfSaid(row, each, stakes),
    internal: isInternalWork(model, row)
      ? {
          hours: hoursOf(row, 'actual_hours'),
          cost: exactOf(row, 'actual_cost'),
          unpriced: hoursOf(row, 'actual_hours_without_cost_rate'),
        }
      : undefined,
  };
}

const exactOf = (row: Row, name: string): Exact | null => row[name] as Exact | null;
const hoursOf = (row: Row, name: string): Exact => exactOf(row, name) ?? ZERO;

/** Returns a sentence of clauses: none if its first misses a value, and later clauses only with all of theirs. */
function say(rule: string, first: readonly Value[], ...later: readonly (readonly Value[])[]): Said[] {
  if (first.includes(null)) return [];
  const clauses = [first, ...later.filter((clause) => !clause.includes(null))].flat();
  return [[rule, ...clauses.map((value) => (value instanceof Exact ? value.toFixed() : String(value)))]];
}

/** Returns the first day on which the running sum of amounts exceeds a total. */
function dayBeyond(
  lines: readonly Line[],
  amountOf: (line: Line) => Exact | null,
  total: Exact,
  after = '',
): string | null {
  let running = ZERO;
  for (const date of [...new Set(lines.map((line) => line.date))].sort()) {
    for (const line of lines) if (line.date === date) running = running.plus(amountOf(line) ?? ZERO);
    if (date > after && running.greaterThan(total)) return date;
  }
  return null;
}

function sayBudget(model: Model, query: Query, row: Row, all: readonly Line[]): Said[] {
  const [total, used, forecast] = ['budget_total', 'budget_used', 'budget_forecast'].map((name) => exactOf(row, name));
  if (total == null) return [];
  const isOfHours = model.clean.projects.get(Number(row['project_id']))?.budgetType === 1;
  const amountOf = (line: Line) => (isOfHours ? line.hours : line.fee);
  const { actual, scheduled, scheduledAfter, expenses } = countedOf(
    all.filter((line) => line.billable),
    query,
  );
  const spent = isOfHours ? [] : expenses;
  const usedLines = [...actual, ...spent.filter((line) => line.date <= query.cutoff)];
  const allLines = [...usedLines, ...scheduledAfter, ...spent.filter((line) => line.date > query.cutoff)];
  const planned = [...scheduled, ...spent];
  const plan = sum(planned.map(amountOf));
  const said: Said[] = [];
  if (used?.greaterThan(total)) {
    const part = largest(
      byPerson(model, actual, (own) => sum(own.map(amountOf))),
      ZERO,
    );
    const since = dayBeyond(usedLines, amountOf, total);
    const share = percent(used, total);
    const numbers = share ? [since, used, total, share, exactOf(row, 'budget_remaining')] : [since, used, total];
    said.push(...say('budget_passed', numbers, [part?.name ?? null, part?.value ?? null]));
  }
  const planShare = percent(plan, total);
  if (plan?.greaterThan(total) && forecast?.greaterThan(total)) {
    const since = dayBeyond(planned, amountOf, total);
    said.push(...say('plan_exceeds_budget', [since, plan, total, ...(planShare ? [planShare] : [])]));
  }
  if (used?.lessThanOrEqualTo(total) && forecast?.greaterThan(total)) {
    const share = percent(forecast, total);
    const since = dayBeyond(allLines, amountOf, total, query.cutoff);
    said.push(...say('budget_at_risk', [since, forecast, total, ...(share ? [share] : [])]));
  }
  return said;
}

/** Tests whether the project of a row, or the phase of a row of phases, is never billed. */
function isInternalWork({ clean }: Model, row: Row): boolean {
  return isNonBillable(clean, Number(row['project_id']), Number(row['phase_id'] ?? 0));
}

/** Says losses, margins and fees beyond what was agreed. */
function sayMoney(
  model: Model,
  query: Query,
  row: Row,
  lines: readonly Line[],
  { isOf, waiting }: { readonly isOf: (line: Line) => boolean; readonly waiting: Waiting },
): Said[] {
  const earned = earnings(model, query);
  const ofRevenue = linesOf(model, query, revenueLinesOf(['actual_revenue'], earned)).filter(isOf);
  const money = agreedMeasures([...lines, ...ofRevenue], query, earned);
  const [revenue = null, profit = null, beyond = null] = ['actual_revenue', 'actual_profit', 'fees_beyond_budget'].map(
    (name) => money[name] as Exact | null,
  );
  const points = exactOf(row, 'variance_margin_points');
  const phaseId = row['phase_id'] === undefined ? null : Number(row['phase_id']);
  const isToCome = [...placesOf(model.clean).values()].some(
    ({ key, kind, recognise, status, project, phase }) =>
      kind === 'fixed' &&
      status !== 'canceled' &&
      ['done', 'milestones'].includes(recognise) &&
      project.id === row['project_id'] &&
      (phaseId === null || project.budgetPriority !== 1 || phase?.id === phaseId) &&
      !earned.earned.ended.has(key),
  );
  const isInternal = isInternalWork(model, row);
  const said: Said[] = [];
  const isSettled = waiting.hours.isZero();
  const judged = isSettled ? profit : (profit?.plus(waiting.cost ?? ZERO) ?? null);
  if (!isInternal && !isToCome && judged?.lessThanOrEqualTo(-1000)) {
    const spent = ['actual_cost', 'expense_to_date_cost'].map((name) => exactOf(row, name));
    said.push(...say('loss', isSettled ? [profit, revenue, ...spent] : [judged, revenue]));
  }
  if (!isInternal && points?.lessThanOrEqualTo(-10)) {
    const names = ['actual_margin_percent', 'variance_margin_points', 'scheduled_to_date_margin_percent'];
    said.push(
      ...say(
        'margin_below_plan',
        names.map((name) => exactOf(row, name)),
      ),
    );
  }
  if (beyond?.greaterThan(0)) said.push(...say('fees_beyond_agreed', [beyond]));
  return said;
}

/** The work of a row that waits for progress to be entered (K6). */
interface Waiting {
  readonly places: number;
  readonly since: string;
  readonly hours: Exact;
  readonly cost: Exact | null;
}

/** Returns the work after the latest entries below 100 % of fixed fees that haven't ended. */
function waitingOf(model: Model, query: Query, lines: readonly Line[]): Waiting {
  const places = placesOf(model.clean);
  const { ended } = earnings(model, query).earned;
  const since = new Map<string, string>();
  const waiting = lines.filter((line) => {
    const place = places.get(placeKeyOf(model.clean, line));
    if (place?.kind !== 'fixed' || place.status === 'canceled' || ended.has(place.key)) return false;
    const latest = entriesOf(model.clean, place, query.cutoff).at(-1);
    const isWork = line.kind === 'actual' || (line.kind === 'expense' && place.hasExpenses);
    if (!latest || isWhole(latest) || !isWork || line.date <= latest.date || line.date > query.cutoff) return false;
    since.set(place.key, latest.date);
    return true;
  });
  return {
    places: since.size,
    since: [...since.values()].sort()[0] ?? '',
    hours: sum(waiting.flatMap((line) => line.hours ?? [])) ?? ZERO,
    cost: waiting.length === 0 ? null : sum(waiting.map((line) => line.cost)),
  };
}

function sayWaiting({ places, since, hours, cost }: Waiting): Said[] {
  if (!hours.greaterThan(0)) return [];
  const numbers = places === 1 ? [since, hours] : [String(places), since, hours];
  return say('progress_missing', cost === null ? numbers : [...numbers, cost]);
}

/** Returns the last day that has three work days of the company up to the cutoff after it; null for a company without any. */
function lastDue(model: Model, query: Query): string | null {
  const { workDaysHours } = model.clean.settings;
  if (workDaysHours.every((hours) => hours.isZero())) return null;
  let day = query.cutoff;
  for (let left = 3; left > 0; day = addDays(day, -1)) if (workDaysHours[weekday(day)]?.greaterThan(0)) left -= 1;
  return day;
}

/** Says the missing time (3.3.2) of a row up to the last day that is due. */
function sayMissing(model: Model, query: Query, overdue: readonly Line[], due: string | null): Said[] {
  const hours = hoursIn(overdue);
  if (due === null || hours.lessThan(8)) return [];
  const person = largest(byPerson(model, overdue, hoursIn), hours);
  const last = due < query.window.end ? due : query.window.end;
  return say('missing_time', [hours, last], [person?.name ?? null, person?.value ?? null]);
}

type Sum = (lines: readonly Line[]) => Exact | null;

function byKey(lines: readonly Line[], keyOf: (line: Line) => string | number | null): Map<string | number, Line[]> {
  const groups = new Map<string | number, Line[]>();
  for (const line of lines) {
    const key = keyOf(line);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return groups;
}

/** Returns the parts of people, in the order that decides between equal ones: by name, those without one last, and by id. */
function byPerson(model: Model, lines: readonly Line[], sumOf: Sum): Part[] {
  const nameOf = (id: number) => model.clean.people.get(id)?.name ?? null;
  const inOrder = [...byKey(lines, ({ people_id }) => people_id)].sort(([a], [b]) => {
    const [left, right] = [nameOf(Number(a)), nameOf(Number(b))];
    if (left === null || right === null) return Number(left === null) - Number(right === null) || Number(a) - Number(b);
    return Buffer.compare(Buffer.from(left), Buffer.from(right)) || Number(a) - Number(b);
  });
  return inOrder.flatMap(([id, own]) => {
    const value = sumOf(own);
    const name = nameOf(Number(id)) ?? `Unknown person ${id}`;
    return value === null ? [] : [{ name: name || `(no name) ${id}`, value }];
  });
}

function byMonth(lines: readonly Line[], sumOf: Sum): Part[] {
  const inOrder = [...byKey(lines, ({ date }) => `${date.slice(0, 'YYYY-MM'.length)}-01`)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return inOrder.flatMap(([month, own]) => {
    const value = sumOf(own);
    return value === null ? [] : [{ name: String(month), value }];
  });
}

/** Returns the first of the largest parts, of a number below 0 the lowest. */
function largest(parts: readonly Part[], whole: Exact | null): Part | undefined {
  return parts.reduce<Part | undefined>((best, part) => {
    if (best === undefined) return part;
    const isBetter =
      whole?.isNegative() && !whole.isZero() ? part.value.lessThan(best.value) : part.value.greaterThan(best.value);
    return isBetter ? part : best;
  }, undefined);
}

/** Returns the values of the person and the month with the largest part. */
function partsOf(model: Model, lines: readonly Line[], sumOf: Sum): Value[] {
  const whole = sumOf(lines);
  const [person, month] = [largest(byPerson(model, lines, sumOf), whole), largest(byMonth(lines, sumOf), whole)];
  return [person?.name ?? null, person?.value ?? null, month?.name ?? null, month?.value ?? null];
}

const AMOUNTS = { hours: 'hours', cost: 'cost', fees: 'fee' } as const;

function varianceOf(query: Query, amount: keyof typeof AMOUNTS): Sum {
  return (lines) => {
    const { actual, scheduledToDate } = countedOf(lines, query);
    const of = (each: readonly Line[]) => each.map((line) => line[AMOUNTS[amount]]);
    return sum([...of(actual), ...of(scheduledToDate).map((value) => value?.negated() ?? null)]);
  };
}

/** Tests whether a variance is at least 10 % of the plan, and 20 hours, in one direction. */
function isClear(row: Row, amount: keyof typeof AMOUNTS, sign: 1 | -1): boolean {
  const [plan, variance] = [exactOf(row, `scheduled_to_date_${amount}`), exactOf(row, `variance_${amount}`)];
  if (plan === null || variance === null || !plan.greaterThan(0)) return false;
  const isLarge = hoursOf(row, 'variance_hours').times(sign).greaterThanOrEqualTo(20);
  return isLarge && variance.times(sign).times(10).greaterThanOrEqualTo(plan);
}

function sayVariance(model: Model, query: Query, row: Row, lines: readonly Line[], sign: 1 | -1): Said[] {
  const rule = sign > 0 ? 'above_plan' : 'below_plan';
  for (const amount of ['hours', 'cost', 'fees'] as const) {
    if (!isClear(row, amount, sign)) continue;
    const names = ['actual', 'scheduled_to_date', 'variance'].map((name) => `${name}_${amount}`);
    const numbers = [...names, `variance_${amount}_percent`].map((name) => exactOf(row, name));
    const hours = amount === 'hours' ? [] : [exactOf(row, 'variance_hours')];
    const said = say(rule, [...numbers, ...hours], partsOf(model, lines, varianceOf(query, amount)));
    if (said.length > 0) return said;
  }
  return [];
}

function sayAbove(model: Model, query: Query, row: Row, lines: readonly Line[]): Said[] {
  const actual = hoursOf(row, 'actual_hours');
  if (!hoursOf(row, 'scheduled_to_date_hours').isZero()) return sayVariance(model, query, row, lines, 1);
  if (actual.lessThan(20)) return [];
  const tentative = hoursOf(row, 'tentative_hours');
  const hours: Sum = (own) => sum(countedOf(own, query).actual.map((line) => line.hours));
  const parts = partsOf(model, lines, hours);
  return say('above_plan', tentative.isZero() ? [actual] : [actual, tentative], parts);
}

function sayBelow(model: Model, query: Query, row: Row, lines: readonly Line[]): Said[] {
  return sayVariance(model, query, row, lines, -1);
}

const hoursIn = (lines: readonly Line[]): Exact => sum(lines.map((line) => line.hours)) ?? ZERO;

function sayLate(model: Model, query: Query, row: Row, lines: readonly Line[]): Said[] {
  const end = model.clean.projects.get(Number(row['project_id']))?.endDate ?? null;
  if (end === null) return [];
  const { actual, scheduled } = countedOf(
    lines.filter((line) => line.date > end),
    query,
  );
  const hours = [hoursIn(actual), hoursIn(scheduled)].filter((each) => each.greaterThan(0));
  return hours.length === 0 ? [] : say('ends_beyond_plan', [end, ...hours]);
}

const lastDay = (lines: readonly Line[]): string | null =>
  lines
    .map((line) => line.date)
    .sort()
    .at(-1) ?? null;

function saySilence(model: Model, query: Query, lines: readonly Line[], life: readonly Line[]): Said[] {
  const planned = countedOf(lines, query).scheduled;
  const last = lastDay(countedOf(life, query).actual);
  const first = planned.map((line) => line.date).sort()[0];
  const from = last ?? (first === undefined ? null : addDays(first, -1));
  if (from === null || daysBetween(from, query.cutoff) <= 7) return [];
  const silent = planned.filter((line) => line.date > from && line.date <= query.cutoff);
  const hours = hoursIn(silent);
  if (hours.isZero()) return [];
  const person = largest(byPerson(model, silent, hoursIn), hours);
  return say('no_actuals_since', last === null ? [hours] : [last, hours], [
    person?.name ?? null,
    person?.value ?? null,
  ]);
}

function costRateOfRole({ clean }: Model, { role_id, date }: Line): Exact | null {
  return roleCostRate(clean, role_id, date);
}

function ownBillRate({ clean }: Model, { people_id, date }: Line): Exact | null {
  const role = people_id === null ? null : ownRole(clean, people_id, date);
  return role === null ? null : roleBillRate(clean, role, date).rate;
}

function sayUnpriced(model: Model, query: Query, row: Row, lines: readonly Line[]): Said[] {
  const { actual, scheduled } = countedOf(lines, query);
  const digits = minorUnit(model.clean.settings.currency);
  const kinds = [
    { rate: 'cost', isUnknown: (line: Line) => line.cost === null, rateOf: costRateOfRole },
    { rate: 'bill', isUnknown: (line: Line) => line.billable && line.fee === null, rateOf: ownBillRate },
  ];
  return kinds.flatMap(({ rate, isUnknown, rateOf }) => {
    for (const [kind, of] of [
      ['actual', actual],
      ['scheduled', scheduled],
    ] as const) {
      const hours = hoursOf(row, `${kind}_hours_without_${rate}_rate`);
      if (hours.isZero()) continue;
      const unknown = of.filter(isUnknown);
      const person = largest(byPerson(model, unknown, hoursIn), hours);
      const estimated = kind === 'actual' ? unknown.filter((line) => rateOf(model, line) !== null) : [];
      const amounts = estimated.map((line) =>
        (line.hours ?? ZERO).times(rateOf(model, line) ?? ZERO).toDecimalPlaces(digits, Exact.ROUND_HALF_UP),
      );
      const estimate = estimated.length === 0 ? [null] : [hoursIn(estimated), sum(amounts)];
      return say('unpriced', [hours, person?.name ?? null, person?.value ?? null], estimate);
    }
    return [];
  });
}

function sayOnPlan(row: Row): Said[] {
  const plan = hoursOf(row, 'scheduled_to_date_hours');
  const unknown = ['actual', 'scheduled'].flatMap((kind) =>
    ['cost', 'bill'].map((rate) => hoursOf(row, `${kind}_hours_without_${rate}_rate`)),
  );
  if (plan.isZero() || !unknown.every((hours) => hours.isZero())) return [];
  return say('on_plan', [exactOf(row, 'actual_hours'), plan, exactOf(row, 'variance_hours_percent')]);
}
