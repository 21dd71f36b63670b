import type { Value } from '../../database.ts';
import { fieldFault, type Sent } from '../body.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../transaction.ts';
import type { Rules } from './rules.ts';

/** What a project spends apart from hours. */
export const expenseRules: Rules = { complete: completeExpense };

/** What the rules below are about: a record that breaks them already may be changed in anything else. */
const BILLED = ['billable', 'markup', 'project_id'] as const;

/** @throws AppError input for what can't be billed. */
async function completeExpense(transaction: Transaction, { values }: Sent, before: Row | undefined): Promise<Row> {
  const row = { ...before, ...values };
  const isJudged = BILLED.some((name) => (row[name] ?? null) !== (before?.[name] ?? null));
  if (!isJudged) return values;
  const isBillable = row['billable'] === true;
  if (!isBillable && Number(row['markup'] ?? 0) > 0)
    throw fieldFault('markup', 'only an expense that is billable has one');
  if (isBillable && (await isNonBillable(transaction, row['project_id'] ?? null)))
    throw fieldFault('billable', `the project ${row['project_id']} is not billable, so its expenses are not`);
  return values;
}

async function isNonBillable(transaction: Transaction, project: Value): Promise<boolean> {
  if (project === null) return false;
  const found = await transaction.rows(`SELECT 1 FROM source.projects WHERE project_id = ${project} AND non_billable`);
  return found.length > 0;
}
