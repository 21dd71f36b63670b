import { findResource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import { type Row, splitInner } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { BILL_RATE_FIELDS, completeBillRates, presentAll, presentCurrentRate } from './bill-rates.ts';
import { presentParts } from './present-parts.ts';
import { projectTaskRules } from './project-tasks.ts';
import { leavePhase, removeMemberWork } from './removal.ts';
import type { Rules } from './rules.ts';
import { completeDates, presentDates } from './spans.ts';
import { cascadeStatus, completeDay } from './status.ts';
import { completeTeam, findRemoved, teamOf } from './team.ts';

const TEAM = 'phase_team';

const projects = findResource('projects');

const resource = findResource('phases');

export const phaseRules: Rules = {
  own: [TEAM, ...BILL_RATE_FIELDS],
  async complete(transaction, sent, before) {
    const { body } = sent;
    const values = completeBillRates(resource, sent, before);
    const { project_id } = values;
    if (before && project_id !== undefined && project_id !== before['project_id'])
      throw fieldFault('project_id', 'a phase stays in its project; create one in the other project');
    const team = await completeTeam(transaction, TEAM, body[TEAM], teamOf(before, TEAM));
    return {
      ...values,
      ...(await completeDates(transaction, 'phase_id', values, before)),
      ...(await completeDay(transaction, values, before)),
      ...(team && splitInner(resource, TEAM, team)),
    };
  },
  async follow(transaction, after, before) {
    const place = { project: Number(after['project_id']), phase: Number(after['phase_id']) };
    await cascadeStatus(transaction, ['tasks'], `phase_id = ${place.phase}`, after, before);
    await removeMemberWork(transaction, TEAM, place, findRemoved(teamOf(before, TEAM), teamOf(after, TEAM)));
  },
  present: {
    names: ['start_date', 'end_date', 'dates_from', 'current_hourly_rate'],
    read: presentAll(presentDates('phase_id'), presentCurrentRate),
  },
  expands: { phase_tasks: presentParts('phase_id', 'phase_tasks', 'project_tasks', projectTaskRules.present) },
  async release(transaction, before) {
    await leavePhase(transaction, before);
    await leaveProjectTeam(transaction, before);
  },
};

/** Removes the phase's members from the project's team, where they count as the phase's (R4). */
async function leaveProjectTeam(transaction: Transaction, { phase_id }: Row): Promise<void> {
  const where = `project_id IN (SELECT project_id FROM source.project_team WHERE phase_id = ${phase_id})`;
  for (const project of await transaction.records(projects, { where })) {
    const left = teamOf(project, 'project_team').filter((member) => member['phase_id'] !== phase_id);
    await transaction.update(projects, project, splitInner(projects, 'project_team', left));
  }
}
