/** The relations that statements of reports read, by the name that the code has for each. */
const RELATIONS = {
  allocations: 'core.allocations',
  assignments: 'core.assignments',
  bill_rates: 'core.bill_rates',
  billing_contracts: 'core.billing_contracts',
  billing_days: 'core.billing_days',
  billing_lines: 'core.billing_lines',
  contracts: 'core.contracts',
  covers: 'core.covers',
  earning_lines: 'core.earning_lines',
  expenses: 'core.expenses',
  fee_milestones: 'core.fee_milestones',
  fee_months: 'core.fee_months',
  fee_progress: 'core.fee_progress',
  ledger: 'core.ledger',
  ledger_months: 'core.ledger_months',
  lines: 'core.lines',
  logged_days: 'core.logged_days',
  logged_hours: 'core.logged_hours',
  named_lines: 'core.named_lines',
  named_people: 'core.named_people',
  named_projects: 'core.named_projects',
  occurrences: 'core.occurrences',
  person_rates: 'core.person_rates',
  phase_team: 'core.phase_team',
  places: 'core.places',
  projects: 'core.projects',
  project_team: 'core.project_team',
  retained_places: 'core.retained_places',
  retainer_calendar: 'core.retainer_calendar',
  retainer_days: 'core.retainer_days',
  retainer_periods: 'core.retainer_periods',
  role_cost_rates: 'core.role_cost_rates',
  revenue_lines: 'core.revenue_lines',
  roster: 'core.roster',
  seen_rates: 'core.seen_rates',
  settings: 'core.settings',
  statuses: 'core.statuses',
  time_off_days: 'core.time_off_days',
  work_hours: 'core.work_hours',
  agreed_fees: 'marts.agreed_fees',
  allowances: 'marts.allowances',
  budgets: 'marts.budgets',
  data_quality: 'marts.data_quality',
  people_tags: 'marts.people_tags',
  phases: 'marts.phases',
  project_tags: 'marts.project_tags',
  project_tasks: 'marts.project_tasks',
  retainers: 'marts.retainers',
  roles: 'marts.roles',
  // Records as they were read, which explain a line.
  allocation_records: 'staging.allocations',
  logged_time_records: 'staging.logged_time',
  people_records: 'staging.people',
  phase_records: 'staging.phases',
  project_records: 'staging.projects',
  task_records: 'staging.project_tasks',
  work_hours_records: 'staging.work_hours_changes',
  generation: 'source.generation',
  synced_service: 'sync.source',
  // Writes since a state: in the log of a server, and by syncs.
  server_writes: 'service.changes',
  sync_writes: 'sync.changes',
  sync_runs: 'sync.runs',
} as const;

export type SourceRelation = keyof typeof RELATIONS;

export const SOURCE_RELATIONS = Object.keys(RELATIONS) as readonly SourceRelation[];

/** Returns the qualified name of a relation, as definitions and sentences have it. */
export function relationName(name: SourceRelation): string {
  return RELATIONS[name];
}

/** The mart of all lines, as sentences name it for readers. */
export const LINES_MART = 'marts.lines';

/** The relations that the report changes reads of an earlier state, beside the ledger. */
export const COMPARED_RELATIONS = (['named_people', 'people_tags', 'project_tags', 'named_projects'] as const).map(
  relationName,
);

/** Those that it reads of bills. */
export const COMPARED_BILLS = [relationName('billing_lines')];

/** Those that it reads of what contracts say, and of their lines. */
export const COMPARED_CONTRACTS = (
  [
    'lines',
    'places',
    'fee_milestones',
    'fee_months',
    'fee_progress',
    'ledger_months',
    'phases',
    'retained_places',
    'retainer_calendar',
    'retainer_days',
    'retainer_periods',
  ] as const
).map(relationName);
