import {
  type Allocation,
  type Clean,
  clean,
  type Expense,
  type LoggedTime,
  type Phase,
  type Project,
} from './clean.ts';
import type { Dataset } from './dataset.ts';
import { Days } from './days.ts';
import { Exact, minorUnit, ZERO } from './exact.ts';
import { billRateOf, costRateOf, roleOf, type Work } from './rates.ts';

export type Status = 'draft' | 'tentative' | 'confirmed' | 'completed' | 'canceled';

/** Statuses by number (1.4). */
export const STATUS_NAMES: readonly Status[] = ['draft', 'tentative', 'confirmed', 'completed', 'canceled'];

/** A ledger line (2.1). */
export interface Line {
  kind: 'scheduled' | 'actual' | 'expense' | 'revenue';
  line_id: string;
  date: string;
  people_id: number | null;
  role_id: number | null;
  project_id: number;
  phase_id: number;
  task_meta_id: number | null;
  task_id: number | null;
  logged_time_id: string | null;
  project_expense_id: number | null;
  status: Status;
  billable: boolean;
  hours: Exact | null;
  cost_rate: Exact | null;
  cost_rate_source: string | null;
  cost: Exact | null;
  bill_rate: Exact | null;
  bill_rate_source: string | null;
  bill_rate_from: string | null;
  fee: Exact | null;
  /** The amount of a line of kind revenue (K4). */
  revenue?: Exact;
  /** The line is of the baseline. */
  isBaseline?: boolean;
}

export interface Model {
  clean: Clean;
  /** The records of the reported state, if others come from a baseline. */
  own?: Clean;
  days: Days;
  /** The records of the baseline, and its days. */
  kept?: Clean;
  keptDays?: Days;
  lines: Line[];
}

/** S1: returns the status of a scheduled line; unknown projects and phases count as confirmed. */
function scheduledStatus(records: Clean, allocation: Allocation): Status {
  const statuses = [allocation.status, records.projects.get(allocation.projectId)?.status ?? 2];
  if (allocation.phaseId !== 0) statuses.push(records.phases.get(allocation.phaseId)?.status ?? 2);
  return leastFirm(statuses);
}

/** S1: returns the status that the statuses of some records make together. */
export function leastFirm(statuses: readonly number[]): Status {
  if (statuses.includes(4)) return 'canceled';
  if (statuses.includes(0)) return 'draft';
  if (statuses.includes(1)) return 'tentative';
  if (statuses.includes(3)) return 'completed';
  return 'confirmed';
}

/** S2, K1: tests for a project or phase that is non-billable, or whose contract is internal. */
export function isNonBillable(records: Clean, projectId: number, phaseId: number): boolean {
  const project = records.projects.get(projectId);
  const phase = phaseId === 0 ? undefined : records.phases.get(phaseId);
  if (project?.nonBillable === true || phase?.nonBillable === true) return true;
  return contractOf(project, phase) === 'internal';
}

/** K1: returns the contract that the fields say for work of a phase: phases have their own if budgets stand below the project. */
export function contractOf(project: Project | undefined, phase: Phase | undefined): string | null {
  return (project?.budgetPriority === 0 ? null : phase?.contract) ?? project?.contract ?? null;
}

/** S2: takes the flag of a scheduled line from its known project task, else from the allocation. */
function scheduledBillable(records: Clean, allocation: Allocation): boolean {
  if (isNonBillable(records, allocation.projectId, allocation.phaseId)) return false;
  const task = allocation.taskMetaId === null ? undefined : records.projectTasks.get(allocation.taskMetaId);
  if (task !== undefined) return task.billable !== false;
  return allocation.billable !== false;
}

/** S2: takes the flag of an actual line from the record if set, else from its known project task. */
function actualBillable(records: Clean, record: LoggedTime, projectId: number, phaseId: number): boolean {
  if (isNonBillable(records, projectId, phaseId)) return false;
  if (record.billable !== null) return record.billable;
  const task = record.taskMetaId === null ? undefined : records.projectTasks.get(record.taskMetaId);
  return task?.billable !== false;
}

/** D8: returns the project and phase of a record. */
function givenPlaceOf(records: Clean, record: LoggedTime): { projectId: number; phaseId: number } {
  if (record.projectId !== null) return { projectId: record.projectId, phaseId: record.phaseId };
  const allocation = record.taskId === null ? undefined : records.allocations.get(record.taskId);
  const task = record.taskMetaId === null ? undefined : records.projectTasks.get(record.taskMetaId);
  const giver = allocation ?? task;
  const phaseId = record.phaseId === 0 ? (giver?.phaseId ?? 0) : record.phaseId;
  return { projectId: giver?.projectId ?? records.phases.get(phaseId)?.projectId ?? 0, phaseId };
}

/** D9: returns the record without a phase and a project task of another project than its own. */
function ownParts<T extends { projectId: number; phaseId: number; taskMetaId: number | null }>(
  records: Clean,
  record: T,
): T {
  const phase = records.phases.get(record.phaseId);
  const task = records.projectTasks.get(record.taskMetaId ?? 0);
  return {
    ...record,
    phaseId: phase !== undefined && phase.projectId !== record.projectId ? 0 : record.phaseId,
    taskMetaId: task !== undefined && task.projectId !== record.projectId ? null : record.taskMetaId,
  };
}

