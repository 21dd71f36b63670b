import { bridgeOf, EFFECT_MEASURES } from './bridges.ts';
import { daysOf, type Interval, periodStart, type Window } from './calendar.ts';
import type { Person, Project } from './clean.ts';
import { agreedMeasures, earnings, revenueLinesOf } from './contracts.ts';
import { type Line, type Model, STATUS_NAMES } from './ledger.ts';
import {
  baselineMeasures,
  CAPACITY_MEASURES,
  capacityMeasures,
  countedOf,
  lineMeasures,
  type Measures,
  namedMeasures,
  pick,
} from './measures.ts';
import { missingRevenueOf } from './missing-revenue.ts';
import { linesOf, periodsOf, type Query } from './parameters.ts';
import type { Report, Row } from './reports.ts';
import { missingMeasures, TIMESHEET_MEASURES, timesheetMeasures } from './timesheets.ts';

/** The row columns of each dimension of group_by. */
export const PIVOT_COLUMNS: Record<string, readonly string[]> = {
  client: ['client_id', 'client'],
  project: ['project_id', 'project'],
  phase: ['phase_id', 'phase'],
  task: ['task_meta_id', 'task'],
  person: ['people_id', 'person'],
  role: ['role_id', 'role'],
  person_role: ['person_role_id', 'person_role'],
  department: ['department_id', 'department'],
  people_type: ['people_type_id', 'people_type'],
  tag: ['tag'],
  people_tag: ['people_tag'],
  project_status: ['project_status'],
  project_manager: ['project_manager', 'project_manager_name'],
  billable: ['billable'],
  day: ['day'],
  week: ['week'],
  month: ['month'],
  quarter: ['quarter'],
  year: ['year'],
};

const PERIODS: readonly string[] = ['day', 'week', 'month', 'quarter', 'year'];
const PERSON_ATTRIBUTES: readonly string[] = ['person', 'person_role', 'department', 'people_type', 'people_tag'];
const PEOPLE_TYPES = ['employee', 'contractor', 'placeholder', 'role placeholder'];

/** Returns the attributes of a person, one set for each tag; missing for an expense (no person) and an unknown person. */
function personColumns(model: Model, dimension: string, peopleId: number | null): Row[] {
  const person: Person | undefined = peopleId === null ? undefined : model.clean.people.get(peopleId);
  if (dimension !== 'people_tag') return [attributeColumns(model, dimension, peopleId, person)];
  const tags: readonly (string | null)[] = person?.tags.length ? person.tags : [null];
  return tags.map((people_tag) => ({ people_tag }));
}

function attributeColumns(model: Model, dimension: string, peopleId: number | null, person: Person | undefined): Row {
  if (dimension === 'person') return { people_id: peopleId, person: person?.name ?? null };
  if (dimension === 'department') {
    const id = person?.departmentId ?? null;
    const name = id === null ? null : (model.clean.departments.get(id) ?? person?.departmentName ?? null);
    return { department_id: id, department: name };
  }
  if (dimension === 'person_role') {
    const id = person?.roleId ?? null;
    return { person_role_id: id, person_role: id === null ? null : (model.clean.roles.get(id)?.name ?? null) };
  }
  const type = person?.typeId ?? null;
  return { people_type_id: type, people_type: type === null ? null : (PEOPLE_TYPES[type - 1] ?? null) };
}

/** Returns the columns of a line for one dimension: one set, or one for each tag of its project. */
function lineColumns(model: Model, dimension: string, line: Line): Row[] {
  const { accounts, clients, phases, projectTasks, projects, roles } = model.clean;
  const project: Project | undefined = projects.get(line.project_id);
  switch (dimension) {
    case 'client': {
      const id = project?.clientId ?? null;
      return [{ client_id: id, client: id === null ? null : (clients.get(id) ?? null) }];
    }
    case 'project':
      return [
        { project_id: line.project_id, project: line.project_id === 0 ? '(no project)' : (project?.name ?? null) },
      ];
    case 'phase': {
      const name = line.phase_id === 0 ? '(no phase)' : (phases.get(line.phase_id)?.name ?? null);
      return [{ phase_id: line.phase_id, phase: name }];
    }
    case 'task': {
      const id = line.task_meta_id;
      return [{ task_meta_id: id, task: id === null ? '(no task)' : (projectTasks.get(id)?.name ?? null) }];
    }
    case 'role': {
      const id = line.role_id;
      return [{ role_id: id, role: id === null ? null : (roles.get(id)?.name ?? null) }];
    }
    case 'tag': {
      const tags = project?.tags ?? [];
      return tags.length === 0 ? [{ tag: null }] : tags.map((tag) => ({ tag }));
    }
    case 'project_status':
      return [{ project_status: project === undefined ? null : (STATUS_NAMES[project.status] ?? null) }];
    case 'project_manager': {
      const id = project?.manager ?? null;
      return [{ project_manager: id, project_manager_name: id === null ? null : (accounts.get(id) ?? null) }];
    }
    case 'billable':
      return [{ billable: line.billable }];
    default:
      if (!PERSON_ATTRIBUTES.includes(dimension)) throw new Error(`no dimension ${dimension}`);
      return personColumns(model, dimension, line.people_id);
  }
}

