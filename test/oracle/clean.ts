import { daysOf, FIRST_DAY, isDate, LAST_DAY } from './calendar.ts';
import type { Dataset, RawRecord, RecordValue } from './dataset.ts';
import { Exact, minorUnit } from './exact.ts';
import type { Retainer } from './retainers.ts';

/** The records after 1.2 (values), 1.3 (set aside, duplicates) and 1.4 (defaults). */
export interface Settings {
  currency: string;
  workDaysHours: Exact[];
  weekStartsOn: number;
  fiscalYearStartsIn: number;
}

export interface Contract {
  effectiveDate: string | null;
  roleId: number | null;
  costRate: Exact | null;
  costRateFrom: string | null;
}

/** A bill rate from a day on; null holds always (P1). */
export interface DatedRate {
  rate: Exact | null;
  effectiveDate: string | null;
}

/** An entry of a rate card (P2). */
export interface CardRate extends DatedRate {
  roleId: number;
}

/** The rate card of a project or a client from a day on; without one, none (P2). */
export interface CardUse {
  cardId: number | null;
  effectiveDate: string | null;
}

export interface Role {
  id: number;
  name: string | null;
  hourlyRate: Exact | null;
  billRates: DatedRate[];
  costRates: { rate: Exact | null; effectiveDate: string | null }[];
}

export interface Person {
  id: number;
  name: string | null;
  code: string | null;
  departmentId: number | null;
  departmentName: string | null;
  roleId: number | null;
  regionId: number | null;
  typeId: number;
  tags: string[];
  workDaysHours: Exact[] | null;
  workDaysHoursHistory: { date: string; hours: Exact[] }[];
  startDate: string | null;
  endDate: string | null;
  active: boolean;
  hourlyRate: Exact | null;
  billRates: DatedRate[];
  costRate: Exact | null;
  effectiveDate: string | null;
  contracts: Contract[];
}

export interface TeamItem {
  peopleId: number;
  roleId: number | null;
  hourlyRate: Exact | null;
  billRates: DatedRate[];
  phaseId: number;
}

/** The contract of a project or phase, as its fields say it (K1 to K3). */
export interface ContractFields {
  contract: string | null;
  recognise: string | null;
  feeExpenses: string | null;
  startDate: string | null;
  endDate: string | null;
  completedOn: string | null;
}

export interface Project extends ContractFields {
  id: number;
  name: string | null;
  code: string | null;
  clientId: number | null;
  tags: string[];
  budgetType: number;
  budgetPriority: number;
  budgetTotal: Exact | null;
  hourlyRate: Exact | null;
  billRates: DatedRate[];
  cards: CardUse[];
  nonBillable: boolean;
  status: number;
  active: boolean;
  manager: number | null;
  team: TeamItem[];
  /** True where the source doesn't say who has set the days. */
  hasUnknownDays: boolean;
  /** K3: true if the end is the last day of the project's lines, and may have been computed of them; the ledger tells. */
  hasDoubtfulEnd: boolean;
}

export interface Phase extends ContractFields {
  id: number;
  projectId: number;
  name: string | null;
  status: number;
  nonBillable: boolean;
  hourlyRate: Exact | null;
  billRates: DatedRate[];
  budgetTotal: Exact | null;
  team: TeamItem[];
}

export interface Milestone {
  id: number;
  projectId: number | null;
  phaseId: number;
  date: string | null;
  amount: Exact | null;
}

/** A retainer of a project, or of a phase of it; 0 is none. Amounts are in whole units. */
export interface RetainerRecord extends Retainer {
  readonly projectId: number;
  readonly phaseId: number;
}

/** The progress of a place on a day: in percent, or by the hours that remain. */
export interface Progress {
  id: number;
  projectId: number;
  phaseId: number;
  taskId: number | null;
  date: string;
  percent: Exact | null;
  remainingHours: Exact | null;
}

export interface ProjectTask {
  id: number;
  projectId: number;
  phaseId: number;
  name: string | null;
  billable: boolean | null;
  budget: Exact | null;
}

