import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Decimal } from 'decimal.js';

/*
 * Comparator of load + build + report: what one would write in an afternoon. The records into Maps, a loop over days,
 * decimal.js for the amounts, and no SQL. It makes every line of the ledger and keeps the sums of a quarter by project.
 */

type Text = string | null | undefined;
type Amount = number | string | null | undefined;

interface Contract {
  effective_date: Text;
  role_id: number | null;
  cost_rate: Amount;
  cost_rate_from: Text;
}

interface Person {
  people_id: number;
  role_id: number | null;
  work_days_hours: number[] | null;
  work_days_hours_history: Record<string, number[]> | null;
  start_date: Text;
  end_date: Text;
  default_hourly_rate: Amount;
  cost_rate: Amount;
  effective_date: Text;
  contracts: Contract[] | null;
}

interface Role {
  role_id: number;
  default_hourly_rate: Amount;
  cost_rate_history: { rate: Amount; effective_date: Text }[] | null;
}

interface Member {
  people_id: number;
  role_id: number | null;
  hourly_rate: Amount;
  phase_id?: number | null;
}

interface Project {
  project_id: number;
  default_hourly_rate: Amount;
  non_billable: number;
  tentative: number;
  status: number | null;
  end_date: Text;
  project_team: Member[] | null;
}

interface Phase {
  phase_id: number;
  status: number | null;
  non_billable: number;
  default_hourly_rate: Amount;
  phase_team: Member[] | null;
}

interface ProjectTask {
  task_meta_id: number;
  project_id: number;
  phase_id: number | null;
  billable: number | null;
}

interface Repeating {
  people_id: number | null;
  people_ids: number[] | null;
  start_date: string;
  end_date: string;
  repeat_state: number | null;
}

interface Allocation extends Repeating {
  task_id: number;
  project_id: number;
  phase_id: number | null;
  hours: number;
  repeat_end_date: Text;
  status: number | null;
  billable: number | null;
  task_meta_id: number | null;
}

interface TimeOff extends Repeating {
  timeoff_id: number;
  hours: number | null;
  full_day: number | null;
  repeat_end: Text;
  status: number | null;
}

interface LoggedTime {
  logged_time_id: string;
  people_id: number;
  date: string;
  hours: number;
  billable: number | null;
  project_id: number | null;
  phase_id: number | null;
  task_id: number | null;
  task_meta_id: number | null;
}

interface Expense {
  project_expense_id: number;
  project_id: number;
  date: string;
  cost: string;
  billable: number | null;
  markup: Amount;
  markup_type: number | null;
}

interface Sums {
  scheduled_hours: Decimal;
  scheduled_cost: Decimal;
  scheduled_fees: Decimal;
  actual_hours: Decimal;
  actual_cost: Decimal;
  actual_fees: Decimal;
  expense_cost: Decimal;
  expense_fees: Decimal;
}

export interface NaiveReport {
  lines: { scheduled: number; actual: number; expense: number };
  projects: Record<string, Record<keyof Sums, string>>;
}

const dayMs = 86_400_000;
const knownDays = new Map<string, number>();

/** The day's number, counted from 1970; NaN for what is no date. */
function toDay(text: string): number {
  const known = knownDays.get(text);
  if (known !== undefined) return known;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  const day = isReal ? time / dayMs : Number.NaN;
  knownDays.set(text, day);
  return day;
}

function isDate(text: unknown): text is string {
  return typeof text === 'string' && !Number.isNaN(toDay(text));
}

const lastDay = toDay('2099-12-31');

function isHours(hours: unknown): boolean {
  return typeof hours === 'number' && hours >= 0 && hours <= 24;
}

function weekdayOf(day: number): number {
  return (day + 4) % 7;
}

async function readRecords<T>(
  directory: string,
  name: string,
  idOf: (record: T) => number | string,
  isValid: (record: T) => boolean = () => true,
): Promise<Map<number | string, T>> {
  const records = new Map<number | string, T>();
  const file = path.join(directory, `${name}.ndjson`);
  if (!existsSync(file)) return records;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue;
    const record = JSON.parse(line) as T;
    if (isValid(record)) records.set(idOf(record), record);
  }
  return records;
}

function isRightSpan(item: Repeating, repeatEnd: Text): boolean {
  return (
    isDate(item.start_date) &&
    isDate(item.end_date) &&
    item.end_date >= item.start_date &&
    !(isDate(repeatEnd) && repeatEnd < item.start_date) &&
    peopleOf(item).length > 0
  );
}