interface Group {
  columns: Row;
  lines: Line[];
  people: Set<number>;
  days: string[];
}

/** Returns the columns of all combinations of one set of each dimension. */
function combine(sets: readonly (readonly Row[])[]): Row[] {
  return sets.reduce<Row[]>(
    (combinations, added) => combinations.flatMap((columns) => added.map((more) => ({ ...columns, ...more }))),
    [{}],
  );
}

/** @param peopleOfReport Returns the people of a row of some days whose dimensions are attributes of people. */
export function runPivot(model: Model, query: Query, peopleOfReport: (window: Window) => ReadonlySet<number>): Report {
  const { settings } = model.clean;
  const { measures: names, window } = query;
  const withCapacity = names.some((name) => [...CAPACITY_MEASURES, ...TIMESHEET_MEASURES].includes(name));
  const dimensions = query.groupBy.filter((dimension) => !PERIODS.includes(dimension));
  const periodDimensions = query.groupBy.filter((dimension) => PERIODS.includes(dimension));
  const ofPeople = dimensions.every((dimension) => PERSON_ATTRIBUTES.includes(dimension));
  const windowDays = daysOf(window.start, window.end);

  // The window's days by period columns: a group has all days with its period columns.
  const periods = periodsOf(query, settings);
  const periodOfDay = new Map<string, { columns: Row; days: string[] }>();
  const known = new Map<string, { columns: Row; days: string[] }>();
  for (const day of windowDays) {
    const columns: Row = {};
    for (const dimension of periodDimensions) {
      const interval = dimension as Exclude<Interval, 'none'>;
      columns[dimension] = periodStart(day, interval, settings.weekStartsOn, settings.fiscalYearStartsIn);
    }
    const period = periods.find(({ start, end }) => start <= day && day <= end);
    if (query.interval !== 'none' && period !== undefined) {
      columns.period_start = period.start;
      columns.period_end = period.end;
    }
    const key = JSON.stringify(columns);
    const entry = known.get(key) ?? { columns, days: [] };
    entry.days.push(day);
    known.set(key, entry);
    periodOfDay.set(day, entry);
  }

  const groups = new Map<string, Group>();
  const groupOf = (columns: Row, period: { columns: Row; days: string[] }): Group => {
    const all = { ...columns, ...period.columns };
    const key = JSON.stringify(all);
    const group = groups.get(key) ?? { columns: all, lines: [], people: new Set(), days: period.days };
    groups.set(key, group);
    return group;
  };

  const earned = earnings(model, query);
  const lines = [...linesOf(model, query), ...linesOf(model, query, revenueLinesOf(names, earned))];
  const once = new Map<string, Line[]>();
  for (const line of lines) {
    const period = periodOfDay.get(line.date);
    if (period === undefined) throw new Error(`the line ${line.line_id} is outside the window`);
    const combinations = combine(dimensions.map((dimension) => lineColumns(model, dimension, line)));
    for (const columns of combinations) groupOf(columns, period).lines.push(line);
    // A line of several rows is in one cell of the totals.
    const key = JSON.stringify({ ...combinations[0], tag: null, people_tag: null, ...period.columns });
    once.set(key, [...(once.get(key) ?? []), line]);
  }

  const totalPeople = new Set<number>();
  if (ofPeople && withCapacity) {
    for (const peopleId of peopleOfReport(window)) totalPeople.add(peopleId);
    for (const period of known.values()) {
      const [start = '', end = start] = [period.days[0], period.days.at(-1)];
      for (const peopleId of peopleOfReport({ start, end })) {
        for (const columns of combine(dimensions.map((dimension) => personColumns(model, dimension, peopleId))))
          groupOf(columns, period).people.add(peopleId);
      }
    }
  } else {
    for (const group of groups.values()) {
      const counted = countedOf(group.lines, query);
      for (const { people_id } of [...counted.current, ...counted.actual]) {
        if (people_id === null) continue;
        group.people.add(people_id);
        totalPeople.add(people_id);
      }
    }
  }

  const bridge = bridgeOf(countedOf(lines, query), settings.currency);
  const missingRevenue = names.includes('missing_revenue') ? missingRevenueOf(model, query) : () => ({});
  const measuresOf = (counting: Line[], people: Set<number>, days: string[], cells = [counting]): Measures => {
    const counted = countedOf(counting, query);
    const effects = names.some((name) => EFFECT_MEASURES.includes(name))
      ? bridge(cells.map((cell) => countedOf(cell, query)))
      : {};
    const capacity = withCapacity ? capacityMeasures(model, people, days, counted, query.cutoff) : {};
    return pick(
      {
        ...lineMeasures(counted),
        ...namedMeasures(counted, settings),
        ...baselineMeasures(counted),
        ...agreedMeasures(counting, query, earned),
        ...effects,
        ...missingMeasures(model, counted, query.cutoff),
        ...missingRevenue(counting),
        ...capacity,
        ...timesheetMeasures(model, people, days, counted, query.cutoff),
      },
      names,
    );
  };
  return {
    rows: [...groups.values()].map((group) => ({
      ...group.columns,
      ...measuresOf(group.lines, group.people, group.days),
    })),
    totals: measuresOf(lines, totalPeople, windowDays, [...once.values()]),
  };
}
