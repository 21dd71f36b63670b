import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Decimal } from 'decimal.js';
import { FieldReader, readRecords, type SetAside } from './fields.ts';

/*
 * Reads the records and fields of the report line by line, checks them, and holds them in Maps by id.
 */

export type Company = Awaited<ReturnType<typeof readCompany>>;
export type Project = ReturnType<typeof parseProject>;
export type Phase = ReturnType<typeof parsePhase>;
export type Member = ReturnType<typeof parseMember>;
export type Allocation = ReturnType<typeof parseAllocation>;
export type TimeOff = ReturnType<typeof parseTimeOff>;
export type Expense = ReturnType<typeof parseExpense>;

const always = '1970-01-01';

export async function readCompany(directory: string) {
  const setAside: SetAside[] = [];
  const read = <T extends { id: number | string }>(resource: string, parse: (fields: FieldReader) => T) =>
    readRecords(path.join(directory, `${resource}.ndjson`), parse, setAside);
  return {
    settings: await readSettings(directory),
    clients: await read('clients', parseClient),
    roles: await read('roles', parseRole),
    people: await read('people', parsePerson),
    projects: await read('projects', parseProject),
    phases: await read('phases', parsePhase),
    projectTasks: await read('project_tasks', parseProjectTask),
    allocations: await read('tasks', parseAllocation),
    timeOff: await read('timeoffs', parseTimeOff),
    loggedTime: await read('logged_time', parseLoggedTime),
    expenses: await read('project_expenses', parseExpense),
    setAside,
  };
}

async function readSettings(directory: string) {
  const file = path.join(directory, 'settings.json');
  const fields = new FieldReader(existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {});
  const currency = fields.text('currency') ?? 'USD';
  const settings = {
    currency,
    minorUnits:
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2,
    timeZone: fields.text('time_zone') ?? 'UTC',
    week: fields.week('work_days_hours') ?? [0, 8, 8, 8, 8, 8, 0].map((hours) => new Decimal(hours)),
  };
  if (fields.reasons.length > 0) throw new Error(`${file}: ${fields.reasons.join('; ')}`);
  return settings;
}

function parseClient(fields: FieldReader) {
  return { id: fields.required('client_id', fields.id('client_id')), name: fields.text('name') };
}

function parseRole(fields: FieldReader) {
  return {
    id: fields.required('role_id', fields.id('role_id')),
    hourlyRate: fields.money('default_hourly_rate'),
    costRates: fields
      .list('cost_rate_history', (item) => ({ from: item.date('effective_date') ?? always, rate: item.money('rate') }))
      .sort(byStart),
  };
}

function parsePerson(fields: FieldReader) {
  const { startDate, endDate } = fields.period('start_date', 'end_date');
  const roleId = fields.id('role_id');
  const costRate = fields.money('cost_rate');
  const costRateFrom = fields.date('effective_date') ?? always;
  const contracts = fields.list('contracts', (item) => ({
    from: item.date('effective_date') ?? startDate ?? always,
    roleId: item.id('role_id'),
    costRate: item.money('cost_rate'),
  }));
  if (contracts.length === 0 && costRate !== null) contracts.push({ from: costRateFrom, roleId, costRate });
  return {
    id: fields.required('people_id', fields.id('people_id')),
    roleId,
    ...parseWeeks(fields),
    startDate: startDate ?? always,
    endDate,
    hourlyRate: fields.money('default_hourly_rate'),
    contracts: contracts.sort(byStart),
  };
}

/** Parses the hours of a person's weekdays. Somebody who has none in any week is planned by the account's. */
function parseWeeks(fields: FieldReader) {
  const week = fields.week('work_days_hours');
  const weekChanges = fields.weeks('work_days_hours_history');
  const isByCall =
    week !== null && [week, ...weekChanges.map(({ hours }) => hours)].flat().every((hours) => hours.isZero());
  return isByCall ? { week: null, weekChanges: [] } : { week, weekChanges };
}

function parseMember(fields: FieldReader) {
  return {
    personId: fields.id('people_id'),
    roleId: fields.id('role_id'),
    hourlyRate: fields.money('hourly_rate'),
    phaseId: fields.id('phase_id'),
  };
}

