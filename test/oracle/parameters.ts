import { addDays, type Interval, periodStart, type Window } from './calendar.ts';
import type { Person, Project, Settings } from './clean.ts';
import { type Line, type Model, STATUS_NAMES, type Status } from './ledger.ts';

/** The parameters of a report as sent: every value is a text (3.1). */
export type Parameters = Record<string, string>;

export const FILTERS = [
  'project_id',
  'phase_id',
  'people_id',
  'client_id',
  'department_id',
  'role_id',
  'person_role_id',
  'task_meta_id',
  'people_type_id',
  'project_status',
  'project_manager',
  'tag',
  'people_tag',
  'billable',
  'active',
  'people_active',
] as const;

/** The filters whose values are 1 and 0. */
export const FLAGS: readonly string[] = ['billable', 'active', 'people_active'];

export type Filter = (typeof FILTERS)[number];

export interface Query {
  name: string;
  window: Window;
  cutoff: string;
  statuses: Status[];
  interval: Interval;
  filters: Map<Filter, Set<string>>;
  includeEmpty: boolean;
  expandPhases: boolean;
  groupBy: string[];
  measures: string[];
  /** The scheduled lines that are compared are those of the baseline. */
  hasBaseline: boolean;
}

function listOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}

function requiredOf(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new Error(`the parameter ${name} is missing`);
  return value;
}

export function readQuery(name: string, parameters: Parameters): Query {
  const statuses = listOf(parameters.status ?? 'confirmed,completed').map((text) => {
    const status = STATUS_NAMES.find((known) => known === text);
    if (status === undefined) throw new Error(`no status ${text}`);
    return status;
  });
  const filters = new Map<Filter, Set<string>>();
  for (const filter of FILTERS) {
    const wanted = listOf(parameters[filter]);
    if (wanted.length === 0) continue;
    filters.set(filter, new Set(wanted.map((value) => asFilterValue(filter, value))));
  }
  return {
    name,
    window: { start: requiredOf(parameters, 'start_date'), end: requiredOf(parameters, 'end_date') },
    cutoff: requiredOf(parameters, 'cutoff_date'),
    statuses,
    interval: (parameters.interval ?? (name === 'timesheets' ? 'week' : 'none')) as Interval,
    filters,
    includeEmpty: parameters.include_empty === '1',
    expandPhases: parameters.expand === 'phases',
    groupBy: listOf(parameters.group_by),
    measures: listOf(parameters.measures),
    hasBaseline: parameters.baseline !== undefined,
  };
}

/** Normalizes flags (1, 0, true, false), lower-case tags, and project 0 and phase 0 (none). */
function asFilterValue(filter: Filter, value: string): string {
  if (FLAGS.includes(filter)) return value === 'true' ? '1' : value === 'false' ? '0' : value;
  if (filter === 'tag' || filter === 'people_tag') return value.toLowerCase();
  if ((filter === 'project_id' || filter === 'phase_id') && value === '0') return 'none';
  return value;
}

/** The values that a filter compares: several for tags, empty if missing. */
type Values = (string | number | null | undefined)[];

function flag(value: boolean | undefined): Values {
  return value === undefined ? [] : [value ? '1' : '0'];
}

function projectValues(project: Project | undefined, filter: Filter): Values | null {
  if (filter === 'client_id') return [project?.clientId];
  if (filter === 'project_status') return [project === undefined ? null : STATUS_NAMES[project.status]];
  if (filter === 'project_manager') return [project?.manager];
  if (filter === 'tag') return project?.tags ?? [];
  if (filter === 'active') return flag(project?.active);
  return null;
}

function personValues(person: Person | undefined, filter: Filter): Values | null {
  if (filter === 'department_id') return [person?.departmentId];
  if (filter === 'people_type_id') return [person?.typeId];
  if (filter === 'people_tag') return person?.tags ?? [];
  if (filter === 'person_role_id') return [person?.roleId];
  if (filter === 'active' || filter === 'people_active') return flag(person?.active);
  return null;
}

function lineValues(model: Model, name: string, line: Line, filter: Filter): Values {
  if (filter === 'project_id') return [line.project_id === 0 ? null : line.project_id];
  if (filter === 'phase_id') return [line.phase_id === 0 ? null : line.phase_id];
  if (filter === 'people_id') return [line.people_id];
  if (filter === 'role_id') return [line.role_id];
  if (filter === 'task_meta_id') return [line.task_meta_id];
  if (filter === 'billable') return flag(line.billable);
  const person = line.people_id === null ? undefined : model.clean.people.get(line.people_id);
  const project = model.clean.projects.get(line.project_id);
  const values =
    filter === 'active' && (name === 'people' || name === 'timesheets')
      ? personValues(person, filter)
      : (projectValues(project, filter) ?? personValues(person, filter));
  if (values === null) throw new Error(`the filter ${filter} has no values`);
  return values;
}

function matches(values: Values, wanted: Set<string>): boolean {
  const present = values.filter((value) => value !== null && value !== undefined).map(String);
  if (present.length === 0) return wanted.has('none');
  return present.some((value) => wanted.has(value));
}

/** Returns the lines in the window that pass every filter and are not canceled (S1). */
export function linesOf(model: Model, query: Query, lines: readonly Line[] = model.lines): Line[] {
  return lines.filter((line) => {
    if (line.status === 'canceled') return false;
    if (line.date < query.window.start || line.date > query.window.end) return false;
    for (const [filter, wanted] of query.filters) {
      if (!matches(lineValues(model, query.name, line, filter), wanted)) return false;
    }
    return true;
  });
}

/** Returns true if a person without lines passes every filter and each filter applies to people. */
export function personPasses(query: Query, person: Person): boolean {
  for (const [filter, wanted] of query.filters) {
    let values = personValues(person, filter);
    if (filter === 'people_id') values = [person.id];
    if (filter === 'role_id') values = [person.roleId];
    if (values === null || !matches(values, wanted)) return false;
  }
  return true;
}

export interface Entity {
  projectId: number;
  phaseId?: number;
  taskMetaId?: number | null;
}

/** Returns true if a project, phase or project task without lines passes every filter. */
export function entityPasses(model: Model, query: Query, entity: Entity): boolean {
  for (const [filter, wanted] of query.filters) {
    let values = projectValues(model.clean.projects.get(entity.projectId), filter);
    if (filter === 'project_id') values = [entity.projectId];
    if (filter === 'phase_id' && entity.phaseId !== undefined) values = [entity.phaseId === 0 ? null : entity.phaseId];
    if (filter === 'task_meta_id' && entity.taskMetaId !== undefined) values = [entity.taskMetaId];
    if (values === null || !matches(values, wanted)) return false;
  }
  return true;
}

/** 3.1: returns the periods of the window, clipped to it; the whole window without an interval. */
export function periodsOf(query: Query, settings: Settings): Window[] {
  const { window, interval } = query;
  if (interval === 'none') return [window];
  const periods: Window[] = [];
  let start = window.start;
  while (start <= window.end) {
    const first = periodStart(start, interval, settings.weekStartsOn, settings.fiscalYearStartsIn);
    let end = start;
    while (end < window.end) {
      const next = addDays(end, 1);
      if (periodStart(next, interval, settings.weekStartsOn, settings.fiscalYearStartsIn) !== first) break;
      end = next;
    }
    periods.push({ start, end });
    start = addDays(end, 1);
  }
  return periods;
}
