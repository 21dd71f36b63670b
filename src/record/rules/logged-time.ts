import { quoteText, type Value } from '../../database/database.ts';
import { fieldFault, type Sent } from '../body.ts';
import { isAnyOf } from '../filters.ts';
import type { Node, Row } from '../node.ts';
import { findShape } from '../shape.ts';
import type { Transaction } from '../storage/transaction.ts';
import { readBillable } from './project-tasks.ts';
import type { Reader, Rules } from './rules.ts';

const projectTasks = findShape('project_tasks');

export const loggedTimeRules: Rules = {
  complete: completeTime,
  isDeletedBy: ({ values }) =>
    values['hours'] !== undefined && Number(values['hours']) === 0 && values['hours'] !== null,
  release: async (_transaction, before) => refuseLocked(before),
  present: { names: ['task_name'], read: presentNames },
  filters: { task_name: (text) => isAnyOf(TASK_NAME, { type: 'name' }, text) },
};

/** The name of a record's project task, or the record's own if it has none. */
const TASK_NAME = `COALESCE((
  SELECT project_tasks.task_name FROM source.project_tasks
  WHERE project_tasks.task_meta_id = logged_time.task_meta_id), task_name)`;

async function presentNames(reader: Reader, rows: readonly Row[]): Promise<Record<string, Node>[]> {
  const ids = new Set(rows.map((row) => row['task_meta_id'] ?? null));
  const names = await readNames(reader, [...ids]);
  return rows.map((row) => ({
    task_name: (names.get(row['task_meta_id'] ?? null) ?? row['task_name'] ?? null) as string | null,
  }));
}

async function readNames(reader: Reader, ids: readonly Value[]): Promise<ReadonlyMap<Value, string | null>> {
  const named = ids.filter((id) => id !== null);
  if (named.length === 0) return new Map();
  const found = await reader.rows<{ task_meta_id: number; task_name: string | null }>(
    `SELECT task_meta_id, task_name FROM source.project_tasks WHERE task_meta_id IN (${named.join(', ')})`,
  );
  return new Map(found.map(({ task_meta_id, task_name }) => [task_meta_id, task_name]));
}

async function completeTime(transaction: Transaction, sent: Sent, before: Row | undefined): Promise<Row> {
  const values = await chooseTask(transaction, sent.values, before);
  const changed = Object.keys(values).filter((name) => isChanged(name, values, before));
  if (before && changed.length > 0 && !isUnlocking(changed, values)) refuseLocked(before);
  const isNewThere = !before || [...PLACES, 'phase_id'].some((name) => changed.includes(name));
  if (isNewThere) await refuseCanceled(transaction, { ...before, ...values });
  return { ...values, ...(await chooseBillable(transaction, values, before)) };
}

/** Finds or creates the project task of a `task_name` (4.2); a sent project task takes precedence. */
async function chooseTask(transaction: Transaction, values: Row, before: Row | undefined): Promise<Row> {
  const { task_name: name = null, ...others } = values;
  const isTaskSaid = (others['task_meta_id'] ?? null) !== null && isChanged('task_meta_id', others, before);
  if (name === null || name === '' || isTaskSaid) return values;
  const row = { ...before, ...others };
  const names = await readNames(transaction, [row['task_meta_id'] ?? null]);
  // A client may send back the name unchanged.
  if (name === names.get(row['task_meta_id'] ?? null)) return others;
  const project = await findProject(transaction, row);
  if (project === null) return values;
  const [found] = await transaction.referred<{ task_meta_id: number }>(`
    SELECT task_meta_id FROM source.project_tasks
    WHERE project_id = ${project} AND lower(task_name) = lower(${quoteText(String(name))})
    ORDER BY phase_id IS NOT DISTINCT FROM ${row['phase_id'] ?? 'NULL'} DESC, task_meta_id LIMIT 1`);
  const made =
    found ??
    (await transaction.insert(projectTasks, { ...projectTasks.defaults, project_id: project, task_name: name }));
  return { ...values, task_meta_id: made['task_meta_id'] as number };
}

/** Returns a record's project: its own, or its allocation's (D8). */
async function findProject(transaction: Transaction, { project_id = null, task_id = null }: Row): Promise<Value> {
  if (project_id !== null || task_id === null) return project_id;
  const [task] = await transaction.rows<{ project_id: number }>(
    `SELECT project_id FROM source.tasks WHERE task_id = ${task_id}`,
  );
  return task?.project_id ?? null;
}

/** Fields that determine a record's project (D8). */
const PLACES = ['project_id', 'task_id', 'task_meta_id'] as const;

function isChanged(name: string, values: Row, before: Row | undefined): boolean {
  return (values[name] ?? null) !== (before?.[name] ?? null);
}

/** Returns whether a change only unlocks: any writer may, but not along with other changes. */
function isUnlocking(changed: readonly string[], values: Row): boolean {
  return changed.length === 1 && changed[0] === 'locked' && values['locked'] === false;
}

function refuseLocked(before: Row): void {
  if (before['locked'] !== true) return;
  throw fieldFault('locked', 'this record is locked; unlock it first, by a change of locked to 0 alone');
}

/** @throws AppError input for time on a canceled project. */
async function refuseCanceled(transaction: Transaction, row: Row): Promise<void> {
  const [project, task, projectTask, phase] = [...PLACES, 'phase_id'].map((name) => String(row[name] ?? 'NULL'));
  const key = `open ${project} ${task} ${projectTask} ${phase}`;
  if (transaction.known.has(key)) return;
  await refuseCanceledPhase(transaction, phase ?? 'NULL', task ?? 'NULL');
  const [canceled] = await transaction.referred<{ project_id: number }>(`
    SELECT project_id FROM staging.projects WHERE status = 4 AND project_id = COALESCE(
      ${project},
      (SELECT project_id FROM source.tasks WHERE task_id = ${task}),
      (SELECT project_id FROM source.project_tasks WHERE task_meta_id = ${projectTask}))`);
  if (!canceled) {
    transaction.known.add(key);
    return;
  }
  const field = PLACES.find((name) => (row[name] ?? null) !== null) ?? 'project_id';
  throw fieldFault(field, `the project ${canceled.project_id} is canceled, so no time can be logged on it`);
}

/** @throws AppError input for time on a canceled phase, its own or its allocation's. */
async function refuseCanceledPhase(transaction: Transaction, phase: string, task: string): Promise<void> {
  const [canceled] = await transaction.referred<{ phase_id: number }>(`
    SELECT phase_id FROM source.phases WHERE status = 4 AND phase_id = COALESCE(
      ${phase}, (SELECT phase_id FROM source.tasks WHERE task_id = ${task}))`);
  if (canceled)
    throw fieldFault('phase_id', `the phase ${canceled.phase_id} is canceled, so no time can be logged on it`);
}

/** Sets billable to the project task's value if none was sent. */
async function chooseBillable(transaction: Transaction, values: Row, before: Row | undefined): Promise<Row> {
  const isSaid = (values['billable'] ?? null) !== null;
  if (isSaid || (values['task_meta_id'] ?? null) === null || !isChanged('task_meta_id', values, before)) return {};
  const billable = await readBillable(transaction, values);
  return billable === undefined ? {} : { billable };
}
