import { budgetMeasures, budgetOf, totalBudgetMeasures } from './budgets.ts';
import { daysOf, type Window } from './calendar.ts';
import { agreedMeasures, earnings, REVENUE_MEASURES, revenueLinesOf } from './contracts.ts';
import type { Dataset } from './dataset.ts';
import type { Exact } from './exact.ts';
import { type Line, type Model, modelOf, ownOf, STATUS_NAMES } from './ledger.ts';
import {
  AMOUNT_MEASURES,
  BUDGET_MEASURES,
  CAPACITY_MEASURES,
  capacityMeasures,
  countedOf,
  EXPENSE_MEASURES,
  HOURS_MEASURES,
  lineMeasures,
  type Measures,
  pick,
} from './measures.ts';
import {
  type Entity,
  entityPasses,
  linesOf,
  type Parameters,
  periodsOf,
  personPasses,
  type Query,
  readQuery,
} from './parameters.ts';
import { PIVOT_COLUMNS, runPivot } from './pivot.ts';
import { hasSheets, missingMeasures, timesheetMeasures } from './timesheets.ts';

export type Cell = string | number | boolean | Exact | null;

/** A row: its dimensions, its measures, and with expand=phases its phase rows under `phases`. */
export type Row = { [column: string]: Cell | Row[] };

export interface Report {
  rows: Row[];
  totals: Row;
}

export function keyColumns(name: string, parameters: Parameters): string[] {
  const period = (parameters.interval ?? 'none') === 'none' ? [] : ['period_start', 'period_end'];
  if (name === 'projects') return ['project_id', ...period];
  if (name === 'phases') return ['project_id', 'phase_id', ...period];
  if (name === 'timesheets' && parameters.interval === undefined) return ['people_id', 'period_start', 'period_end'];
  if (name === 'people' || name === 'timesheets') return ['people_id', ...period];
  if (name === 'tasks') return ['project_id', 'phase_id', 'task_meta_id', ...period];
  const dimensions = (parameters.group_by ?? '').split(',');
  return [...dimensions.flatMap((dimension) => PIVOT_COLUMNS[dimension] ?? []), ...period];
}

export function runReport(dataset: Dataset, name: string, parameters: Parameters): Report {
  return runModel(modelOf(dataset), name, parameters);
}

export function runModel(model: Model, name: string, parameters: Parameters): Report {
  const query = readQuery(name, parameters);
  if (name === 'people' || name === 'timesheets') return runPeople(model, query);
  if (name === 'pivot') return runPivot(model, query, (window) => peopleOfReport(model, query, window));
  const report = runEntities(model, query);
  if (name === 'projects' && query.expandPhases) nestPhases(report, runModel(model, 'phases', parameters));
  return report;
}

function periodColumns(query: Query, period: Window): Row {
  return query.interval === 'none' ? {} : { period_start: period.start, period_end: period.end };
}

const inPeriod = (line: Line, period: Window): boolean => line.date >= period.start && line.date <= period.end;

// Projects, phases, tasks

function entityOfLine(name: string, line: Line): Entity {
  if (name === 'projects') return { projectId: line.project_id };
  if (name === 'phases') return { projectId: line.project_id, phaseId: line.phase_id };
  return { projectId: line.project_id, phaseId: line.phase_id, taskMetaId: line.task_meta_id };
}

/** include_empty: returns every record of the row's kind. */
function entitiesOfRecords(model: Model, name: string): Entity[] {
  const { projects, phases, projectTasks } = ownOf(model);
  if (name === 'projects') return [...projects.values()].map(({ id }) => ({ projectId: id }));
  if (name === 'phases') return [...phases.values()].map(({ id, projectId }) => ({ projectId, phaseId: id }));
  return [...projectTasks.values()].map(({ id, projectId, phaseId }) => ({ projectId, phaseId, taskMetaId: id }));
}

function projectName(model: Model, projectId: number): string | null {
  return projectId === 0 ? '(no project)' : (model.clean.projects.get(projectId)?.name ?? null);
}

