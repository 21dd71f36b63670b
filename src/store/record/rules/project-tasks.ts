import { quoteText, type Value } from '../../../base/database/index.ts';
import { findResource, type Resource } from '../../../records/resource/index.ts';
import { fieldFault, type Sent } from '../body.ts';
import type { Node, Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { parseValue } from '../value.ts';
import { removeProgress } from './entered-progress.ts';
import { readPlaces } from './place.ts';
import type { Reader, Rules } from './rules.ts';

/** Maximum of task_names in a request. Unit: names. */
export const MAX_TASK_NAMES = 500;

const allocations = findResource('tasks');

const loggedTime = findResource('logged_time');

export const projectTaskRules: Rules = {
  own: ['task_names'],
  schemas: {
    body: {
      task_names: {
        description: 'Instead of task_name: a name, or a list of names. Each makes one project task.',
        example: ['Design', 'Testing'],
      },
    },
    required: ['project_id'],
    answer: {
      count_tasks: { type: 'integer', description: 'The number of allocations of this project task.' },
      count_logged_time: { type: 'integer', description: 'The number of logged-time records of this project task.' },
    },
  },
  present: { names: ['count_tasks', 'count_logged_time'], read: presentCounts },
  split: splitNames,
  complete: keepProject,
  follow: spreadBillable,
  release: releaseProjectTask,
};

/** Counts the allocations and the logged time of project tasks. */
async function presentCounts(reader: Reader, rows: readonly Row[]): Promise<Record<string, Node>[]> {
  const ids = rows.map((row) => Number(row['task_meta_id']));
  const uses = [allocations, loggedTime].map(({ name, table }) => {
    const stored = reader.resourceOf?.(name)?.table ?? table;
    return `SELECT task_meta_id, ${quoteText(name)} AS kind FROM ${stored} WHERE task_meta_id IN (${ids.join(', ')})`;
  });
  const counts = await reader.rows<{ task_meta_id: number; kind: string; count: number }>(
    `SELECT task_meta_id, kind, count(*) AS count FROM (${uses.join(' UNION ALL ')}) GROUP BY task_meta_id, kind`,
  );
  const countOf = (id: number, { name }: Resource) =>
    Number(counts.find((each) => Number(each.task_meta_id) === id && each.kind === name)?.count ?? 0);
  return ids.map((id) => ({ count_tasks: countOf(id, allocations), count_logged_time: countOf(id, loggedTime) }));
}

/** Returns undefined if the record has no project task. */
export async function readBillable(transaction: Transaction, row: Row): Promise<boolean | undefined> {
  const id = row['task_meta_id'] ?? null;
  if (id === null) return undefined;
  const { known } = transaction;
  const keys = new Map([true, false].map((billable) => [`project task ${id} billable ${billable}`, billable]));
  for (const [key, billable] of keys) if (known.has(key)) return billable;
  const [found] = await transaction.referred<{ billable: boolean }>(
    `SELECT COALESCE(billable, TRUE) AS billable FROM source.project_tasks WHERE task_meta_id = ${id}`,
  );
  for (const [key, billable] of keys) if (billable === found?.billable) known.add(key);
  return found?.billable;
}

/**
 * Splits task_names into one project task per name.
 * @throws AppError input unless it is a name or a list of names.
 */
function splitNames(sent: Sent): readonly Sent[] {
  const { task_names } = sent.body;
  if (task_names === undefined || task_names === null) return [sent];
  const names = Array.isArray(task_names) ? task_names : [task_names];
  if (names.length === 0) throw fieldFault('task_names', 'it contains no name');
  if (names.length > MAX_TASK_NAMES) throw fieldFault('task_names', `more than ${MAX_TASK_NAMES} names`);
  return names.map((name, index) => ({
    ...sent,
    values: { ...sent.values, task_name: parseName(name, index + 1) },
  }));
}

function parseName(name: unknown, place: number): Value {
  const parsed = parseValue({ type: 'name' }, name);
  if (!('value' in parsed)) throw fieldFault('task_names', `item ${place}: ${parsed.fault}`);
  if (parsed.value === null || parsed.value === '') throw fieldFault('task_names', `item ${place}: missing`);
  return parsed.value;
}

/** Refuses to move a project task that has allocations or logged time. */
async function keepProject(transaction: Transaction, { values }: Sent, before: Row | undefined): Promise<Row> {
  const project = values['project_id'];
  if (!before || project === undefined || project === before['project_id']) return values;
  const [planned, logged] = await readUses(transaction, before);
  const count = planned.length + logged.length;
  if (count > 0) throw fieldFault('project_id', `allocations and logged-time records use this project task (${count})`);
  return values;
}

/** Copies a change of billable to allocations and logged time; locked time keeps its value. */
async function spreadBillable(transaction: Transaction, after: Row, before: Row | undefined): Promise<void> {
  const [was, is] = [before?.['billable'] ?? true, after['billable'] ?? true];
  if (!before || was === is) return;
  const [planned, logged] = await readUses(transaction, after);
  await transaction.updateAll(allocations, planned, { billable: is });
  await transaction.updateAll(loggedTime, logged.filter(isOpen), { billable: is });
  await transaction.updateAll(loggedTime, logged.filter((record) => !isOpen(record)).filter(hasNoBillable), {
    billable: was,
  });
}

/** Deletes its progress, and detaches allocations and logged time, which keep their billable flag (S2) and project (D8). */
async function releaseProjectTask(transaction: Transaction, before: Row): Promise<void> {
  const [planned, logged] = await readUses(transaction, before);
  const locked = logged.filter((record) => !isOpen(record)).length;
  if (locked > 0) throw fieldFault('task_meta_id', `locked logged-time records use this project task (${locked})`);
  await removeProgress(transaction, `task_meta_id = ${before['task_meta_id']}`);
  const places = await readPlaces(transaction, `task_meta_id = ${before['task_meta_id']}`);
  const billable = before['billable'] ?? true;
  await transaction.updateAll(allocations, planned, { task_meta_id: null, billable });
  for (const record of logged) {
    await transaction.update(loggedTime, record, {
      task_meta_id: null,
      ...(hasNoBillable(record) ? { billable } : {}),
      ...(isPlaced(record) ? {} : places.get(record[loggedTime.id] ?? null)),
    });
  }
}

async function readUses(transaction: Transaction, { task_meta_id }: Row): Promise<[Row[], Row[]]> {
  const where = `task_meta_id = ${task_meta_id}`;
  return [await transaction.records(allocations, { where }), await transaction.records(loggedTime, { where })];
}

function isOpen(record: Row): boolean {
  return record['locked'] !== true;
}

function hasNoBillable(record: Row): boolean {
  return (record['billable'] ?? null) === null;
}

/** Returns whether a record's project is known without its project task. */
function isPlaced({ project_id, task_id }: Row): boolean {
  return (project_id ?? task_id ?? null) !== null;
}
