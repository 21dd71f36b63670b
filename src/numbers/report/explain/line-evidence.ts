import { quoteText } from '../../../base/database/index.ts';
import type { Labour } from '../../relation/line-kinds.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { SourceRelation } from '../source/relations.ts';
import type { StateSource } from '../source/state-source.ts';
import type { Evidence } from './line-steps.ts';

/** Returns a statement with one row: the values that the rules looked at for a line of hours. */
export function evidenceSql(hours: Labour, line: Evidence, source: StateSource): string {
  const join = (relation: SourceRelation, alias: string) => `LEFT JOIN ${source.relation(relation)} AS ${alias}`;
  const id = (name: string) => (line[name] === null || line[name] === undefined ? 'NULL' : String(line[name]));
  const date = dateLiteral(String(line['date']));
  const keys = `
WITH line AS (
  SELECT ${id('people_id')} AS people_id, ${id('project_id')} AS project_id, ${id('phase_id')} AS phase_id,
    ${id('task_meta_id')} AS task_meta_id, ${id('task_id')} AS task_id, ${date} AS date
)`;
  const costs = `
    contracts.cost_rate AS contract_cost_rate, contracts.cost_rate_source AS contract_cost_source, role_costs.cost_rate AS role_cost_rate,`;
  const record =
    hours === 'plan'
      ? `
    allocations.start_date, allocations.end_date, allocations.repeat_state, allocations.repeat_end_date,
    statuses.name AS record_status, allocations.is_billable AS record_billable, ${namedParts('allocations')},
    occurrences.occurrence, occurrences.first_date, occurrences.last_date,`
      : `
    logged_time.project_id AS own_project_id, logged_time.is_billable AS record_billable, ${namedParts('logged_time')},`;
  const partJoins = (record: string) => `
${join('phase_records', 'named_phases')} ON named_phases.phase_id = ${record}.phase_id
${join('task_records', 'named_tasks')} ON named_tasks.task_meta_id = ${record}.task_meta_id`;
  const recordJoins =
    hours === 'plan'
      ? `
${join('allocation_records', 'allocations')} ON allocations.task_id = line.task_id
${join('statuses', 'statuses')} ON statuses.status = allocations.status
${join('occurrences', 'occurrences')} ON occurrences.kind = 'allocation' AND occurrences.item_id = line.task_id
  AND occurrences.people_id = line.people_id AND line.date BETWEEN occurrences.first_date AND occurrences.last_date${partJoins('allocations')}`
      : `
${join('logged_time_records', 'logged_time')} ON logged_time.logged_time_id = ${quoteText(String(line['logged_time_id']))}${partJoins('logged_time')}`;
  // S2: a project task decides about an allocation even if it doesn't say so.
  const taskBillable =
    hours === 'plan'
      ? 'CASE WHEN project_tasks.task_meta_id IS NOT NULL THEN COALESCE(project_tasks.is_billable, TRUE) END'
      : 'project_tasks.is_billable';
  return `${keys}
SELECT${record}${source.costs(costs).join('')}
  project_statuses.name AS project_status, phase_statuses.name AS phase_status,
  projects.is_non_billable AS project_non_billable, phases.is_non_billable AS phase_non_billable,
  ${taskBillable} AS task_billable,
  ${roleName('phase_team', 'phase_team_roles')} AS phase_team_role,
  ${roleName('project_team', 'project_team_roles')} AS project_team_role,
  contracts.position AS contract_position, contracts.valid_from AS contract_from,
  ${roleName('contracts', 'day_roles')} AS day_role,
  ${BILL_LEVELS.map(({ level }) => `${level}_rates.bill_rate AS ${level}_rate, ${level}_rates.dated_from AS ${level}_rate_from, ${isFirstSeen(level, source)} AS ${level}_rate_is_seen`).join(',\n  ')},
  pl_hours_on(work_hours.week_hours, line.date) AS work_hours, pl_hours_on(work_hours.week_hours, line.date) > 0 AS is_work_day, work_hours.valid_from AS work_hours_from,
  ${IS_BY_CALL} AND NOT EXISTS (
    FROM ${source.relation('work_hours_records')} AS changes
    WHERE changes.people_id = line.people_id AND pl_work_weekdays(changes.week_hours) > 0
  ) AS is_by_call,
  time_off_days.time_off_hours
FROM line${recordJoins}
${join('project_records', 'projects')} ON projects.project_id = line.project_id
${join('statuses', 'project_statuses')} ON project_statuses.status = projects.status
${join('phase_records', 'phases')} ON phases.phase_id = line.phase_id
${join('statuses', 'phase_statuses')} ON phase_statuses.status = phases.status
${join('task_records', 'project_tasks')} ON project_tasks.task_meta_id = line.task_meta_id
${join('phase_team', 'phase_team')} ON phase_team.phase_id = line.phase_id AND phase_team.people_id = line.people_id
${join('roles', 'phase_team_roles')} ON phase_team_roles.role_id = phase_team.role_id
${join('project_team', 'project_team')} ON project_team.project_id = line.project_id AND project_team.people_id = line.people_id
${join('roles', 'project_team_roles')} ON project_team_roles.role_id = project_team.role_id
${join('contracts', 'contracts')} ON contracts.people_id = line.people_id AND line.date >= contracts.valid_from AND line.date < contracts.valid_to
${join('roles', 'day_roles')} ON day_roles.role_id = contracts.role_id
${join('role_cost_rates', 'role_costs')} ON role_costs.role_id = contracts.role_id
  AND line.date >= role_costs.valid_from AND line.date < role_costs.valid_to
${BILL_LEVELS.map(({ level, holds }) => `${join('bill_rates', `${level}_rates`)} ON ${joinRates(level, holds)}`).join('\n')}
${join('people_records', 'people')} ON people.people_id = line.people_id
${join('work_hours', 'work_hours')} ON work_hours.people_id = line.people_id AND line.date >= work_hours.valid_from AND line.date < work_hours.valid_to
${join('time_off_days', 'time_off_days')} ON time_off_days.people_id = line.people_id AND time_off_days.date = line.date`;
}

