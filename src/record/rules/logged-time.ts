import { fieldFault, type Sent } from '../body.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../transaction.ts';
import { readBillable } from './project-tasks.ts';
import type { Rules } from './rules.ts';

/** The hours that people say they worked. */
export const loggedTimeRules: Rules = {
  complete: completeTime,
  isDeletedBy: ({ values }) =>
    values['hours'] !== undefined && Number(values['hours']) === 0 && values['hours'] !== null,
  release: async (_transaction, before) => refuseLocked(before),
};

async function completeTime(transaction: Transaction, sent: Sent, before: Row | undefined): Promise<Row> {
  const { values } = sent;
  const changed = Object.keys(values).filter((name) => isChanged(name, values, before));
  if (before && changed.length > 0 && !isUnlocking(changed, values)) refuseLocked(before);
  const isNewThere = !before || PLACES.some((name) => changed.includes(name));
  if (isNewThere) await refuseCanceled(transaction, { ...before, ...values });
  return { ...values, ...(await chooseBillable(transaction, values, before)) };
}

/** What says which project a record is of (D8). */
const PLACES = ['project_id', 'task_id', 'task_meta_id'] as const;

function isChanged(name: string, values: Row, before: Row | undefined): boolean {
  return (values[name] ?? null) !== (before?.[name] ?? null);
}

/** Who may write may unlock: by itself, so that nobody changes a locked record by the way. */
function isUnlocking(changed: readonly string[], values: Row): boolean {
  return changed.length === 1 && changed[0] === 'locked' && values['locked'] === false;
}

function refuseLocked(before: Row): void {
  if (before['locked'] !== true) return;
  throw fieldFault('locked', 'this record is locked; unlock it first, by a change of locked to 0 alone');
}

/** @throws AppError input for time on a canceled project. */
async function refuseCanceled(transaction: Transaction, row: Row): Promise<void> {
  const [project, task, projectTask] = PLACES.map((name) => String(row[name] ?? 'NULL'));
  const key = `open ${project} ${task} ${projectTask}`;
  if (transaction.known.has(key)) return;
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

/** Who doesn't say whether time is billable means that its project task does. */
async function chooseBillable(transaction: Transaction, values: Row, before: Row | undefined): Promise<Row> {
  const isSaid = (values['billable'] ?? null) !== null;
  if (isSaid || (values['task_meta_id'] ?? null) === null || !isChanged('task_meta_id', values, before)) return {};
  const billable = await readBillable(transaction, values);
  return billable === undefined ? {} : { billable };
}
