/** The shape of a mart: the columns that identify a row, and the dimensions that its other columns refer to. */
export interface MartShape {
  readonly key: readonly string[];
  /** The order of pages; begins with what the mart is stored by. Default: the key. */
  readonly order?: readonly string[];
  /** By column, the dimension that has each of its values as its key: never empty, so an inner join loses no row. */
  readonly refers?: Readonly<Record<string, string>>;
}

const PERSON = { people_id: 'people' };
const DEPARTMENT = { department_id: 'departments' };
const ROLE = { role_id: 'roles' };
const PROJECT = { project_id: 'projects' };
const PHASE = { phase_id: 'phases' };
const TASK = { task_meta_id: 'project_tasks' };
const DAY = { date: 'calendar' };

const LEDGER: MartShape = {
  key: ['line_id'],
  order: ['date', 'line_id'],
  refers: { ...DAY, ...PERSON, ...ROLE, ...PROJECT, ...PHASE, ...TASK },
};

/**
 * The star: by mart, its key and its relations.
 * The keys of OData, the tests of dbt and test/sql/relations.test.ts are made from it.
 */
export const STAR: Readonly<Record<string, MartShape>> = {
  accounts: { key: ['project_manager'] },
  agreed_fees: {
    key: ['line_id'],
    order: ['date', 'line_id'],
    refers: { ...DAY, ...PERSON, ...PROJECT, ...PHASE, ...TASK },
  },
  allocations: { key: ['task_id'] },
  budget_burn: { key: ['project_id', 'date'], refers: { ...PROJECT, ...DAY } },
  budgets: { key: ['level', 'project_id', 'phase_id', 'task_meta_id'], refers: { ...PROJECT, ...PHASE, ...TASK } },
  calendar: { key: ['date'] },
  canceled_lines: LEDGER,
  capacity: {
    key: ['date', 'people_id'],
    refers: { ...DAY, ...PERSON, ...DEPARTMENT, ...ROLE, people_type_id: 'people_types' },
  },
  catalog: { key: ['relation', 'position'] },
  clients: { key: ['client_id'] },
  department_ancestors: {
    key: ['department_id', 'ancestor_id'],
    refers: { ...DEPARTMENT, ancestor_id: 'departments' },
  },
  departments: { key: ['department_id'], refers: { parent_department_id: 'departments' } },
  expenses: { key: ['project_expense_id'] },
  ledger: LEDGER,
  lines: {
    ...LEDGER,
    refers: { ...LEDGER.refers, ...DEPARTMENT, client_id: 'clients', project_manager: 'project_managers' },
  },
  logged_time: { key: ['logged_time_id'] },
  milestones: { key: ['milestone_id'], refers: { ...PROJECT, ...PHASE } },
  people: {
    key: ['people_id'],
    refers: { ...DEPARTMENT, ...ROLE, people_type_id: 'people_types' },
  },
  people_rates: { key: ['people_id', 'first_date'], refers: { ...PERSON, ...ROLE } },
  people_tags: { key: ['people_id', 'people_tag'], refers: PERSON },
  people_types: { key: ['people_type_id'] },
  person_roles: { key: ['person_role_id'] },
  phases: { key: ['phase_id'], refers: PROJECT },
  project_managers: { key: ['project_manager'] },
  project_tags: { key: ['project_id', 'tag'], refers: PROJECT },
  project_tasks: { key: ['task_meta_id'], refers: { ...PROJECT, ...PHASE } },
  projects: {
    key: ['project_id'],
    refers: { client_id: 'clients', project_manager: 'project_managers' },
  },
  rates: {
    key: ['people_id', 'project_id', 'phase_id', 'first_date'],
    refers: { ...PERSON, ...PROJECT, ...PHASE, ...ROLE },
  },
  role_rates: { key: ['role_id', 'first_date'], refers: ROLE },
  roles: { key: ['role_id'] },
  time_off: { key: ['date', 'people_id'], refers: { ...PERSON, ...DEPARTMENT } },
};