/** The role of the line (R2). */
const ROLE = 'COALESCE(phase_team.role_id, project_team.role_id, contracts.role_id)';

/** The levels of bill rates in their order (R4), with SQL of who holds the rate of the line: an id, a person of a team, a role of a card. */
export const BILL_LEVELS = [
  { level: 'phase_team', holds: ['line.phase_id', 'line.people_id', '0'] },
  { level: 'phase', holds: ['line.phase_id', '0', '0'] },
  { level: 'project_team', holds: ['line.project_id', 'line.people_id', '0'] },
  { level: 'project', holds: ['line.project_id', '0', '0'] },
  { level: 'rate_card', holds: ['line.project_id', '0', ROLE] },
  { level: 'client_card', holds: ['projects.client_id', '0', ROLE] },
  { level: 'person', holds: ['line.people_id', '0', '0'] },
  { level: 'role', holds: [ROLE, '0', '0'] },
] as const;

function joinRates(level: string, [id, person, role]: readonly [string, string, string]): string {
  const rates = `${level}_rates`;
  return `${rates}.level = '${level}' AND ${rates}.id = ${id} AND ${rates}.people_id = ${person} AND ${rates}.role_id = ${role}
  AND line.date >= ${rates}.valid_from AND line.date < ${rates}.valid_to`;
}

/** Returns SQL that is true of a dated rate that a source without days was first seen to say on its day (P6). */
function isFirstSeen(level: string, source: StateSource): string {
  const same = ['level', 'id', 'people_id', 'role_id'].map((name) => `seen.${name} = ${level}_rates.${name}`);
  return `EXISTS (FROM ${source.relation('seen_rates')} AS seen
    WHERE ${same.join(' AND ')} AND seen.valid_from = ${level}_rates.dated_from)`;
}

/** D7: a week of the record without hours, in whose place stands the company's. */
const IS_BY_CALL = 'pl_work_weekdays(people.week_hours) = 0 AND pl_work_weekdays(work_hours.week_hours) > 0';

/** Returns the phase and the project task that a record names, with their projects. */
function namedParts(record: string): string {
  return `${record}.phase_id AS named_phase_id, named_phases.project_id AS phase_project_id,
    ${record}.task_meta_id AS named_task_id, named_tasks.project_id AS task_project_id`;
}

/** Returns the name of a role; one without a record has its id. */
function roleName(holder: string, roles: string): string {
  return `CASE WHEN ${holder}.role_id IS NOT NULL THEN COALESCE(${roles}.role, CONCAT('(role ', ${holder}.role_id, ')')) END`;
}
