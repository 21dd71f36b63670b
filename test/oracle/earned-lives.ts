import { budgetOf } from './budgets.ts';
import { isFirm } from './contracts.ts';
import { type Exact, percent, sum, sumHours, ZERO } from './exact.ts';
import { type Line, type Model, ownOf } from './ledger.ts';
import { countedOf } from './measures.ts';
import type { Entity, Query } from './parameters.ts';
import type { Row } from './reports.ts';

type Value = Exact | null;

/** The life of a project or phase in one unit (E1, E2); amounts of sums are lists, as a sum may be unknown (R5). */
interface Life {
  source: string;
  budget: Value[];
  planned: Value[];
  actual: Value[];
  later: Value[];
  part: Value[];
  whole: Value[];
  percent: Value;
  earned: Value;
  isKnown: boolean;
}

export interface Choice {
  earnedIn: string;
  technique: string;
}

export function lifeOf(model: Model, query: Query, entity: Entity, { earnedIn, technique }: Choice): Life {
  const own = model.lines.filter(
    (line) =>
      line.status !== 'canceled' &&
      line.project_id === entity.projectId &&
      (entity.phaseId === undefined || line.phase_id === entity.phaseId),
  );
  const counted = countedOf(own, query, (line) => query.statuses.includes(line.status) || isFirm(ownOf(model), line));
  const isWork = (line: Line) => earnedIn === 'cost' || line.billable;
  const amounts = (lines: readonly Line[]): Value[] => {
    if (earnedIn === 'hours') return lines.filter((line) => line.billable).map((line) => line.hours);
    return lines.map((line) => (earnedIn === 'cost' ? line.cost : line.fee));
  };
  const expenses = earnedIn === 'fees' ? counted.expenses.filter((line) => line.billable) : [];
  const spent = expenses.filter((line) => line.date <= query.cutoff);
  const unspent = expenses.filter((line) => line.date > query.cutoff);
  const budget = earnedIn === 'cost' ? null : budgetOf(model, query, entity);
  const hasBudget = budget?.total && budget.unit === (earnedIn === 'hours' ? 'hours' : 'money');
  const schedule = amounts([...counted.scheduled, ...expenses]);
  const life = {
    source: hasBudget ? 'budget' : 'schedule',
    budget: hasBudget ? [budget.total] : schedule,
    planned: amounts([...counted.scheduledToDate, ...spent]),
    actual: amounts([...counted.actual, ...spent]),
    later: amounts([...counted.scheduledAfter, ...unspent]),
    ...progressOf(model, technique, counted, { isWork, amounts }),
  };
  const [part, whole, total] = [sum(life.part), sum(life.whole), sum(life.budget)];
  const isKnown = ![...schedule, ...life.actual, ...life.later].includes(null);
  const earned = part && whole && total && !whole.isZero() ? part.times(total).dividedBy(whole) : null;
  return { ...life, percent: percent(part, whole), earned: isKnown ? earned : null, isKnown };
}

/** E2: hours done of hours in all, or the completed plan of the whole plan. */
function progressOf(
  model: Model,
  technique: string,
  { actual, scheduled, scheduledAfter }: ReturnType<typeof countedOf>,
  { isWork, amounts }: { isWork(line: Line): boolean; amounts(lines: readonly Line[]): Value[] },
): Pick<Life, 'part' | 'whole'> {
  if (technique === 'remaining') {
    const hours = (lines: readonly Line[]) => [sumHours(lines.filter(isWork).map((line) => line.hours ?? ZERO))];
    return { part: hours(actual), whole: hours([...actual, ...scheduledAfter]) };
  }
  const isCompleted = (line: Line) =>
    line.status === 'completed' || model.clean.phases.get(line.phase_id)?.status === 3;
  return { part: amounts(scheduled.filter(isCompleted)), whole: amounts(scheduled) };
}

/** Computes the measures of some lives together (E3, E4), each from what is shown. */
export function measuresOf(lives: readonly Life[], { earnedIn, technique }: Choice, digits: number): Row {
  const decimals = earnedIn === 'hours' ? 4 : digits;
  const round = (value: Value) => value?.toDecimalPlaces(decimals) ?? null;
  const isKnown = lives.every((life) => life.isKnown);
  const total = (name: 'budget' | 'planned' | 'actual' | 'later' | 'part' | 'whole') =>
    sum(lives.flatMap((life) => life[name]));
  const known = (value: Value) => (isKnown ? value : null);
  const earnings = lives.map((life) => round(life.earned)).filter((earned) => earned !== null);
  const ev = known(earnings.length > 0 ? sum(earnings) : null);
  const [ac, later] = [known(total('actual')), known(total('later'))];
  // Quotients and what comes of them: both sides are of the lives that have an earned value.
  const indexed = (name: 'budget' | 'planned' | 'actual') =>
    ev && sum(lives.filter((life) => life.earned !== null).flatMap((life) => life[name]));
  const [indexedBac, indexedPv, indexedAc] = [indexed('budget'), indexed('planned'), indexed('actual')];
  const quotient = (part: Value, whole: Value) =>
    part && whole && !whole.isZero() ? part.dividedBy(whole).toDecimalPlaces(4) : null;
  const less = (a: Value, b: Value) => (a && b ? a.minus(b) : null);
  const plan = ac && later ? ac.plus(later) : null;
  const sources = new Set(lives.map((life) => life.source));
  return {
    technique,
    budget_source: sources.size > 1 ? 'mixed' : ([...sources][0] ?? null),
    budget_at_completion: total('budget'),
    progress_part: total('part'),
    progress_whole: total('whole'),
    percent_complete: lives.length === 1 ? (lives[0]?.percent ?? null) : percent(ev, indexedBac),
    planned_value: total('planned'),
    earned_value: ev,
    actual_to_date: ac,
    indexed_budget_at_completion: indexedBac,
    indexed_planned_value: indexedPv,
    indexed_actual_to_date: indexedAc,
    schedule_variance: less(ev, indexedPv),
    cost_variance: less(ev, indexedAc),
    spi: quotient(ev, indexedPv),
    cpi: quotient(ev, indexedAc),
    eac_plan: plan,
    eac_budget: indexedAc && indexedBac && ev ? indexedAc.plus(indexedBac).minus(ev) : null,
    eac_cpi: indexedBac && indexedAc && ev && !ev.isZero() ? round(indexedBac.times(indexedAc).dividedBy(ev)) : null,
    estimate_to_complete: later,
    variance_at_completion: less(total('budget'), plan),
    tcpi: quotient(less(indexedBac, ev), less(indexedBac, indexedAc)),
  };
}
