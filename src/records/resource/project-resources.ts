import {
  AUTHORS,
  billRates,
  CONTRACT,
  DATES_FROM,
  ENDS_AFTER_START,
  type Fields,
  MAX_INTEGER,
  MIN_INTEGER,
  rateCardsIn,
  STATUSES,
  TIMES,
  teamRates,
} from './field.ts';
import { defineResource } from './resource.ts';

const BLUE = '4a90d9';

const member: Fields = {
  people_id: { type: 'id', refers: 'people' },
  role_id: { type: 'id', refers: 'roles' },
  hourly_rate: { type: 'rate' },
};

export const projects = defineResource({
  name: 'projects',
  id: 'project_id',
  fields: {
    project_id: { type: 'id', required: true },
    name: { type: 'name' },
    project_code: { type: 'text' },
    client_id: { type: 'id', refers: 'clients' },
    budget_type: { type: 'integer', codes: { 0: 'none', 1: 'total hours', 2: 'total fee', 3: 'hourly fee' } },
    budget_total: { type: 'amount' },
    budget_priority: { type: 'integer', codes: { 0: 'project', 1: 'phase', 2: 'task' } },
    default_hourly_rate: { type: 'rate' },
    non_billable: { type: 'boolean' },
    tentative: { type: 'boolean' },
    status: { type: 'integer', codes: STATUSES },
    stage_id: { type: 'id', refers: 'project_stages' },
    active: { type: 'boolean' },
    project_manager: { type: 'id', refers: 'accounts' },
    start_date: { type: 'date' },
    end_date: { type: 'date' },
    color: { type: 'color' },
    notes: { type: 'name' },
    budget_per_phase: { type: 'integer' },
    locked_task_list: { type: 'boolean' },
    all_pms_schedule: { type: 'boolean' },
    dates_from: { type: 'word', words: DATES_FROM },
    ...CONTRACT,
    contract_id: { type: 'key' },
    ...TIMES,
  },
  constraints: [ENDS_AFTER_START],
  lists: {
    tags: { table: 'project_tags', shape: 'list', fields: { tag: { type: 'tag', required: true, from: ['$'] } } },
    project_team: {
      table: 'project_team',
      shape: 'list',
      fields: { ...member, phase_id: { type: 'id', refers: 'phases' } },
    },
    project_team_rates: teamRates('project_team', ['people_id', 'phase_id']),
    bill_rate_history: billRates('project_bill_rates'),
    rate_cards: rateCardsIn('project_rate_cards'),
  },
  nested: { expenses: 'project_expenses' },
  served: {
    defaults: {
      active: true,
      status: 2,
      tentative: false,
      non_billable: false,
      budget_type: 0,
      budget_priority: 0,
      color: BLUE,
      locked_task_list: false,
      all_pms_schedule: false,
    },
    required: ['name'],
    expanded: ['project_team', 'expenses', 'project_tasks', 'bill_rate_history', 'rate_cards'],
    computed: ['dates_from'],
    counted: ['current_hourly_rate'],
    code: 'project_code',
    liveDecimals: { budget_total: 'string' },
  },
});

export const phases = defineResource({
  name: 'phases',
  id: 'phase_id',
  fields: {
    phase_id: { type: 'id', required: true },
    project_id: { type: 'id', required: true, refers: 'projects' },
    name: { type: 'name' },
    start_date: { type: 'date' },
    end_date: { type: 'date' },
    status: { type: 'integer', codes: STATUSES },
    non_billable: { type: 'boolean' },
    default_hourly_rate: { type: 'rate' },
    budget_total: { type: 'amount' },
    color: { type: 'color' },
    notes: { type: 'name' },
    tentative: { type: 'boolean' },
    active: { type: 'boolean' },
    dates_from: { type: 'word', words: DATES_FROM },
    ...CONTRACT,
    ...TIMES,
  },
  constraints: [ENDS_AFTER_START],
  lists: {
    phase_team: { table: 'phase_team', shape: 'list', fields: member },
    phase_team_rates: teamRates('phase_team', ['people_id']),
    bill_rate_history: billRates('phase_bill_rates'),
  },
  served: {
    defaults: { status: 2, non_billable: false, tentative: false, active: true },
    required: ['name', 'start_date', 'end_date'],
    expanded: ['phase_team', 'bill_rate_history'],
    computed: ['dates_from'],
    counted: ['current_hourly_rate'],
    liveDecimals: { budget_total: 'string' },
  },
});

