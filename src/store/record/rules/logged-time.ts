import { quoteText, type Value } from '../../../base/database/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import { fieldFault, type Sent } from '../body.ts';
import { isAnyOf } from '../filters.ts';
import type { Node, Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { selectPlace } from './place.ts';
import { readBillable } from './project-tasks.ts';
import type { Reader, Rules } from './rules.ts';

const projectTasks = findResource('project_tasks');

/** S2 over a record. */
const BILLABLE = `pl_logged_billable(billable,
  CASE WHEN task_meta_id IN (SELECT task_meta_id FROM source.project_tasks WHERE NOT billable) THEN FALSE END)`;

export const loggedTimeRules: Rules = {
  complete: completeTime,
  isDeletedBy: ({ values }) =>
    values['hours'] !== undefined && Number(values['hours']) === 0 && values['hours'] !== null,
  release: async (_transaction, before) => refuseLocked(before),
  present: { names: ['task_name', 'billable', 'locked'], read: presentTask },
  filters: {
    task_name: (text) => isAnyOf(TASK_NAME, { type: 'name' }, text),
    billable: (text) => isAnyOf(BILLABLE, { type: 'boolean' }, text),
  },
  sorts: { billable: BILLABLE },
};

/** The name of a record's project task, or the record's own if it has none. */
const TASK_NAME = `COALESCE((
  SELECT project_tasks.task_name FROM source.project_tasks
  WHERE project_tasks.task_meta_id = logged_time.task_meta_id), task_name)`;

interface NamedTask {
  readonly task_name: string | null;
  /** True if time without a value of its own is billable (S2). */
  readonly billable: boolean;
}

async function presentTask(reader: Reader, rows: readonly Row[]): Promise<Record<string, Node>[]> {
  const tasks = await readTasks(
    reader,
    rows.map((row) => row['task_meta_id'] ?? null),
  );
  return rows.map((row) => {
    const task = tasks.get(row['task_meta_id'] ?? null);
    const billable = (row['billable'] ?? task?.billable ?? true) as boolean;
    const task_name = (task?.task_name ?? row['task_name'] ?? null) as string | null;
    // Clients of the original API know closed days by it.
    const locked = reader.isClosed?.(String(row['date'])) ? { locked: 1 } : {};
    return { task_name, billable: billable ? 1 : 0, ...locked };
  });
}

async function readTasks(reader: Reader, ids: readonly Value[]): Promise<ReadonlyMap<Value, NamedTask>> {
  const named = [...new Set(ids)].filter((id) => id !== null);
  if (named.length === 0) return new Map();
  const found = await reader.rows<NamedTask & { task_meta_id: number }>(`
    SELECT task_meta_id, task_name, pl_logged_billable(NULL, billable) AS billable
    FROM source.project_tasks WHERE task_meta_id IN (${named.join(', ')})`);
  return new Map(found.map(({ task_meta_id, ...task }) => [task_meta_id, task]));
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
  const tasks = await readTasks(transaction, [row['task_meta_id'] ?? null]);
  // A client may send back the name unchanged.
  if (name === tasks.get(row['task_meta_id'] ?? null)?.task_name) return others;
  const [found] = await transaction.referred<{ project_id: number; task_meta_id: number | null }>(`
    WITH place AS (${selectPlace(row)})
    SELECT place.project_id, project_tasks.task_meta_id
    FROM place
    LEFT JOIN source.project_tasks
      ON project_tasks.project_id = place.project_id AND lower(project_tasks.task_name) = lower(${quoteText(String(name))})
    ORDER BY COALESCE(project_tasks.phase_id, 0) = place.phase_id DESC, project_tasks.task_meta_id LIMIT 1`);
  const { project_id = 0, task_meta_id = null } = found ?? {};
  if (project_id === 0) return values;
  if (task_meta_id !== null) return { ...values, task_meta_id };
  const made = await transaction.insert(projectTasks, { ...projectTasks.defaults, project_id, task_name: name });
  return { ...values, task_meta_id: made['task_meta_id'] as number };
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
  throw fieldFault('locked', 'this record is locked; unlock it first, with a change that only sets locked to 0');
}

/** @throws AppError input for time on a canceled project or phase (D8), or on an allocation of a canceled phase. */
async function refuseCanceled(transaction: Transaction, row: Row): Promise<void> {
  const key = `open ${[...PLACES, 'phase_id'].map((name) => row[name] ?? '').join(' ')}`;
  if (transaction.known.has(key)) return;
  const [canceled] = await transaction.referred<{ project_id: number | null; phase_id: number | null }>(`
    WITH place AS (${selectPlace(row)})
    SELECT projects.project_id, phases.phase_id
    FROM place
    LEFT JOIN staging.projects ON projects.project_id = place.project_id AND projects.status = 4
    LEFT JOIN staging.phases ON phases.phase_id IN (place.phase_id, place.allocation_phase_id) AND phases.status = 4
    ORDER BY phases.phase_id LIMIT 1`);
  const { project_id: project = null, phase_id: phase = null } = canceled ?? {};
  if (phase !== null) throw fieldFault('phase_id', `the phase ${phase} is canceled, so no time can be logged on it`);
  if (project !== null) {
    const field = PLACES.find((name) => (row[name] ?? null) !== null) ?? 'project_id';
    throw fieldFault(field, `the project ${project} is canceled, so no time can be logged on it`);
  }
  transaction.known.add(key);
}

/** Sets billable to the project task's value if none was sent. */
async function chooseBillable(transaction: Transaction, values: Row, before: Row | undefined): Promise<Row> {
  const isSaid = (values['billable'] ?? null) !== null;
  if (isSaid || (values['task_meta_id'] ?? null) === null || !isChanged('task_meta_id', values, before)) return {};
  const billable = await readBillable(transaction, values);
  return billable === undefined ? {} : { billable };
}
