import { findResource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import type { Rules } from './rules.ts';

const timeoffs = findResource('timeoffs');

export const timeoffTypeRules: Rules = { follow: renameTimeoffs, release: refuseWhileUsed };

async function renameTimeoffs(transaction: Transaction, after: Row, before: Row | undefined): Promise<void> {
  if (!before || before['timeoff_type_name'] === after['timeoff_type_name']) return;
  const typed = await transaction.records(timeoffs, { where: `timeoff_type_id = ${after['timeoff_type_id']}` });
  await transaction.updateAll(timeoffs, typed, { timeoff_type_name: after['timeoff_type_name'] ?? null });
}

async function refuseWhileUsed(transaction: Transaction, before: Row): Promise<void> {
  const id = before['timeoff_type_id'];
  const [{ count = 0 } = {}] = await transaction.rows<{ count: number }>(
    `SELECT count(*) AS count FROM source.timeoffs WHERE timeoff_type_id = ${id}`,
  );
  if (count > 0)
    throw fieldFault(
      'timeoff_type_id',
      `time off records still have type ${id} (${count}); give them another type first`,
    );
}
