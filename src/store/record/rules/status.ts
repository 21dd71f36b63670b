import { findResource } from '../../../records/resource/index.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { dayOfWrite } from './company-day.ts';

const [TENTATIVE, CONFIRMED, COMPLETED, CANCELED] = [1, 2, 3, 4];

/**
 * Keeps a project's status, stage and tentative flag consistent.
 * The stage takes precedence, then the status; a status alone picks its first stage.
 */
export async function completeStatus(transaction: Transaction, values: Row, before: Row | undefined): Promise<Row> {
  const stage = values['stage_id'] ?? null;
  if (stage !== null && !isEcho(values, before)) {
    const staged = await readStage(transaction, stage);
    return staged === null ? {} : describeStatus(staged, stage);
  }
  const status = chooseStatus(values, before);
  if (before && status === before['status']) return { tentative: status === TENTATIVE };
  const isLeft = values['stage_id'] === null && (before?.['stage_id'] ?? null) !== null;
  return describeStatus(status, isLeft ? null : await findStage(transaction, status));
}

/**
 * Copies the status of a project or a phase to its parts (4.2).
 * 3 completes them and 4 cancels them; others apply to parts neither completed nor canceled.
 * Canceled parts stay canceled.
 * @param parts The resources of the parts.
 * @param where SQL condition that selects the parts.
 */
export async function cascadeStatus(
  transaction: Transaction,
  parts: readonly ('phases' | 'tasks')[],
  where: string,
  { status = null }: Row,
  before: Row | undefined,
): Promise<void> {
  if (!before || status === null || status === (before['status'] ?? CONFIRMED)) return;
  const closed = status === COMPLETED || status === CANCELED ? [CANCELED, status] : [COMPLETED, CANCELED, status];
  for (const part of parts) {
    const resource = findResource(part);
    const open = `${where} AND COALESCE(status, ${CONFIRMED}) NOT IN (${closed.join(', ')})`;
    const records = await transaction.records(resource, { where: open });
    const isDated = (record: Row) => part === 'phases' && !keepsDay(status, record);
    const completedOn = status === COMPLETED && records.some(isDated) ? await dayOfWrite(transaction) : null;
    await transaction.updateAll(resource, records.filter(isDated), { status, completed_on: completedOn });
    await transaction.updateAll(
      resource,
      records.filter((record) => !isDated(record)),
      { status },
    );
  }
}

/**
 * Returns the day on which a project or a phase was completed, if a request completes it or opens it again.
 * A day that the request changes stands.
 * @param values The status, which is known already, and the day sent.
 */
export async function completeDay(transaction: Transaction, values: Row, before: Row | undefined): Promise<Row> {
  const { status = before?.['status'] ?? null, completed_on = null } = values;
  if (values['completed_on'] !== undefined && completed_on !== (before?.['completed_on'] ?? null)) return {};
  if (keepsDay(status, before)) return {};
  return { completed_on: status === COMPLETED ? await dayOfWrite(transaction) : null };
}

/** Returns whether a new status leaves the day of completion as it is: one given before the completion stands. */
function keepsDay(status: Row[string], before: Row | undefined): boolean {
  if (status === COMPLETED) return before?.['status'] === COMPLETED || (before?.['completed_on'] ?? null) !== null;
  return before?.['status'] !== COMPLETED;
}

function describeStatus(status: number, stage_id: Row[string]): Row {
  return { status, stage_id, tentative: status === TENTATIVE };
}

/** Returns the status; a client may send back both fields with only `tentative` changed. */
function chooseStatus({ status = null, tentative = null }: Row, before: Row | undefined): number {
  const was = (before?.['status'] ?? null) as number | null;
  if (status !== null && status !== was) return Number(status);
  if (tentative === true) return tentative === before?.['tentative'] ? (was ?? TENTATIVE) : TENTATIVE;
  if (tentative === false && was === TENTATIVE) return CONFIRMED;
  return was ?? CONFIRMED;
}

/** Returns whether a client only sends back the current stage and status. */
function isEcho(values: Row, before: Row | undefined): boolean {
  if (!before || values['stage_id'] !== before['stage_id']) return false;
  return (values['status'] ?? before['status']) === before['status'];
}

async function readStage(transaction: Transaction, stage: Row[string]): Promise<number | null> {
  const [found] = await transaction.rows<{ status: number | null }>(
    `SELECT status FROM source.project_stages WHERE stage_id = ${stage}`,
  );
  return found?.status ?? null;
}

async function findStage(transaction: Transaction, status: number): Promise<number | null> {
  const [first] = await transaction.rows<{ stage_id: number }>(
    `SELECT stage_id FROM source.project_stages WHERE status = ${status} ORDER BY sort_order NULLS LAST, stage_id LIMIT 1`,
  );
  return first?.stage_id ?? null;
}
