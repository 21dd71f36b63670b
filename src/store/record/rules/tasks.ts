import type { Value } from '../../../base/database/index.ts';
import { countsAs } from '../../../numbers/relation/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import type { Sent } from '../body.ts';
import type { Node, Row } from '../node.ts';
import { idIsOf } from '../storage/record-sql.ts';
import type { Transaction } from '../storage/transaction.ts';
import { choosePeople, concernsAny, describePeople, onlyPerson, PEOPLE_NAMES, peopleOf } from './assigned.ts';
import { readPlaces } from './place.ts';
import { readBillable } from './project-tasks.ts';
import type { Reader, Rules } from './rules.ts';
import { windowFilters } from './window.ts';

const resource = findResource('tasks');

const loggedTime = findResource('logged_time');

/** Rules of allocations, which the API calls tasks. */
export const taskRules: Rules = {
  complete: async (transaction, sent, before) => ({
    ...sent.values,
    ...choosePeople(sent, before),
    ...(await chooseBillable(transaction, sent, before)),
  }),
  release: (transaction, before) => releaseTasks(transaction, [before]),
  present: { names: PEOPLE_NAMES, read: async (_reader, rows) => rows.map(describePeople) },
  expands: { client_id: readClients, people: readPeople, task_days: readDays },
  needsModels: ['task_days'],
  sorts: { people_id: onlyPerson(resource) },
  filters: {
    ...windowFilters(resource, 'allocation'),
    people_id: (text) => concernsAny(resource, text),
    people_ids: (text) => concernsAny(resource, text),
  },
};

/** Sets billable to the project task's value, if the allocation has one (S2). */
async function chooseBillable(transaction: Transaction, { values }: Sent, before: Row | undefined): Promise<Row> {
  if (values['task_meta_id'] === undefined && values['billable'] === undefined) return {};
  const billable = await readBillable(transaction, { ...before, ...values });
  return billable === undefined ? {} : { billable };
}

/**
 * Detaches logged time from deleted allocations.
 * Records without a project keep the project and phase of their allocation (D8).
 */
export async function releaseTasks(transaction: Transaction, tasks: readonly Row[]): Promise<void> {
  if (tasks.length === 0) return;
  const where = idIsOf(resource, tasks);
  const records = await transaction.records(loggedTime, { where });
  const places = await readPlaces(transaction, where);
  for (const task of tasks) {
    const logged = records.filter((record) => record['task_id'] === task[resource.id]);
    const placed = logged.filter((record) => (record['project_id'] ?? null) !== null);
    await transaction.updateAll(loggedTime, placed, { task_id: null });
    for (const record of logged.filter((each) => !placed.includes(each))) {
      await transaction.update(loggedTime, record, { task_id: null, ...places.get(record[loggedTime.id] ?? null) });
    }
  }
}

async function readClients(reader: Reader, rows: readonly Row[]): Promise<Record<string, Node>[]> {
  const found = await reader.rows<{ project_id: number; client_id: number | null }>(
    `SELECT project_id, client_id FROM source.projects WHERE project_id IN (${formatIds(rows.map((row) => row['project_id'] ?? null))})`,
  );
  const clients = new Map(found.map((project) => [project.project_id, project.client_id]));
  return rows.map((row) => ({ client_id: clients.get(row['project_id'] as number) ?? null }));
}

async function readPeople(reader: Reader, rows: readonly Row[]): Promise<Record<string, Node>[]> {
  const found = await reader.rows<{ people_id: number; name: string | null; email: string | null }>(
    `SELECT people_id, name, email FROM source.people WHERE people_id IN (${formatIds(rows.flatMap(peopleOf))})`,
  );
  const people = new Map<Value, Node>(found.map((person) => [person.people_id, { ...person }]));
  return rows.map((row) => ({ people: peopleOf(row).flatMap((id) => people.get(id) ?? []) }));
}

/** Reads the days worked on each allocation by anyone: the dates of its ledger lines (D3, D6). */
async function readDays(reader: Reader, rows: readonly Row[]): Promise<Record<string, Node>[]> {
  const found = await reader.rows<{ task_id: number; days: string[] }>(`
    SELECT task_id, list(DISTINCT date ORDER BY date) AS days FROM core.ledger
    WHERE ${countsAs('plan')} AND task_id IN (${formatIds(rows.map((row) => row['task_id'] ?? null))}) GROUP BY task_id`);
  const days = new Map(found.map((task) => [task.task_id, task.days]));
  return rows.map((row) => ({ task_days: days.get(row['task_id'] as number) ?? [] }));
}

function formatIds(ids: readonly Value[]): string {
  return [...new Set(ids)].map(String).join(', ') || 'NULL';
}