export interface Allocation {
  id: number;
  projectId: number;
  phaseId: number;
  peopleIds: number[];
  startDate: string;
  endDate: string;
  hours: Exact;
  repeatState: number;
  repeatEnd: string | null;
  status: number;
  billable: boolean | null;
  taskMetaId: number | null;
}

export interface TimeOff {
  id: number;
  peopleIds: number[];
  startDate: string;
  endDate: string;
  hours: Exact | null;
  fullDay: boolean | null;
  repeatState: number;
  repeatEnd: string | null;
  status: number;
}

export interface Holiday {
  id: number;
  /** Null: everybody. */
  regionId: number | null;
  days: Set<string>;
}

export interface LoggedTime {
  id: string;
  peopleId: number;
  date: string;
  hours: Exact;
  billable: boolean | null;
  projectId: number | null;
  phaseId: number;
  taskId: number | null;
  taskMetaId: number | null;
}

export interface Expense {
  id: number;
  projectId: number;
  date: string;
  cost: Exact;
  billable: boolean | null;
  markup: Exact | null;
  markupType: number;
}

export interface Clean {
  settings: Settings;
  departments: Map<number, string | null>;
  clients: Map<number, string | null>;
  clientCards: Map<number, CardUse[]>;
  cards: Map<number, CardRate[]>;
  accounts: Map<number, string | null>;
  roles: Map<number, Role>;
  people: Map<number, Person>;
  projects: Map<number, Project>;
  phases: Map<number, Phase>;
  milestones: Map<number, Milestone>;
  projectTasks: Map<number, ProjectTask>;
  progress: Map<number, Progress>;
  retainers: Map<number, RetainerRecord>;
  allocations: Map<number, Allocation>;
  timeOffs: Map<number, TimeOff>;
  holidays: Map<number, Holiday>;
  loggedTime: Map<string, LoggedTime>;
  expenses: Map<number, Expense>;
  setAside: { resource: string; reason: string }[];
  duplicates: number;
}

type Value = RecordValue | undefined;

/** Thrown by a reader when a record, or an item in it, is invalid. */
class SetAside extends Error {}

function isMissing(value: Value): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

function readId(value: Value): number | null {
  if (isMissing(value)) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value);
  throw new SetAside(`not an id: ${JSON.stringify(value)}`);
}

function readPhaseId(value: Value): number {
  return readId(value) ?? 0;
}

/** The decimals of hours, which alone have a greatest value. */
const HOURS_DECIMALS = 6;

function readDecimal(value: Value, most?: number): Exact | null {
  const rounded = readSigned(value, most === undefined ? 4 : HOURS_DECIMALS);
  if (rounded?.isNegative() && !rounded.isZero()) throw new SetAside(`below 0: ${rounded}`);
  if (most !== undefined && rounded?.greaterThan(most)) throw new SetAside(`above ${most}: ${rounded}`);
  return rounded;
}

function readPercent(value: Value): Exact | null {
  const rounded = readDecimal(value);
  if (rounded?.greaterThan(100)) throw new SetAside(`above 100: ${rounded}`);
  return rounded;
}

function readEffort(value: Value): Exact | null {
  const rounded = readSigned(value, HOURS_DECIMALS);
  if (rounded?.isNegative() && !rounded.isZero()) throw new SetAside(`below 0: ${rounded}`);
  return rounded;
}

function readSigned(value: Value, decimals = 4): Exact | null {
  if (isMissing(value)) return null;
  let exact: Exact;
  if (typeof value === 'number') exact = new Exact(String(value)).toSignificantDigits(15);
  else if (typeof value === 'string' && /^[+-]?\d+(\.\d*)?$/.test(value)) exact = new Exact(value);
  else throw new SetAside(`not a number: ${JSON.stringify(value)}`);
  return exact.toDecimalPlaces(decimals);
}

function readBoolean(value: Value): boolean | null {
  if (isMissing(value)) return null;
  if (value === true || value === 1 || value === '1') return true;
  if (value === false || value === 0 || value === '0') return false;
  throw new SetAside(`not a boolean: ${JSON.stringify(value)}`);
}