function peopleOf(item: Repeating): number[] {
  if (item.people_ids && item.people_ids.length > 0) return [...new Set(item.people_ids)];
  return item.people_id === null ? [] : [item.people_id];
}

const weekSteps = new Map([
  [1, 7],
  [3, 14],
  [4, 21],
  [5, 42],
]);
const monthSteps = new Map([
  [2, 1],
  [6, 2],
  [7, 3],
  [8, 6],
  [9, 12],
]);

function sameWeekday(start: Date, months: number): number {
  const nth = Math.floor((start.getUTCDate() - 1) / 7);
  const first = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 1));
  const candidate = new Date(first);
  candidate.setUTCDate(1 + ((start.getUTCDay() - first.getUTCDay() + 7) % 7) + nth * 7);
  if (candidate.getUTCMonth() !== first.getUTCMonth()) candidate.setUTCDate(candidate.getUTCDate() - 7);
  return candidate.getTime() / dayMs;
}

function twoYearsAfter(text: string): string {
  const end = new Date(`${text}T00:00:00Z`);
  const month = end.getUTCMonth();
  end.setUTCFullYear(end.getUTCFullYear() + 2);
  if (end.getUTCMonth() !== month) end.setUTCDate(0);
  return end.toISOString().slice(0, 10);
}

/** The days of each occurrence. */
function occurrencesOf(item: Repeating, repeatEndDate: string): number[][] {
  const start = toDay(item.start_date);
  const length = toDay(item.end_date) - start + 1;
  const span = (first: number, end: number): number[] => {
    const days = [];
    for (let day = first; day < first + length && day <= end; day += 1) days.push(day);
    return days;
  };
  const occurrences = [span(start, lastDay)];
  const weekStep = weekSteps.get(item.repeat_state ?? 0);
  const monthStep = monthSteps.get(item.repeat_state ?? 0);
  if (weekStep === undefined && monthStep === undefined) return occurrences;
  const repeatEnd = toDay(repeatEndDate);
  for (let step = 1; ; step += 1) {
    const first =
      weekStep === undefined ? sameWeekday(new Date(start * dayMs), step * (monthStep ?? 0)) : start + step * weekStep;
    if (first > repeatEnd) return occurrences;
    occurrences.push(span(first, repeatEnd));
  }
}

function latest<T>(items: readonly T[], startOf: (item: T) => number, day: number): T | undefined {
  let found: T | undefined;
  let foundStart = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const start = startOf(item);
    if (start <= day && start >= foundStart) {
      found = item;
      foundStart = start;
    }
  }
  return found;
}

const firstOf = (...dates: Text[]): number => toDay(dates.find((date) => isDate(date)) ?? '1970-01-01');