function phaseName(model: Model, phaseId: number): string | null {
  return phaseId === 0 ? '(no phase)' : (model.clean.phases.get(phaseId)?.name ?? null);
}

function taskName(model: Model, taskMetaId: number | null): string | null {
  return taskMetaId === null ? '(no task)' : (model.clean.projectTasks.get(taskMetaId)?.name ?? null);
}

function statusName(record: { status: number } | undefined): string | null {
  return record === undefined ? null : (STATUS_NAMES[record.status] ?? null);
}

function entityDimensions(model: Model, name: string, entity: Entity): Row {
  const project = model.clean.projects.get(entity.projectId);
  const phaseId = entity.phaseId ?? 0;
  if (name === 'projects') {
    const clientId = project?.clientId ?? null;
    return {
      project_id: entity.projectId,
      project_code: project?.code ?? null,
      name: projectName(model, entity.projectId),
      client_id: clientId,
      client: clientId === null ? null : (model.clean.clients.get(clientId) ?? null),
      status: statusName(project),
      active: project?.active ?? null,
    };
  }
  const common = { project_id: entity.projectId, project: projectName(model, entity.projectId), phase_id: phaseId };
  if (name === 'phases') {
    return { ...common, name: phaseName(model, phaseId), status: statusName(model.clean.phases.get(phaseId)) };
  }
  const taskMetaId = entity.taskMetaId ?? null;
  return { ...common, phase: phaseName(model, phaseId), task_meta_id: taskMetaId, name: taskName(model, taskMetaId) };
}

const ENTITY_MEASURES: Record<string, readonly string[]> = {
  projects: [...HOURS_MEASURES, ...AMOUNT_MEASURES, ...EXPENSE_MEASURES, ...REVENUE_MEASURES, ...BUDGET_MEASURES],
  phases: [...HOURS_MEASURES, ...AMOUNT_MEASURES, ...EXPENSE_MEASURES, ...REVENUE_MEASURES, ...BUDGET_MEASURES],
  tasks: [...HOURS_MEASURES, ...AMOUNT_MEASURES, ...BUDGET_MEASURES],
};

function runEntities(model: Model, query: Query): Report {
  const { name } = query;
  const names = ENTITY_MEASURES[name];
  if (names === undefined) throw new Error(`no report ${name}`);
  const earned = earnings(model, query);
  const lines = [...linesOf(model, query), ...linesOf(model, query, revenueLinesOf(names, earned))].filter(
    (line) => name !== 'tasks' || line.kind !== 'expense',
  );
  const measuresOf = (own: readonly Line[]) => ({
    ...lineMeasures(countedOf(own, query)),
    ...agreedMeasures(own, query, earned),
  });
  const keyOf = (entity: Entity): string => JSON.stringify([entity.projectId, entity.phaseId, entity.taskMetaId]);

  const always = new Map<string, Entity>();
  if (query.includeEmpty) {
    for (const entity of entitiesOfRecords(model, name)) {
      if (entityPasses(model, query, entity)) always.set(keyOf(entity), entity);
    }
  }
  const shown = new Map<string, Entity>();
  const rows: Row[] = [];
  for (const period of periodsOf(query, model.clean.settings)) {
    const entities = new Map(always);
    const linesOfKey = new Map<string, Line[]>();
    for (const line of lines.filter((candidate) => inPeriod(candidate, period))) {
      const entity = entityOfLine(name, line);
      const key = keyOf(entity);
      entities.set(key, entity);
      const own = linesOfKey.get(key);
      if (own) own.push(line);
      else linesOfKey.set(key, [line]);
    }
    for (const [key, entity] of entities) {
      shown.set(key, entity);
      const measures = {
        ...measuresOf(linesOfKey.get(key) ?? []),
        ...budgetMeasures(budgetOf(model, query, entity)),
      };
      rows.push({
        ...entityDimensions(model, name, entity),
        ...periodColumns(query, period),
        ...pick(measures, names),
      });
    }
  }
  const entities = new Map([...shown].map(([key, entity]) => [entity.taskMetaId ?? key, entity]));
  const budgets = [...entities.values()].map((entity) => budgetOf(model, query, entity));
  const totals: Measures = { ...measuresOf(lines), ...totalBudgetMeasures(budgets) };
  return { rows, totals: pick(totals, names) };
}

