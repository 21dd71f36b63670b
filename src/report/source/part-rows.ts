import type { SeenPart } from '../request/query.ts';
import { relationName, type SourceRelation } from './relations.ts';

/**
 * The rows of a relation that a part has:
 * - lines: those whose person and project make them lines of the part
 * - findings: the same, without those that tell of more
 * - people, projects: those of the people or projects in it
 * - own: those of people who are seen whole
 * - all: every row, which tells nothing of anybody
 * - none: no row, as it can't be limited
 * - where: those that meet a condition over the relations of the part
 * - select: what a statement makes of the part
 */
export type PartRows =
  | 'lines'
  | 'findings'
  | 'people'
  | 'projects'
  | 'own'
  | 'all'
  | 'none'
  | { readonly where: string }
  | { readonly select: string };

/** The people and projects of a part, each with whether all that is theirs is in it. */
export const PART_MEMBERS = { people: 'part.people', projects: 'part.projects' } as const;

/** Checks whose findings tell of more than their own lines: of other records, or of all work of a person or on a project. */
const TELLING_CHECKS = {
  records: ['duplicate_code', 'part_of_another_project'],
  people: ['allocation_without_days', 'more_than_24_hours_planned', 'planned_for_archived'],
  projects: ['allocation_outside_phase', 'allocation_outside_project'],
};

/** Returns the checks whose findings a reader doesn't see. */
export function hiddenChecks({ people, projects }: SeenPart): string[] {
  return [
    ...TELLING_CHECKS.records,
    ...(people === 'all' ? [] : TELLING_CHECKS.people),
    ...(projects === 'all' ? [] : TELLING_CHECKS.projects),
  ];
}

const IN_LINES = (column: string): PartRows => ({ where: `${column} IN (SELECT ${column} FROM core.ledger)` });

/** Phases or tasks: all those of projects that are seen whole, and of others those with lines. 0 stands for none. */
const PARTS_OF_PROJECTS = (id: string): PartRows => ({
  where: `${id} = 0 OR ${id} IN (SELECT ${id} FROM core.ledger)
    OR project_id IN (SELECT project_id FROM ${PART_MEMBERS.projects} WHERE is_whole)`,
});

/** Rows of projects that are seen whole. */
const OF_WHOLE_PROJECTS: PartRows = {
  where: `project_id IN (SELECT project_id FROM ${PART_MEMBERS.projects} WHERE is_whole)`,
};

const ROWS: Readonly<Record<SourceRelation, PartRows>> = {
  ledger: 'lines',
  // Only sums of whole projects are of the part alone: budgets and earned value are blank for others, and other numbers read lines.
  ledger_months: OF_WHOLE_PROJECTS,
  fee_months: OF_WHOLE_PROJECTS,
  lines: 'lines',
  named_lines: 'lines',
  allocations: IN_LINES('task_id'),
  expenses: IN_LINES('project_expense_id'),
  logged_hours: {
    select: "SELECT date, SUM(hours) AS hours FROM core.ledger WHERE kind = pl_line_kind('actual') GROUP BY date",
  },
  contracts: 'people',
  named_people: 'people',
  named_projects: 'projects',
  occurrences: {
    where:
      "kind = 'allocation' AND item_id IN (SELECT task_id FROM core.ledger) AND people_id IN (SELECT people_id FROM core.named_people)",
  },
  person_rates: 'people',
  phase_team: {
    where: 'phase_id IN (SELECT phase_id FROM marts.phases) AND people_id IN (SELECT people_id FROM core.named_people)',
  },
  project_team: {
    where:
      'project_id IN (SELECT project_id FROM core.named_projects) AND people_id IN (SELECT people_id FROM core.named_people)',
  },
  projects: 'projects',
  role_cost_rates: { where: 'role_id IN (SELECT role_id FROM marts.roles)' },
  roster: 'own',
  settings: 'all',
  statuses: 'all',
  time_off_days: 'own',
  work_hours: 'own',
  budgets: 'projects',
  data_quality: 'findings',
  people_tags: 'people',
  phases: PARTS_OF_PROJECTS('phase_id'),
  project_tags: 'projects',
  project_tasks: PARTS_OF_PROJECTS('task_meta_id'),
  roles: {
    where:
      'role_id = 0 OR role_id IN (SELECT role_id FROM core.ledger) OR role_id IN (SELECT role_id FROM core.named_people)',
  },
  allocation_records: IN_LINES('task_id'),
  expense_records: IN_LINES('project_expense_id'),
  logged_time_records: IN_LINES('logged_time_id'),
  people_records: 'people',
  phase_records: 'projects',
  project_records: 'projects',
  role_records: { where: 'role_id IN (SELECT role_id FROM marts.roles)' },
  task_records: 'projects',
  work_hours_records: 'own',
  generation: 'all',
  synced_service: 'all',
  server_writes: 'none',
  sync_writes: 'none',
  sync_runs: 'none',
};

/** The rows of relations that definitions name, beside those of statements: names that rows are grouped by. */
const NAMED: Readonly<Record<string, PartRows>> = {
  'marts.clients': { where: 'client_id = 0 OR client_id IN (SELECT client_id FROM core.named_projects)' },
  'marts.departments': { where: 'department_id = 0 OR department_id IN (SELECT department_id FROM core.named_people)' },
  'marts.people_types': {
    where: 'people_type_id = 0 OR people_type_id IN (SELECT people_type_id FROM core.named_people)',
  },
  'marts.project_managers': {
    where: 'project_manager = 0 OR project_manager IN (SELECT project_manager FROM core.named_projects)',
  },
  'core.person_roles': { where: 'person_role_id = 0 OR person_role_id IN (SELECT role_id FROM core.named_people)' },
};

export const PART_ROWS: ReadonlyMap<string, PartRows> = new Map([
  ...Object.entries(ROWS).map(([name, rows]) => [relationName(name as SourceRelation), rows] as const),
  ...Object.entries(NAMED),
]);
