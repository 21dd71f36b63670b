import { formatJson, type Node, type Row } from '../node.ts';
import { describeRows } from '../read.ts';
import { createRecords, deleteRecord, updateRecord } from '../records.ts';
import type { Transaction } from '../storage/transaction.ts';
import type { PlannedAnswer, PlannedAnswers } from './answer-references.ts';
import type { PlannedChange } from './planned-change.ts';

/**
 * Makes a change as the service would, with its rules.
 * @param answers Those of the changes before.
 * @returns its answer.
 * @throws AppError as the service, and as PlannedAnswers.
 */
export async function runPlannedChange(
  transaction: Transaction,
  change: PlannedChange,
  answers: Pick<PlannedAnswers, 'resolve'>,
): Promise<PlannedAnswer> {
  const rows = await changeRecords(transaction, change, answers);
  const view = { fields: undefined, expand: [] };
  const records = await describeRows(transaction, change.resource, rows, view, transaction.writer.seesRates);
  const node: Node | undefined = records.length > 1 ? records : records[0];
  return node === undefined ? undefined : JSON.parse(formatJson(node));
}

async function changeRecords(
  transaction: Transaction,
  { does, resource, id: sentId, body: sent }: PlannedChange,
  answers: Pick<PlannedAnswers, 'resolve'>,
): Promise<readonly Row[]> {
  const body = answers.resolve(sent, 'body');
  if (does === 'create') return createRecords(transaction, resource, body);
  const id = String(answers.resolve(sentId, 'path'));
  if (does === 'update') {
    const row = await updateRecord(transaction, resource, id, body);
    return row ? [row] : [];
  }
  await deleteRecord(transaction, resource, id);
  return [];
}
