import { findResource, type Items } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import { describeListItem, type Node, type Row, splitInner } from '../node.ts';
import { selectRecords } from '../storage/select.ts';
import type { Transaction } from '../storage/transaction.ts';
import { BILL_RATE_FIELDS, completeBillRates, presentAll, presentCurrentRate } from './bill-rates.ts';
import { createExpenses, keepFeesHidden, refuseBillableExpenses } from './expenses.ts';
import { presentParts } from './present-parts.ts';
import { projectTaskRules } from './project-tasks.ts';
import { removeMemberWork, removeProjectWork } from './removal.ts';
import type { Reader, Rules } from './rules.ts';
import { completeDates, presentDates } from './spans.ts';
import { cascadeStatus, completeDay, completeStatus } from './status.ts';
import { completeTeam, findRemoved, isOneMember, leaveTeam, type Member, teamOf } from './team.ts';

const TEAM = 'project_team';

const resource = findResource('projects');

export const projectRules: Rules = {
  own: [TEAM, ...BILL_RATE_FIELDS],
  async complete(transaction, sent, before) {
    const { body } = sent;
    const values = completeBillRates(resource, sent, before);
    if (before?.['non_billable'] && isBillable(values)) await keepFeesHidden(transaction, before);
    const team = await completeTeam(transaction, TEAM, body[TEAM], teamOf(before, TEAM));
    if (team) await validatePhases(transaction, team, before);
    const status = await completeStatus(transaction, values, before);
    return {
      ...values,
      ...(await completeDates(transaction, 'project_id', values, before)),
      ...status,
      ...(await completeDay(transaction, { ...values, ...status }, before)),
      ...(before ? {} : await chooseManager(transaction, values)),
      ...(team && splitInner(resource, TEAM, team)),
    };
  },
  async follow(transaction, after, before, { body }) {
    const project = Number(after[resource.id]);
    await cascadeStatus(transaction, ['phases', 'tasks'], `project_id = ${project}`, after, before);
    if (!before) await createExpenses(transaction, project, body['expenses']);
    else if (after['non_billable'] && !before['non_billable']) await refuseBillableExpenses(transaction, project);
    const removed = findRemoved(teamOf(before, TEAM), teamOf(after, TEAM));
    await removeMemberWork(transaction, TEAM, { project }, removed);
    await leaveTeam(transaction, 'phase_team', removed, `project_id = ${project}`);
  },
  release: removeProjectWork,
  present: {
    names: ['start_date', 'end_date', 'dates_from', 'current_hourly_rate'],
    read: presentAll(presentDates('project_id'), presentCurrentRate),
  },
  expands: {
    [TEAM]: presentTeams,
    expenses: presentParts('project_id', 'expenses', 'project_expenses'),
    project_tasks: presentParts('project_id', 'project_tasks', 'project_tasks', projectTaskRules.present),
  },
};

function isBillable({ non_billable }: Row): boolean {
  return non_billable !== undefined && !non_billable;
}

/** The type of the account that owns the company. */
const OWNER = 1;

/** Returns the default manager: the owner's account, else the first account. */
async function chooseManager(transaction: Transaction, { project_manager = null }: Row): Promise<Row> {
  if (project_manager !== null) return {};
  const [owner] = await transaction.rows<{ account_id: number }>(`
    SELECT account_id FROM source.accounts
    ORDER BY account_type IS NOT DISTINCT FROM ${OWNER} DESC, account_id LIMIT 1`);
  return owner ? { project_manager: owner.account_id } : {};
}

/** Presents the members of projects, followed by those of their phases (4.2). */
async function presentTeams(reader: Reader, projects: readonly Row[]): Promise<Record<string, Node>[]> {
  const ids = projects.map((project) => Number(project[resource.id]));
  const phases = reader.resourceOf?.('phases') ?? findResource('phases');
  const found = await reader.rows<Row>(selectRecords(phases, { where: `project_id IN (${ids.join(', ')})` }));
  return projects.map((project) => {
    const own = teamOf(project, TEAM);
    const ofPhases = found
      .filter(({ project_id }) => project_id === project[resource.id])
      .flatMap((phase) =>
        teamOf(phase, 'phase_team').map((member) => ({ ...member, phase_id: phase['phase_id'] ?? null })),
      )
      .filter((member) => !own.some((other) => isOneMember(other, member)));
    return { [TEAM]: [...own, ...ofPhases].map(describeMember) };
  });
}

/** Describes a member; members of the whole project have phase 0. */
function describeMember(member: Member): Node {
  const described = describeListItem(resource, TEAM, resource.lists[TEAM] as Items, member);
  return { ...described, phase_id: described['phase_id'] ?? 0 };
}

/** @throws AppError input for a member of another project's phase. */
async function validatePhases(
  transaction: Transaction,
  team: readonly Member[],
  before: Row | undefined,
): Promise<void> {
  const phases = team.flatMap(({ phase_id }) => (typeof phase_id === 'number' ? [phase_id] : []));
  const were = teamOf(before, TEAM).map(({ phase_id }) => phase_id);
  const named = phases.filter((id) => !were.includes(id));
  if (named.length === 0) return;
  const own = await transaction.rows<{ phase_id: number }>(
    `SELECT phase_id FROM source.phases WHERE project_id = ${before?.[resource.id] ?? 'NULL'}`,
  );
  const strange = named.find((id) => !own.some(({ phase_id }) => phase_id === id));
  if (strange !== undefined) throw fieldFault(TEAM, `${strange} is not a phase of this project`);
}