function readDate(value: Value): string | null {
  if (isMissing(value)) return null;
  if (typeof value === 'string' && isDate(value)) return value;
  throw new SetAside(`not a date: ${JSON.stringify(value)}`);
}

function readName(value: Value): string | null {
  return typeof value === 'string' ? value : null;
}

function readText(value: Value): string | null {
  if (isMissing(value)) return null;
  return String(value);
}

/** Reads one of some words, in any case and with blanks around it. */
function readWord(value: Value, allowed: readonly string[]): string | null {
  const word = readText(value)?.trim().toLowerCase() ?? '';
  if (word !== '' && !allowed.includes(word)) throw new SetAside(`not one of ${allowed.join(', ')}: ${word}`);
  return word === '' ? null : word;
}

function readOneOf(value: Value, allowed: readonly number[]): number | null {
  const number = readId(value);
  if (number !== null && !allowed.includes(number)) throw new SetAside(`not one of ${allowed}: ${number}`);
  return number;
}

function readTags(value: Value): string[] {
  const tags = new Set<string>();
  for (const item of readList(value)) {
    const name = typeof item === 'string' ? item : readText(readObject(item)?.name);
    const tag = name?.trim().toLowerCase() ?? '';
    if (tag !== '') tags.add(tag);
  }
  return [...tags];
}

function readList(value: Value): RecordValue[] {
  if (isMissing(value)) return [];
  if (!Array.isArray(value)) throw new SetAside(`not a list: ${JSON.stringify(value)}`);
  return value;
}

function readObject(value: Value): RawRecord | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return value;
}

function readWeek(value: Value): Exact[] | null {
  if (isMissing(value)) return null;
  const hours = readList(value).map((item) => required(readDecimal(item, 24), 'hours of a weekday'));
  if (hours.length !== 7) throw new SetAside('not 7 numbers');
  return hours;
}

function required<T>(value: T | null, field: string): T {
  if (value === null) throw new SetAside(`${field} is missing`);
  return value;
}

function readSpan(record: RawRecord): { startDate: string | null; endDate: string | null } {
  const startDate = readDate(record.start_date);
  const endDate = readDate(record.end_date);
  if (startDate !== null && endDate !== null && endDate < startDate) throw new SetAside('end_date before start_date');
  return { startDate, endDate };
}

function readContract(record: RawRecord): ContractFields {
  return {
    contract: readWord(record.contract, ['time', 'capped', 'fixed', 'internal']),
    recognise: readWord(record.recognise, ['progress', 'evenly', 'done', 'milestones']),
    feeExpenses: readWord(record.fee_expenses, ['inside', 'on_top']),
    ...readSpan(record),
    completedOn: readDate(record.completed_on),
  };
}

/** Returns `people_ids` if it has any, else `people_id`, without duplicates. */
function readPeopleIds(record: RawRecord): number[] {
  const several = readList(record.people_ids).map((item) => required(readId(item), 'people_ids'));
  const one = readId(record.people_id);
  const people = several.length > 0 ? several : one === null ? [] : [one];
  if (people.length === 0) throw new SetAside('a person is missing');
  return [...new Set(people)];
}

function readRepeatEnd(value: Value, startDate: string): string | null {
  const end = readDate(value);
  if (end !== null && end < startDate) throw new SetAside('repeat_end_date before start_date');
  return end;
}

const REPEAT_STATES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const STATUSES = [0, 1, 2, 3, 4];

function readSettings(record: RawRecord | undefined): Settings {
  return {
    currency: readText(record?.currency) ?? 'USD',
    workDaysHours: readWeek(record?.work_days_hours) ?? [0, 8, 8, 8, 8, 8, 0].map((hours) => new Exact(hours)),
    weekStartsOn: readId(record?.week_starts_on) ?? 1,
    fiscalYearStartsIn: readId(record?.fiscal_year_starts_in) ?? 1,
  };
}