export async function reportNaively(directory: string, start: string, end: string): Promise<NaiveReport> {
  const settingsFile = path.join(directory, 'settings.json');
  const settings = existsSync(settingsFile)
    ? (JSON.parse(await readFile(settingsFile, 'utf8')) as { work_days_hours?: number[] })
    : {};
  const accountHours = settings.work_days_hours ?? [0, 8, 8, 8, 8, 8, 0];
  const people = await readRecords<Person>(directory, 'people', (record) => record.people_id);
  const roles = await readRecords<Role>(directory, 'roles', (record) => record.role_id);
  const projects = await readRecords<Project>(directory, 'projects', (record) => record.project_id);
  const phases = await readRecords<Phase>(directory, 'phases', (record) => record.phase_id);
  const projectTasks = await readRecords<ProjectTask>(directory, 'project_tasks', (record) => record.task_meta_id);
  const expenses = await readRecords<Expense>(directory, 'project_expenses', (record) => record.project_expense_id);
  const timeoffs = await readRecords<TimeOff>(
    directory,
    'timeoffs',
    (record) => record.timeoff_id,
    (record) => isRightSpan(record, record.repeat_end) && (record.hours === null || isHours(record.hours)),
  );
  const allocations = await readRecords<Allocation>(
    directory,
    'tasks',
    (record) => record.task_id,
    (record) => isRightSpan(record, record.repeat_end_date) && isHours(record.hours) && record.project_id !== null,
  );
  const logged = await readRecords<LoggedTime>(
    directory,
    'logged_time',
    (record) => record.logged_time_id,
    (record) => record.people_id !== null && isDate(record.date) && isHours(record.hours),
  );

  const isEmployed = (personId: number, day: number): boolean => {
    const person = people.get(personId);
    if (person === undefined) return true;
    return day >= firstOf(person.start_date) && !(isDate(person.end_date) && day > toDay(person.end_date));
  };

  const workHours = (personId: number, day: number): number => {
    const person = people.get(personId);
    if (!isEmployed(personId, day)) return 0;
    const history = latest(Object.entries(person?.work_days_hours_history ?? {}), ([date]) => toDay(date), day);
    const week = history?.[1] ?? person?.work_days_hours ?? accountHours;
    return week[weekdayOf(day)] ?? 0;
  };

  const timeOff = new Map<string, { isFull: boolean; hours: Decimal }>();
  for (const item of timeoffs.values()) {
    if ((item.status ?? 2) !== 2) continue;
    const isFull = item.full_day === null ? item.hours === null : item.full_day === 1;
    for (const personId of peopleOf(item)) {
      const repeatEnd = item.repeat_end ?? people.get(personId)?.end_date ?? twoYearsAfter(item.start_date);
      for (const day of new Set(occurrencesOf(item, repeatEnd).flat())) {
        const key = `${personId}:${day}`;
        const taken = timeOff.get(key) ?? { isFull: false, hours: new Decimal(0) };
        timeOff.set(key, { isFull: taken.isFull || isFull, hours: taken.hours.plus(item.hours ?? 0) });
      }
    }
  }

  const isDayOff = (personId: number, day: number): boolean => {
    const taken = timeOff.get(`${personId}:${day}`);
    return taken !== undefined && (taken.isFull || taken.hours.gte(workHours(personId, day)));
  };

  const contractOn = (person: Person, day: number): Contract | undefined => {
    if (person.contracts && person.contracts.length > 0) {
      return latest(person.contracts, (contract) => firstOf(contract.effective_date, person.start_date), day);
    }
    if (person.cost_rate === null || person.cost_rate === undefined) return undefined;
    if (firstOf(person.effective_date) > day) return undefined;
    return { effective_date: null, role_id: person.role_id, cost_rate: person.cost_rate, cost_rate_from: null };
  };

  const teamMember = (team: Member[] | null | undefined, personId: number): Member | undefined =>
    team?.findLast((member) => member.people_id === personId && !member.phase_id);

  const phaseProjects = new Map<number, Member[]>();
  for (const project of projects.values()) {
    for (const member of project.project_team ?? []) {
      if (!member.phase_id) continue;
      const members = phaseProjects.get(member.phase_id) ?? [];
      phaseProjects.set(member.phase_id, [...members, member]);
    }
  }

  const price = (personId: number, projectId: number, phaseId: number, day: number) => {
    const person = people.get(personId);
    const contract = person && contractOn(person, day);
    const personRole = contract ? contract.role_id : person?.role_id;
    const phase = phases.get(phaseId);
    const project = projects.get(projectId);
    const inPhase =
      teamMember(phase?.phase_team, personId) ??
      phaseProjects.get(phaseId)?.findLast((member) => member.people_id === personId);
    const inProject = teamMember(project?.project_team, personId);
    const lineRole = roles.get(inPhase?.role_id ?? inProject?.role_id ?? personRole ?? -1);
    const history = roles.get(personRole ?? -1)?.cost_rate_history ?? [];
    const costRate =
      contract?.cost_rate ?? latest(history, (entry) => firstOf(entry.effective_date), day)?.rate ?? null;
    const billRate =
      inPhase?.hourly_rate ??
      phase?.default_hourly_rate ??
      inProject?.hourly_rate ??
      project?.default_hourly_rate ??
      person?.default_hourly_rate ??
      lineRole?.default_hourly_rate ??
      null;
    return { costRate, billRate, canBill: project?.non_billable !== 1 && phase?.non_billable !== 1 };
  };

  const startDay = toDay(start);
  const endDay = toDay(end);
  const report = new Map<number, Sums>();
  const lines = { scheduled: 0, actual: 0, expense: 0 };

  const add = (
    kind: 'scheduled' | 'actual',
    projectId: number,
    day: number,
    hours: number,
    rates: ReturnType<typeof price>,
    isBillable: boolean,
    counts: boolean,
  ): void => {
    lines[kind] += 1;
    const cost = rates.costRate === null ? null : new Decimal(hours).times(rates.costRate).toDecimalPlaces(2);
    let fee: Decimal | null = new Decimal(0);
    if (isBillable) fee = rates.billRate === null ? null : new Decimal(hours).times(rates.billRate).toDecimalPlaces(2);
    if (!counts || day < startDay || day > endDay) return;
    const sums = sumsOf(projectId);
    sums[`${kind}_hours`] = sums[`${kind}_hours`].plus(hours);
    if (cost) sums[`${kind}_cost`] = sums[`${kind}_cost`].plus(cost);
    if (fee) sums[`${kind}_fees`] = sums[`${kind}_fees`].plus(fee);
  };

  const sumsOf = (projectId: number): Sums => {
    const known = report.get(projectId);
    if (known) return known;
    const zero = new Decimal(0);
    const sums: Sums = {
      scheduled_hours: zero,
      scheduled_cost: zero,
      scheduled_fees: zero,
      actual_hours: zero,
      actual_cost: zero,
      actual_fees: zero,
      expense_cost: zero,
      expense_fees: zero,
    };
    report.set(projectId, sums);
    return sums;
  };

  const isFirm = (item: Allocation): boolean => {
    const project = projects.get(item.project_id);
    const projectStatus = project?.status ?? (project?.tentative === 1 ? 1 : 2);
    const statuses = [item.status ?? 2, projectStatus, phases.get(item.phase_id ?? 0)?.status ?? 2];
    return statuses.every((status) => status === 2 || status === 3);
  };

  for (const item of allocations.values()) {
    if (item.hours === 0) continue;
    const phaseId = item.phase_id ?? 0;
    const projectTask = projectTasks.get(item.task_meta_id ?? -1);
    const saysBillable = (projectTask ? projectTask.billable : item.billable) ?? 1;
    const repeatEnd = item.repeat_end_date ?? projects.get(item.project_id)?.end_date ?? twoYearsAfter(item.start_date);
    for (const personId of peopleOf(item)) {
      const days = new Set<number>();
      for (const occurrence of occurrencesOf(item, repeatEnd)) {
        const employed = occurrence.filter((day) => isEmployed(personId, day));
        const working = employed.filter((day) => workHours(personId, day) > 0);
        if (working.length === 0) for (const day of employed) days.add(day);
        else for (const day of working) if (!isDayOff(personId, day)) days.add(day);
      }
      for (const day of days) {
        const rates = price(personId, item.project_id, phaseId, day);
        add('scheduled', item.project_id, day, item.hours, rates, rates.canBill && saysBillable === 1, isFirm(item));
      }
    }
  }

  for (const record of logged.values()) {
    if (record.hours === 0) continue;
    const projectTask = projectTasks.get(record.task_meta_id ?? -1);
    let projectId = record.project_id ?? 0;
    let phaseId = record.phase_id ?? 0;
    if (projectId === 0) {
      const source = allocations.get(record.task_id ?? -1) ?? projectTask;
      projectId = source?.project_id ?? 0;
      if (phaseId === 0) phaseId = source?.phase_id ?? 0;
    }
    const day = toDay(record.date);
    const rates = price(record.people_id, projectId, phaseId, day);
    const saysBillable = record.billable ?? projectTask?.billable ?? 1;
    add('actual', projectId, day, record.hours, rates, rates.canBill && saysBillable === 1, true);
  }

  for (const expense of expenses.values()) {
    lines.expense += 1;
    const day = toDay(expense.date);
    if (day < startDay || day > endDay) continue;
    const sums = sumsOf(expense.project_id);
    const cost = new Decimal(expense.cost);
    sums.expense_cost = sums.expense_cost.plus(cost.toDecimalPlaces(2));
    if (expense.billable !== 1 || projects.get(expense.project_id)?.non_billable === 1) continue;
    const markup = new Decimal(expense.markup ?? 0);
    const fee = expense.markup_type === 1 ? cost.plus(markup) : cost.times(markup.div(100).plus(1));
    sums.expense_fees = sums.expense_fees.plus(fee.toDecimalPlaces(2));
  }

  return {
    lines,
    projects: Object.fromEntries([...report].sort(([a], [b]) => a - b).map(([id, sums]) => [id, formatSums(sums)])),
  };
}

function formatSums(sums: Sums): Record<keyof Sums, string> {
  return {
    scheduled_hours: sums.scheduled_hours.toFixed(4),
    scheduled_cost: sums.scheduled_cost.toFixed(2),
    scheduled_fees: sums.scheduled_fees.toFixed(2),
    actual_hours: sums.actual_hours.toFixed(4),
    actual_cost: sums.actual_cost.toFixed(2),
    actual_fees: sums.actual_fees.toFixed(2),
    expense_cost: sums.expense_cost.toFixed(2),
    expense_fees: sums.expense_fees.toFixed(2),
  };
}
