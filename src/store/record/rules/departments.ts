import { findResource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import type { Transaction } from '../storage/transaction.ts';
import { refuseHeld } from './held.ts';
import type { Rules } from './rules.ts';

export const departmentRules: Rules = {
  async complete(transaction, { values }, before) {
    const parent = values['parent_id'] ?? null;
    if (before && parent !== null) await refuseCircle(transaction, Number(before['department_id']), Number(parent));
    return values;
  },
  release: (transaction, before) => refuseHeld(transaction, findResource('departments'), before),
};

/** @throws AppError input when a department would be its own ancestor. */
async function refuseCircle(transaction: Transaction, department: number, parent: number): Promise<void> {
  const above = await transaction.rows(`
    WITH RECURSIVE above AS (
      SELECT CAST(${parent} AS BIGINT) AS department_id
      UNION
      SELECT departments.parent_id
      FROM source.departments
      JOIN above ON above.department_id = departments.department_id
      WHERE departments.parent_id IS NOT NULL
    )
    SELECT department_id FROM above WHERE department_id = ${department}`);
  if (above.length > 0) throw fieldFault('parent_id', `${parent} is department ${department} itself, or below it`);
}