/** Reads items (1.3): a bad one is set aside with a reason, and the record is kept. */
function readItems<T>(value: Value, read: (item: RawRecord) => T, onBad: (reason: string) => void): T[] {
  const items: T[] = [];
  for (const raw of readList(value)) {
    try {
      items.push(read(required(readObject(raw), 'item')));
    } catch (error) {
      if (!(error instanceof SetAside)) throw error;
      onBad(error.message);
    }
  }
  return items;
}

export function clean(dataset: Dataset): Clean {
  const setAside: Clean['setAside'] = [];
  let duplicates = 0;

  function readAll<T extends { id: string | number }>(
    resource: string,
    records: readonly RawRecord[],
    read: (record: RawRecord, onBad: (reason: string) => void) => T,
    into: Map<T['id'], T> = new Map(),
  ): Map<T['id'], T> {
    for (const record of records) {
      try {
        const item = read(record, (reason) => setAside.push({ resource: `${resource} item`, reason }));
        if (into.has(item.id)) duplicates += 1;
        into.set(item.id, item);
      } catch (error) {
        if (!(error instanceof SetAside)) throw error;
        setAside.push({ resource, reason: error.message });
      }
    }
    return into;
  }

  function readNames(resource: string, records: RawRecord[] | undefined, field: string): Map<number, string | null> {
    const read = (record: RawRecord) => ({ id: required(readId(record[field]), field), name: readName(record.name) });
    const names = new Map<number, string | null>();
    for (const { id, name } of readAll(resource, records ?? [], read).values()) names.set(id, name);
    return names;
  }

  function readRates(value: Value, onBad: (reason: string) => void): DatedRate[] {
    return readItems(
      value,
      (item) => ({
        rate: readDecimal(item.rate),
        effectiveDate: required(readDate(item.effective_date), 'effective_date'),
      }),
      onBad,
    );
  }

  function readUses(value: Value, onBad: (reason: string) => void): CardUse[] {
    return readItems(
      value,
      (item) => ({ cardId: readId(item.rate_card_id) || null, effectiveDate: readDate(item.effective_date) }),
      onBad,
    );
  }

  const cards = readAll('rate_cards', dataset.rate_cards ?? [], (record, onBad) => ({
    id: required(readId(record.rate_card_id), 'rate_card_id'),
    rates: readItems(
      record.rates,
      (item): CardRate => ({
        roleId: required(readId(item.role_id), 'role_id'),
        rate: readDecimal(item.rate),
        effectiveDate: readDate(item.effective_date),
      }),
      onBad,
    ),
  }));

  const clients = readAll('clients', dataset.clients ?? [], (record, onBad) => ({
    id: required(readId(record.client_id), 'client_id'),
    name: readName(record.name),
    cards: readUses(record.rate_cards, onBad),
  }));

  const roles = readAll('roles', dataset.roles ?? [], (record, onBad): Role => {
    return {
      id: required(readId(record.role_id) ?? readId(record.id), 'role_id'),
      name: readName(record.name),
      hourlyRate: readDecimal(record.default_hourly_rate),
      billRates: readRates(record.bill_rate_history, onBad),
      costRates: readItems(
        record.cost_rate_history,
        (item) => ({ rate: readDecimal(item.rate), effectiveDate: readDate(item.effective_date) }),
        onBad,
      ),
    };
  });

  const people = readAll('people', dataset.people ?? [], (record, onBad): Person => {
    const department = readObject(record.department);
    return {
      id: required(readId(record.people_id), 'people_id'),
      name: readName(record.name),
      code: readText(record.people_code),
      departmentId: readId(record.department_id) ?? readId(department?.department_id),
      departmentName: readName(department?.name),
      roleId: readId(record.role_id),
      regionId: readId(record.region_id),
      typeId: readOneOf(record.people_type_id, [1, 2, 3, 4]) ?? (readBoolean(record.contractor) === true ? 2 : 1),
      tags: readTags(record.tags),
      workDaysHours: readWeek(record.work_days_hours),
      workDaysHoursHistory: Object.entries(readObject(record.work_days_hours_history) ?? {}).map(([date, hours]) => ({
        date: required(readDate(date), 'date'),
        hours: required(readWeek(hours), 'work hours'),
      })),
      ...readSpan(record),
      active: readBoolean(record.active) ?? true,
      hourlyRate: readDecimal(record.default_hourly_rate),
      billRates: readRates(record.bill_rate_history, onBad),
      costRate: readDecimal(record.cost_rate),
      effectiveDate: readDate(record.effective_date),
      contracts: readItems(
        record.contracts,
        (item): Contract => ({
          effectiveDate: readDate(item.effective_date),
          roleId: readId(item.role_id),
          costRate: readDecimal(item.cost_rate),
          costRateFrom: readText(item.cost_rate_from),
        }),
        onBad,
      ),
    };
  });

  function readTeam(value: Value, onBad: (reason: string) => void): TeamItem[] {
    return readItems(
      value,
      (item): TeamItem => ({
        peopleId: required(readId(item.people_id), 'people_id'),
        roleId: readId(item.role_id),
        hourlyRate: readDecimal(item.hourly_rate),
        billRates: readRates(item.rates, onBad),
        phaseId: readPhaseId(item.phase_id),
      }),
      onBad,
    );
  }

  /** Reads a markup: below 0 only as a fixed amount on a cost below 0. */
  function readMarkup({ markup, markup_type, cost }: RawRecord): Exact | null {
    const isRefund = readOneOf(markup_type, [0, 1]) === 1 && readSigned(cost)?.lessThan(0);
    return isRefund ? readSigned(markup) : readDecimal(markup);
  }

  function readExpense(record: RawRecord): Expense {
    return {
      id: required(readId(record.project_expense_id) ?? readId(record.id), 'project_expense_id'),
      projectId: required(readId(record.project_id), 'project_id'),
      date: required(readDate(record.date), 'date'),
      cost: required(readSigned(record.cost), 'cost'),
      billable: readBoolean(record.billable),
      markup: readMarkup(record),
      markupType: readOneOf(record.markup_type, [0, 1]) ?? 0,
    };
  }

  const expenses = new Map<number, Expense>();
  const projects = readAll('projects', dataset.projects ?? [], (record, onBad): Project => {
    const id = required(readId(record.project_id), 'project_id');
    const project: Project = {
      id,
      name: readName(record.name),
      code: readText(record.project_code),
      clientId: readId(record.client_id),
      tags: readTags(record.tags),
      budgetType: readOneOf(record.budget_type, [0, 1, 2, 3]) ?? 0,
      budgetPriority: readOneOf(record.budget_priority, [0, 1, 2]) ?? 0,
      budgetTotal: readDecimal(record.budget_total),
      hourlyRate: readDecimal(record.default_hourly_rate),
      billRates: readRates(record.bill_rate_history, onBad),
      nonBillable: readBoolean(record.non_billable) ?? false,
      status: readOneOf(record.status, STATUSES) ?? (readBoolean(record.tentative) === true ? 1 : 2),
      active: readBoolean(record.active) ?? true,
      manager: readId(record.project_manager),
      ...readContract(record),
      hasUnknownDays: readWord(record.dates_from, ['set', 'unknown']) === 'unknown',
      hasDoubtfulEnd: false,
      team: readTeam(record.project_team, onBad),
      cards: readUses(record.rate_cards, onBad),
    };
    const nested = readList(record.expenses).map((item) => ({ project_id: id, ...(readObject(item) ?? {}) }));
    readAll('project_expenses', nested, readExpense, expenses);
    return project;
  });
  readAll('project_expenses', dataset.project_expenses ?? [], readExpense, expenses);

  const phases = readAll('phases', dataset.phases ?? [], (record, onBad): Phase => {
    return {
      id: required(readId(record.phase_id), 'phase_id'),
      projectId: required(readId(record.project_id), 'project_id'),
      name: readName(record.name),
      status: readOneOf(record.status, STATUSES) ?? 2,
      nonBillable: readBoolean(record.non_billable) ?? false,
      hourlyRate: readDecimal(record.default_hourly_rate),
      billRates: readRates(record.bill_rate_history, onBad),
      budgetTotal: readDecimal(record.budget_total),
      ...readContract(record),
      team: readTeam(record.phase_team, onBad),
    };
  });

  const milestones = readAll('milestones', dataset.milestones ?? [], (record): Milestone => {
    const date = typeof record.date === 'string' ? record.date.replace(/[T ]\d\d:\d\d(:\d\d)?$/, '') : record.date;
    return {
      id: required(readId(record.milestone_id), 'milestone_id'),
      projectId: readId(record.project_id),
      phaseId: readPhaseId(record.phase_id),
      date: readDate(date),
      amount: readDecimal(record.amount),
    };
  });

  const projectTasks = readAll('project_tasks', dataset.project_tasks ?? [], (record): ProjectTask => {
    const projectId = required(readId(record.project_id), 'project_id');
    const phaseId = readPhaseId(record.phase_id);
    // D9: a phase of another project is not the task's.
    const isForeign = ![undefined, projectId].includes(phases.get(phaseId)?.projectId);
    return {
      id: required(readId(record.task_meta_id), 'task_meta_id'),
      projectId,
      phaseId: isForeign ? 0 : phaseId,
      name: readName(record.task_name),
      billable: readBoolean(record.billable),
      budget: readDecimal(record.budget),
    };
  });

  const progress = readAll('progress', dataset.progress ?? [], (record): Progress => {
    const [percent, remainingHours] = [readPercent(record.percent), readEffort(record.remaining_hours)];
    if ((percent === null) === (remainingHours === null)) throw new SetAside('not one of percent and remaining_hours');
    return {
      id: required(readId(record.progress_id), 'progress_id'),
      projectId: required(readId(record.project_id), 'project_id'),
      phaseId: readPhaseId(record.phase_id),
      taskId: readId(record.task_meta_id) || null,
      date: required(readDate(record.date), 'date'),
      percent,
      remainingHours,
    };
  });

  const settings = readSettings(dataset.settings);
  const digits = minorUnit(settings.currency);
  const retainers = readAll('retainers', dataset.retainers ?? [], (record): RetainerRecord => {
    const word = <Word extends string>(value: Value, words: readonly Word[]) =>
      (readWord(value, words) ?? words[0]) as Word;
    const unit = word(record.unit, ['hours', 'fee']);
    const unitsOf = (value: Value, places: number) => {
      const amount = readDecimal(value);
      return amount === null
        ? null
        : BigInt(
            amount
              .toDecimalPlaces(places)
              .times(10 ** places)
              .toFixed(0),
          );
    };
    return {
      id: required(readId(record.retainer_id), 'retainer_id'),
      projectId: required(readId(record.project_id), 'project_id'),
      phaseId: readPhaseId(record.phase_id),
      unit,
      amounts: readList(record.amounts).map((item) => {
        const entry = readObject(item) ?? {};
        return {
          amount: unitsOf(entry.amount, unit === 'hours' ? 6 : digits) ?? 0n,
          price: unitsOf(entry.price, digits),
          from: readDate(entry.effective_date),
        };
      }),
      every: word(record.every, ['month', 'week', 'quarter', 'year']),
      start: required(readDate(record.start_date), 'start_date'),
      end: readDate(record.end_date),
      counts: word(record.counts, ['billable', 'all']),
      rollover: word(record.rollover, ['none', 'surplus', 'deficit', 'both']),
      expiresAfter: readId(record.expires_after),
      first: word(record.first, ['whole', 'by_days']),
      recognise: word(record.recognise, ['evenly', 'as_used']),
      overage: word(record.overage, ['free', 'billed']),
    };
  });

  const allocations = readAll('tasks', dataset.tasks ?? [], (record): Allocation => {
    const span = readSpan(record);
    const startDate = required(span.startDate, 'start_date');
    return {
      id: required(readId(record.task_id), 'task_id'),
      projectId: required(readId(record.project_id), 'project_id'),
      phaseId: readPhaseId(record.phase_id),
      peopleIds: readPeopleIds(record),
      startDate,
      endDate: required(span.endDate, 'end_date'),
      hours: required(readDecimal(record.hours, 24), 'hours'),
      repeatState: readOneOf(record.repeat_state, REPEAT_STATES) ?? 0,
      repeatEnd: readRepeatEnd(record.repeat_end_date, startDate),
      status: readOneOf(record.status, STATUSES) ?? 2,
      billable: readBoolean(record.billable),
      taskMetaId: readId(record.task_meta_id),
    };
  });

  const timeOffs = readAll('timeoffs', dataset.timeoffs ?? [], (record): TimeOff => {
    const span = readSpan(record);
    const startDate = required(span.startDate, 'start_date');
    return {
      id: required(readId(record.timeoff_id), 'timeoff_id'),
      peopleIds: readPeopleIds(record),
      startDate,
      endDate: required(span.endDate, 'end_date'),
      hours: readDecimal(record.hours, 24),
      fullDay: readBoolean(record.full_day),
      repeatState: readOneOf(record.repeat_state, REPEAT_STATES) ?? 0,
      repeatEnd: readRepeatEnd(isMissing(record.repeat_end) ? record.repeat_end_date : record.repeat_end, startDate),
      status: readOneOf(record.status, [1, 2, 3]) ?? 2,
    };
  });

  const holidays = readAll('holidays', dataset.holidays ?? [], (record, onBad): Holiday => {
    const days = new Set<string>();
    for (const item of readList(record.dates)) {
      try {
        days.add(required(readDate(item), 'date'));
      } catch (error) {
        if (!(error instanceof SetAside)) throw error;
        onBad(error.message);
      }
    }
    const date = readDate(record.date);
    const endDate = readDate(record.end_date);
    if (date === null && days.size === 0) throw new SetAside('no day');
    if (date !== null && endDate !== null && endDate < date) throw new SetAside('end_date before date');
    if (date !== null) for (const day of daysOf(date, endDate ?? date)) days.add(day);
    const region = readObject(record.region);
    const inRegion = region ? (readId(region.region_id) ?? readId(region.id)) : readId(record.region);
    return {
      id: required(readId(record.holiday_id) ?? readId(record.id), 'holiday_id'),
      regionId: readId(record.region_id) ?? inRegion,
      days,
    };
  });

  const loggedTime = readAll('logged_time', dataset.logged_time ?? [], (record): LoggedTime => {
    const projectId = readId(record.project_id);
    return {
      id: required(readText(record.logged_time_id), 'logged_time_id'),
      peopleId: required(readId(record.people_id), 'people_id'),
      date: required(readDate(record.date), 'date'),
      hours: required(readDecimal(record.hours, 24), 'hours'),
      billable: readBoolean(record.billable),
      projectId: projectId === 0 ? null : projectId,
      phaseId: readPhaseId(record.phase_id),
      taskId: readId(record.task_id),
      taskMetaId: readId(record.task_meta_id),
    };
  });

  return {
    settings,
    departments: readNames('departments', dataset.departments, 'department_id'),
    clients: new Map([...clients.values()].map(({ id, name }) => [id, name])),
    clientCards: new Map([...clients.values()].map((client) => [client.id, client.cards])),
    cards: new Map([...cards.values()].map(({ id, rates }) => [id, rates])),
    accounts: readNames('accounts', dataset.accounts, 'account_id'),
    roles,
    people,
    projects,
    phases,
    milestones,
    projectTasks,
    progress,
    retainers,
    allocations,
    timeOffs,
    holidays,
    loggedTime,
    expenses,
    setAside,
    duplicates,
  };
}

/** Stands for a missing start date (decisions, Days). */
export const ALWAYS = FIRST_DAY;
/** The last day of endless repeats (decisions, Days). */
export const NEVER_AFTER = LAST_DAY;