/** Nests (expand=phases) the rows of the phases report by project and period. */
function nestPhases(projects: Report, phases: Report): void {
  for (const row of projects.rows) {
    row.phases = phases.rows.filter(
      (phase) => phase.project_id === row.project_id && phase.period_start === row.period_start,
    );
  }
}

// People

/** 3.4: returns the people with lines of the state in some days, and those on the roster then who pass every filter. */
function peopleOfReport(model: Model, query: Query, window: Window): Set<number> {
  const people = new Set<number>();
  for (const line of linesOf(model, query)) {
    if (line.people_id !== null && !line.isBaseline && inPeriod(line, window)) people.add(line.people_id);
  }
  const days = daysOf(window.start, window.end);
  for (const person of ownOf(model).people.values()) {
    if (personPasses(query, person) && model.days.isOnRoster(person.id, days)) people.add(person.id);
  }
  return people;
}

function personDimensions(model: Model, peopleId: number): Row {
  const person = model.clean.people.get(peopleId);
  const departmentId = person?.departmentId ?? null;
  const roleId = person?.roleId ?? null;
  return {
    people_id: peopleId,
    people_code: person?.code ?? null,
    name: person?.name ?? null,
    department_id: departmentId,
    department:
      departmentId === null ? null : (model.clean.departments.get(departmentId) ?? person?.departmentName ?? null),
    role_id: roleId,
    role: roleId === null ? null : (model.clean.roles.get(roleId)?.name ?? null),
    people_type_id: person?.typeId ?? null,
  };
}

const MEASURES_OF_PEOPLE: Readonly<Record<string, readonly string[]>> = {
  people: [...HOURS_MEASURES, ...AMOUNT_MEASURES, ...CAPACITY_MEASURES],
  timesheets: [
    ...['scheduled_to_date_hours', 'actual_hours', 'capacity_to_date_hours', 'missing_hours'],
    ...['balance_hours', 'days_without_time', 'last_logged'],
  ],
};

function runPeople(model: Model, query: Query): Report {
  const lines = linesOf(model, query).filter((line) => line.people_id !== null);
  // Without hours, only people with capacity have timesheets.
  const isMember = (id: number, window: Window) =>
    query.name === 'people' ||
    hasSheets(model, id) ||
    lines.some((line) => line.people_id === id && inPeriod(line, window));
  const membersOf = (window: Window) =>
    new Set([...peopleOfReport(model, query, window)].filter((id) => isMember(id, window)));
  const measuresOf = (members: Iterable<number>, window: Window, counting: Line[]): Measures => {
    const counted = countedOf(counting, query);
    const days = daysOf(window.start, window.end);
    const capacity = capacityMeasures(model, members, days, counted, query.cutoff);
    const sheets = timesheetMeasures(model, members, days, counted, query.cutoff);
    const missing = missingMeasures(model, counted, query.cutoff);
    return pick({ ...lineMeasures(counted), ...capacity, ...missing, ...sheets }, MEASURES_OF_PEOPLE[query.name] ?? []);
  };
  const rows: Row[] = [];
  for (const period of periodsOf(query, model.clean.settings)) {
    const inIt = lines.filter((line) => inPeriod(line, period));
    const people = membersOf(period);
    for (const peopleId of new Set([...people, ...inIt.flatMap(({ people_id: id }) => id ?? [])])) {
      const own = inIt.filter((line) => line.people_id === peopleId);
      rows.push({
        ...personDimensions(model, peopleId),
        ...periodColumns(query, period),
        // Somebody whom the baseline alone plans has no capacity in the row.
        ...measuresOf(people.has(peopleId) ? [peopleId] : [], period, own),
      });
    }
  }
  return { rows, totals: measuresOf(membersOf(query.window), query.window, lines) };
}