/** R2 to R4, A1, A2: computes the rates and amounts of a labor line. */
function price(records: Clean, work: Work, hours: Exact, billable: boolean) {
  const digits = minorUnit(records.settings.currency);
  const costRate = costRateOf(records, work);
  const billRate = billRateOf(records, work);
  const amount = (rate: Exact | null): Exact | null =>
    rate === null ? null : hours.times(rate).toDecimalPlaces(digits, Exact.ROUND_HALF_UP);
  return {
    role_id: roleOf(records, work),
    cost_rate: costRate.rate,
    cost_rate_source: costRate.source,
    cost: amount(costRate.rate),
    bill_rate: billRate.rate,
    bill_rate_source: billRate.source,
    bill_rate_from: billRate.from,
    fee: billable ? amount(billRate.rate) : ZERO,
  };
}

function scheduledLine(records: Clean, record: Allocation, peopleId: number, date: string): Line {
  const allocation = ownParts(records, record);
  const { projectId, phaseId, hours } = allocation;
  const billable = scheduledBillable(records, allocation);
  return {
    kind: 'scheduled',
    line_id: `s:${allocation.id}:${peopleId}:${date}`,
    date,
    people_id: peopleId,
    project_id: projectId,
    phase_id: phaseId,
    task_meta_id: allocation.taskMetaId,
    task_id: allocation.id,
    logged_time_id: null,
    project_expense_id: null,
    status: scheduledStatus(records, allocation),
    billable,
    hours,
    ...price(records, { peopleId, projectId, phaseId, date }, hours, billable),
  };
}

function actualLine(records: Clean, logged: LoggedTime): Line {
  const record = ownParts(records, { ...logged, ...givenPlaceOf(records, logged) });
  const { projectId, phaseId, peopleId, date, hours } = record;
  const billable = actualBillable(records, record, projectId, phaseId);
  return {
    kind: 'actual',
    line_id: `a:${record.id}`,
    date,
    people_id: peopleId,
    project_id: projectId,
    phase_id: phaseId,
    task_meta_id: record.taskMetaId,
    task_id: record.taskId,
    logged_time_id: record.id,
    project_expense_id: null,
    status: 'confirmed',
    billable,
    hours,
    ...price(records, { peopleId, projectId, phaseId, date }, hours, billable),
  };
}

/** A3: returns the fee of an expense. */
function expenseFee(expense: Expense): Exact {
  const markup = expense.markup ?? ZERO;
  if (expense.markupType === 1) return expense.cost.plus(markup);
  return expense.cost.times(markup.dividedBy(100).plus(1));
}

function expenseLine(records: Clean, expense: Expense): Line {
  const digits = minorUnit(records.settings.currency);
  const billable = expense.billable === true && !isNonBillable(records, expense.projectId, 0);
  return {
    kind: 'expense',
    line_id: `e:${expense.id}`,
    date: expense.date,
    people_id: null,
    role_id: null,
    project_id: expense.projectId,
    phase_id: 0,
    task_meta_id: null,
    task_id: null,
    logged_time_id: null,
    project_expense_id: expense.id,
    status: 'confirmed',
    billable,
    hours: null,
    cost_rate: null,
    cost_rate_source: null,
    cost: expense.cost.toDecimalPlaces(digits, Exact.ROUND_HALF_UP),
    bill_rate: null,
    bill_rate_source: null,
    bill_rate_from: null,
    fee: billable ? expenseFee(expense).toDecimalPlaces(digits, Exact.ROUND_HALF_UP) : ZERO,
  };
}

/** K3: marks the projects whose end is the last day of their lines, where nothing says who has set it. */
function doubtEnds({ projects }: Clean, lines: readonly Line[]): void {
  const last = new Map<number, string>();
  for (const { project_id, date } of lines) {
    if (date > (last.get(project_id) ?? '')) last.set(project_id, date);
  }
  for (const project of projects.values())
    project.hasDoubtfulEnd =
      project.hasUnknownDays && project.endDate !== null && project.endDate === last.get(project.id);
}

const models = new WeakMap<Dataset, Model>();

/** Returns the cached model of a dataset, which never changes after its first use. */
export function modelOf(dataset: Dataset): Model {
  const known = models.get(dataset);
  if (known !== undefined) return known;
  const records = clean(dataset);
  const days = new Days(records);
  const lines: Line[] = [];
  for (const allocation of records.allocations.values()) {
    if (allocation.hours.isZero()) continue;
    for (const peopleId of allocation.peopleIds) {
      for (const date of days.scheduledDays(allocation, peopleId)) {
        lines.push(scheduledLine(records, allocation, peopleId, date));
      }
    }
  }
  for (const record of records.loggedTime.values()) {
    if (record.hours.greaterThan(0)) lines.push(actualLine(records, record));
  }
  for (const expense of records.expenses.values()) lines.push(expenseLine(records, expense));
  doubtEnds(records, lines);
  const model = { clean: records, days, lines };
  models.set(dataset, model);
  return model;
}

/** Returns the records of the reported state. */
export function ownOf({ own, clean: all }: Model): Clean {
  return own ?? all;
}

/** Returns the whole ledger, with canceled lines although no report counts them. */
export function buildLedger(dataset: Dataset): Line[] {
  return modelOf(dataset).lines;
}
