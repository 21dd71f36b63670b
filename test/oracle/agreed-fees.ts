import { Exact, minorUnit, percent, sum, sumHours, ZERO } from './exact.ts';
import { type Line, type Model, ownOf, STATUS_NAMES } from './ledger.ts';
import type { Measures } from './measures.ts';
import type { Query } from './parameters.ts';

/** The parts of agreed fees that lines have, and the scheduled lines that are left to do (3.3.1). */
export interface AgreedFees {
  readonly earned: ReadonlyMap<Line, Exact | null>;
  readonly beyond: ReadonlyMap<Line, Exact>;
  readonly left: ReadonlySet<Line>;
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

/** An agreed fee, with the id of what it is agreed for. */
interface Fee {
  readonly key: string;
  readonly total: Exact;
  readonly isOver: boolean;
  readonly isCanceled: boolean;
}

const less = (one: Exact, other: Exact) => (one.lessThan(other) ? one : other);

/** Returns the fee that a line uses; undefined if it has none. */
function feeOf(model: Model, query: Query, line: Line): Fee | undefined {
  const { projects, phases, projectTasks, settings } = ownOf(model);
  const project = projects.get(line.project_id);
  if (project?.budgetType !== 2) return undefined;
  const task = projectTasks.get(line.task_meta_id ?? 0);
  const phase = phases.get(project.budgetPriority === 2 ? (task?.phaseId ?? 0) : line.phase_id);
  const [total, key] = [
    [project.budgetTotal, `project ${project.id}`] as const,
    [phase?.budgetTotal ?? null, `phase ${phase?.id}`] as const,
    [task?.budget ?? null, `task ${task?.id}`] as const,
  ][project.budgetPriority] ?? [null, ''];
  if (total === null) return undefined;
  const parts = [project, ...(project.budgetPriority > 0 && phase ? [phase] : [])];
  const end = parts.at(-1)?.endDate ?? project.endDate;
  return {
    key,
    total: total.toDecimalPlaces(minorUnit(settings.currency)),
    isOver: parts.some(({ status }) => status === 3) || (end !== null && end <= query.cutoff),
    isCanceled: parts.some(({ status }) => status === 4),
  };
}

/** Tests whether a scheduled line after the cutoff is left to do. */
function isLeft(model: Model, query: Query, line: Line, fee: Fee | undefined): boolean {
  if (line.kind !== 'scheduled' || line.date <= query.cutoff) return false;
  return query.statuses.includes(line.status) || (fee !== undefined && isFirm(model, line));
}

/** Tests for a line as firm as the less firm of its project and phase. */
export function isFirm(model: Model, line: Line): boolean {
  const { projects, phases } = ownOf(model);
  const least = Math.min(projects.get(line.project_id)?.status ?? 2, phases.get(line.phase_id)?.status ?? 2);
  return STATUS_NAMES.indexOf(line.status) >= Math.min(least, 2);
}

/** Returns what lines earn of agreed fees, over the whole life of each fee. */
export function agreedFees(model: Model, query: Query): AgreedFees {
  const earned = new Map<Line, Exact | null>();
  const beyond = new Map<Line, Exact>();
  const left = new Set<Line>();
  const lives = new Map<string, { fee: Fee; lines: Line[] }>();
  for (const line of model.lines) {
    if (line.status === 'canceled' || line.isBaseline) continue;
    const fee = feeOf(model, query, line);
    if (isLeft(model, query, line, fee)) left.add(line);
    earned.set(line, line.fee);
    beyond.set(line, ZERO);
    if (!fee) continue;
    const isCounted =
      line.kind === 'expense' || left.has(line) || (line.kind === 'actual' && line.date <= query.cutoff);
    if (isCounted) lives.set(fee.key, { fee, lines: [...(lives.get(fee.key)?.lines ?? []), line] });
  }
  const digits = minorUnit(ownOf(model).settings.currency);
  for (const { fee, lines } of lives.values()) shareFee(fee, inOrder(lines), digits, { earned, beyond, left });
  return { earned, beyond, left };
}

function inOrder(lines: readonly Line[]): Line[] {
  const place = (line: Line) => `${line.date} ${line.kind === 'expense' ? 1 : 0} ${line.line_id}`;
  return lines.toSorted((a, b) => Buffer.compare(Buffer.from(place(a)), Buffer.from(place(b))));
}

const billableHours = (line: Line) => (line.billable ? (line.hours ?? ZERO) : ZERO);

function shareFee(
  { total, isOver, isCanceled }: Fee,
  lines: readonly Line[],
  digits: number,
  to: { earned: Map<Line, Exact | null>; beyond: Map<Line, Exact>; left: ReadonlySet<Line> },
): void {
  const whole = sumHours(lines.map(billableHours));
  const isToBeDone = lines.some((line) => to.left.has(line) && billableHours(line).greaterThan(0));
  const isByProgress = whole.greaterThan(0) && !isCanceled && (isToBeDone || isOver);
  let [used, done, shared] = [ZERO, ZERO, ZERO];
  for (const line of lines) {
    const before = used;
    used = used.plus(line.fee ?? ZERO);
    done = done.plus(billableHours(line));
    const within = less(total, used).minus(less(total, before));
    to.beyond.set(line, (line.fee ?? ZERO).minus(within));
    if (!isByProgress) {
      to.earned.set(line, within);
      continue;
    }
    const share = total.times(done).dividedBy(whole).toDecimalPlaces(digits, Exact.ROUND_HALF_UP);
    to.earned.set(line, line.kind === 'expense' ? ZERO : share.minus(shared));
    shared = share;
  }
}

/** Computes the measures of 3.3.1 of some lines. */
export function agreedMeasures(lines: readonly Line[], query: Query, { earned, beyond, left }: AgreedFees): Measures {
  const actual = lines.filter((line) => line.kind === 'actual' && line.date <= query.cutoff);
  const expenses = lines.filter((line) => line.kind === 'expense');
  const done = [...actual, ...expenses.filter((line) => line.date <= query.cutoff)];
  const all = [...actual, ...lines.filter((line) => left.has(line)), ...expenses];
  const of = (prefix: string, counted: readonly Line[]): Measures => {
    const amounts = counted.map((line) => earned.get(line) ?? null);
    const revenue = sum(amounts);
    const profit = sum([...amounts, ...counted.map((line) => line.cost?.negated() ?? null)]);
    const work = counted.filter((line) => line.kind !== 'expense');
    const isUnknown = [sum(work.map((line) => earned.get(line) ?? null)), sum(work.map((line) => line.cost))].includes(
      null,
    );
    return {
      [`${prefix}fees_beyond_budget`]: sum(counted.map((line) => beyond.get(line) ?? ZERO)),
      [`${prefix}earned_revenue`]: revenue,
      [`${prefix}earned_profit`]: profit,
      [`${prefix}earned_margin_percent`]: isUnknown ? null : percent(profit, revenue),
    };
  };
  return { ...of('', done), ...of('forecast_', all) };
}