function parseProject(fields: FieldReader) {
  return {
    id: fields.required('project_id', fields.id('project_id')),
    name: fields.text('name'),
    code: fields.text('project_code'),
    clientId: fields.id('client_id'),
    budgetType: fields.code('budget_type', 0, 3) ?? 0,
    budgetTotal: fields.money('budget_total'),
    budgetPriority: fields.code('budget_priority', 0, 2) ?? 0,
    hourlyRate: fields.money('default_hourly_rate'),
    isNonBillable: fields.boolean('non_billable') ?? false,
    status: fields.code('status', 0, 4) ?? (fields.boolean('tentative') ? 1 : 2),
    isActive: fields.boolean('active') ?? true,
    endDate: fields.period('start_date', 'end_date').endDate,
    team: fields.list('project_team', parseMember),
  };
}

function parsePhase(fields: FieldReader) {
  fields.period('start_date', 'end_date');
  return {
    id: fields.required('phase_id', fields.id('phase_id')),
    projectId: fields.required('project_id', fields.id('project_id')),
    status: fields.code('status', 0, 4) ?? 2,
    isNonBillable: fields.boolean('non_billable') ?? false,
    hourlyRate: fields.money('default_hourly_rate'),
    budgetTotal: fields.money('budget_total'),
    team: fields.list('phase_team', parseMember),
  };
}

function parseProjectTask(fields: FieldReader) {
  return {
    id: fields.required('task_meta_id', fields.id('task_meta_id')),
    projectId: fields.required('project_id', fields.id('project_id')),
    phaseId: fields.id('phase_id'),
    isBillable: fields.boolean('billable'),
    budget: fields.money('budget'),
  };
}

/** Parses the fields shared by allocations and time off: first occurrence, repeats, people. */
function parseRepeating(fields: FieldReader, repeatEndName: string) {
  const { startDate, endDate } = fields.period('start_date', 'end_date');
  const repeatEnd = fields.date(repeatEndName);
  if (startDate !== null && repeatEnd !== null && repeatEnd < startDate)
    fields.wrong(repeatEndName, 'before start_date');
  const personId = fields.id('people_id');
  const personIds = fields.ids('people_ids');
  if (personId === null && personIds.length === 0) fields.wrong('people_id', 'missing');
  return {
    startDate: fields.required('start_date', startDate),
    endDate: fields.required('end_date', endDate),
    repeatState: fields.code('repeat_state', 0, 9) ?? 0,
    repeatEnd,
    personIds: personIds.length > 0 || personId === null ? personIds : [personId],
  };
}

function parseAllocation(fields: FieldReader) {
  return {
    ...parseRepeating(fields, 'repeat_end_date'),
    id: fields.required('task_id', fields.id('task_id')),
    projectId: fields.required('project_id', fields.id('project_id')),
    phaseId: fields.id('phase_id'),
    projectTaskId: fields.id('task_meta_id'),
    hours: fields.required('hours', fields.hours('hours')),
    status: fields.code('status', 0, 4) ?? 2,
    isBillable: fields.boolean('billable'),
  };
}

function parseTimeOff(fields: FieldReader) {
  const hours = fields.hours('hours');
  return {
    ...parseRepeating(fields, 'repeat_end'),
    id: fields.required('timeoff_id', fields.id('timeoff_id')),
    hours: hours ?? new Decimal(0),
    isFullDay: fields.boolean('full_day') ?? hours === null,
    status: fields.code('status', 1, 3) ?? 2,
  };
}

function parseLoggedTime(fields: FieldReader) {
  return {
    id: fields.required('logged_time_id', fields.text('logged_time_id')),
    personId: fields.required('people_id', fields.id('people_id')),
    date: fields.required('date', fields.date('date')),
    hours: fields.required('hours', fields.hours('hours')),
    isBillable: fields.boolean('billable'),
    projectId: fields.id('project_id'),
    phaseId: fields.id('phase_id'),
    allocationId: fields.id('task_id'),
    projectTaskId: fields.id('task_meta_id'),
  };
}

function parseExpense(fields: FieldReader) {
  return {
    id: fields.required('project_expense_id', fields.id('project_expense_id')),
    projectId: fields.required('project_id', fields.id('project_id')),
    date: fields.required('date', fields.date('date')),
    cost: fields.required('cost', fields.signedMoney('cost')),
    isBillable: fields.boolean('billable') ?? false,
    markup: fields.money('markup') ?? new Decimal(0),
    isFixedMarkup: fields.code('markup_type', 0, 1) === 1,
  };
}

function byStart(a: { from: string }, b: { from: string }): number {
  if (a.from === b.from) return 0;
  return a.from < b.from ? -1 : 1;
}
