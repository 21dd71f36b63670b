import { findResource, type Resource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { peopleOf } from './assigned.ts';
import { removeProgress } from './entered-progress.ts';
import { isLoggedAt, readPlaces } from './place.ts';
import { releaseTasks } from './tasks.ts';

const tasks = findResource('tasks');

const timeoffs = findResource('timeoffs');

const loggedTime = findResource('logged_time');

const retainers = findResource('retainers');

const statuses = findResource('status');

/** A project or a phase of one. */
export interface ProjectPart {
  readonly project: number;
  readonly phase?: number;
}

/**
 * Deletes a person's allocations, time off, statuses and logged time.
 * Removes only the person from shared ones.
 * @throws AppError input for locked time.
 */
export async function removePersonWork(transaction: Transaction, { people_id }: Row): Promise<void> {
  const people = [Number(people_id)];
  await removeTime(transaction, 'people_id', namesAny(people));
  await transaction.remove(statuses, await transaction.records(statuses, { where: namesAny(people) }));
  await leaveAll(transaction, tasks, concernsAny(tasks, people), people);
  await leaveAll(transaction, timeoffs, concernsAny(timeoffs, people), people);
}

/**
 * Deletes people's allocations and logged time at a place.
 * @throws AppError input for locked time.
 */
export async function removeMemberWork(
  transaction: Transaction,
  field: string,
  place: ProjectPart,
  people: readonly number[],
): Promise<void> {
  if (people.length === 0) return;
  await removeTime(transaction, field, `${isLoggedAt(place.project, place.phase)} AND ${namesAny(people)}`);
  await leaveAll(transaction, tasks, `${isAt(place)} AND ${concernsAny(tasks, people)}`, people);
}

/**
 * Deletes a project's records.
 * @throws AppError input for locked time.
 */
export async function removeProjectWork(transaction: Transaction, { project_id }: Row): Promise<void> {
  const project = Number(project_id);
  await removeTime(transaction, 'project_id', isLoggedAt(project));
  await removeTasks(transaction, await transaction.records(tasks, { where: isAt({ project }) }));
  for (const part of ['milestones', 'progress', 'retainers', 'project_tasks', 'project_expenses', 'phases']) {
    const resource = findResource(part);
    await transaction.remove(resource, await transaction.records(resource, { where: isAt({ project }) }));
  }
}

/**
 * Detaches allocations, milestones, project tasks and logged time from a phase, and deletes its progress and retainers. Time that names no project keeps that of the phase (D8).
 * @throws AppError input for locked time, whose rate may be the phase's.
 */
export async function leavePhase(transaction: Transaction, { phase_id, project_id }: Row): Promise<void> {
  const place = { project: Number(project_id), phase: Number(phase_id) };
  refuseLocked('phase_id', await transaction.records(loggedTime, { where: isLoggedAt(place.project, place.phase) }));
  const places = await readPlaces(transaction, `given_phase_id = ${place.phase} AND own_project_id IS NULL`);
  for (const record of await transaction.records(loggedTime, {
    where: `phase_id = ${place.phase} AND project_id IS NULL`,
  }))
    await transaction.update(loggedTime, record, { ...places.get(record[loggedTime.id] ?? null), phase_id: null });
  await removeProgress(transaction, `phase_id = ${place.phase}`);
  await transaction.remove(retainers, await transaction.records(retainers, { where: `phase_id = ${place.phase}` }));
  for (const part of ['tasks', 'milestones', 'project_tasks', 'logged_time']) {
    const resource = findResource(part);
    const inside = await transaction.records(resource, { where: `phase_id = ${place.phase}` });
    await transaction.updateAll(resource, inside, { phase_id: null });
  }
}

async function removeTime(transaction: Transaction, field: string, where: string): Promise<void> {
  const logged = await transaction.records(loggedTime, { where });
  refuseLocked(field, logged);
  await transaction.remove(loggedTime, logged);
}

function refuseLocked(field: string, logged: readonly Row[]): void {
  const locked = logged.filter((record) => record['locked'] === true);
  if (locked.length === 0) return;
  throw fieldFault(field, `some of its logged-time records are locked (${locked.length}); unlock them first`);
}

async function removeTasks(transaction: Transaction, gone: readonly Row[]): Promise<void> {
  await releaseTasks(transaction, gone);
  await transaction.remove(tasks, gone);
}

/** Removes people from allocations or time off, and deletes records without any people left. */
async function leaveAll(
  transaction: Transaction,
  resource: Resource,
  where: string,
  people: readonly number[],
): Promise<void> {
  const records = await transaction.records(resource, { where });
  const leftOf = (record: Row) => peopleOf(record).filter((id) => !people.includes(Number(id)));
  const gone = records.filter((record) => leftOf(record).length === 0);
  if (resource === tasks) await removeTasks(transaction, gone);
  else await transaction.remove(resource, gone);
  for (const record of records.filter((each) => !gone.includes(each))) {
    const left = leftOf(record);
    const isOne = left.length === 1;
    await transaction.update(resource, record, {
      people_id: isOne ? (left[0] ?? null) : null,
      people_ids: isOne ? [] : left,
    });
  }
}

function namesAny(people: readonly number[]): string {
  return `people_id IN (${people.join(', ')})`;
}

function concernsAny({ id, lists }: Resource, people: readonly number[]): string {
  return `(${namesAny(people)} OR ${id} IN (SELECT ${id} FROM source.${lists['people_ids']?.table} WHERE ${namesAny(people)}))`;
}

function isAt({ project, phase }: ProjectPart): string {
  return `project_id = ${project}${phase === undefined ? '' : ` AND phase_id = ${phase}`}`;
}