/** The stages of projects, each with one status. */
export const projectStages = defineResource({
  name: 'project_stages',
  id: 'stage_id',
  fields: {
    stage_id: { type: 'id', required: true, from: ['stage_id', 'id'] },
    name: { type: 'name' },
    status: { type: 'integer', codes: STATUSES },
    sort_order: { type: 'integer', min: MIN_INTEGER, max: MAX_INTEGER },
    description: { type: 'text' },
    color: { type: 'color' },
    ...AUTHORS,
    ...TIMES,
  },
  served: { required: ['name', 'status'], aliases: { id: 'stage_id' } },
});

export const milestones = defineResource({
  name: 'milestones',
  id: 'milestone_id',
  fields: {
    milestone_id: { type: 'id', required: true },
    project_id: { type: 'id', refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    name: { type: 'name' },
    date: { type: 'date', hasTime: true },
    end_date: { type: 'date', hasTime: true },
    amount: { type: 'amount' },
    ...TIMES,
  },
  served: { required: ['project_id', 'name', 'date'] },
});

/** The tasks of a project: kinds of work, billable or not, with budgets. */
export const projectTasks = defineResource({
  name: 'project_tasks',
  id: 'task_meta_id',
  fields: {
    task_meta_id: { type: 'id', required: true },
    project_id: { type: 'id', required: true, refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    task_name: { type: 'name' },
    billable: { type: 'boolean' },
    budget: { type: 'amount' },
    ...TIMES,
  },
  served: { defaults: { billable: true, task_name: '' }, counted: ['count_tasks', 'count_logged_time'] },
});

/** The expenses of a project, beside hours. */
export const projectExpenses = defineResource({
  name: 'project_expenses',
  id: 'project_expense_id',
  fields: {
    project_expense_id: { type: 'id', required: true, from: ['project_expense_id', 'id'] },
    project_id: { type: 'id', required: true, refers: 'projects' },
    name: { type: 'name' },
    date: { type: 'date', required: true },
    cost: { type: 'amount', required: true, isSigned: true },
    billable: { type: 'boolean' },
    markup: { type: 'amount', isSigned: true },
    markup_type: { type: 'integer', codes: { 0: 'percentage', 1: 'fixed amount' } },
    ...TIMES,
  },
  constraints: [
    {
      // The rounded fee must fit DECIMAL(18,4), the type of amounts in the ledger.
      broken: 'COALESCE(markup_type, 0) = 0 AND ABS(CAST(cost AS DECIMAL(19,4)) * (100 + markup)) >= 9999999999999900',
      reason: 'cost with its markup is too large',
    },
    {
      // A refund takes back what was added to the cost; a percentage does so by itself (A3).
      broken: 'markup < 0 AND NOT (COALESCE(markup_type, 0) = 1 AND cost < 0)',
      reason: 'markup is below 0, and neither fixed (markup_type 1) nor of a cost below 0',
    },
  ],
  served: {
    defaults: { billable: false, markup_type: 0 },
    required: ['name'],
    decimalStrings: ['markup'],
    needsRates: ['cost', 'markup', 'markup_type'],
    aliases: { id: 'project_expense_id' },
    revealsCosts: ['billable', 'project_id'],
  },
});

/** The entries of progress of a project, phase or project task: the part that is done on a day. */
export const progress = defineResource({
  name: 'progress',
  id: 'progress_id',
  fields: {
    progress_id: { type: 'id', required: true },
    project_id: { type: 'id', required: true, refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    task_meta_id: { type: 'id', refers: 'project_tasks' },
    date: { type: 'date', required: true },
    percent: { type: 'percent' },
    remaining_hours: { type: 'effort' },
    notes: { type: 'name' },
    created_by: { type: 'id' },
    ...TIMES,
  },
  constraints: [
    {
      broken: 'percent IS NOT NULL AND remaining_hours IS NOT NULL',
      reason: 'percent is given beside remaining_hours, and only one of them can be',
    },
    {
      broken: 'percent IS NULL AND remaining_hours IS NULL',
      reason: 'percent is missing, and so is remaining_hours: one of them is required',
    },
  ],
});
