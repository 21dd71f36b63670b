import type { Value } from '../../../base/database/index.ts';
import { AppError, isObject } from '../../../base/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import { fieldFault, type Sent } from '../body.ts';
import type { Row } from '../node.ts';
import { createRecords } from '../records.ts';
import { ratesError } from '../secrecy.ts';
import type { Transaction } from '../storage/transaction.ts';
import type { Rules } from './rules.ts';

export const expenseRules: Rules = { complete: completeExpense };

/** Fields checked below; a record that already violates the rules may change in other fields. */
const BILLED = ['billable', 'markup', 'project_id'] as const;

/** @throws AppError input for an expense that can't be billed. */
async function completeExpense(transaction: Transaction, { values }: Sent, before: Row | undefined): Promise<Row> {
  const row = { ...before, ...values };
  const isJudged = BILLED.some((name) => (row[name] ?? null) !== (before?.[name] ?? null));
  if (!isJudged) return values;
  const isBillable = row['billable'] === true;
  if (!isBillable && Number(row['markup'] ?? 0) !== 0)
    throw fieldFault('markup', 'only a billable expense can have one');
  if (isBillable && (await isNonBillable(transaction, row['project_id'] ?? null)))
    throw fieldFault('billable', `project ${row['project_id']} is not billable, so its expenses cannot be`);
  return values;
}

/**
 * Checks a project that becomes non-billable.
 * @throws AppError input when it has billable expenses.
 */
export async function refuseBillableExpenses(transaction: Transaction, project: Value): Promise<void> {
  const [{ count = 0 } = {}] = await transaction.rows<{ count: number }>(
    `SELECT count(*) AS count FROM source.project_expenses WHERE project_id = ${project} AND billable`,
  );
  if (count > 0)
    throw fieldFault(
      'non_billable',
      `some expenses of the project are billable (${count}); set their billable to 0 first`,
    );
}

/**
 * Checks a project that becomes billable.
 * A dataset may contain billable expenses of a non-billable project: their fees, 0 so far, would
 * reveal their costs.
 * @throws AppError forbidden when it has some and the writer can't see costs.
 */
export async function keepFeesHidden(transaction: Transaction, { project_id }: Row): Promise<void> {
  if (transaction.writer.seesRates) return;
  const found = await transaction.rows(
    `SELECT 1 FROM source.project_expenses WHERE project_id = ${project_id} AND billable LIMIT 1`,
  );
  if (found.length > 0)
    throw ratesError('non_billable', 'the fees of its billable expenses could then reveal their cost');
}

/**
 * Creates the expenses listed in the body of a new project.
 * @throws AppError input naming each error's position in the list.
 */
export async function createExpenses(transaction: Transaction, project: Value, list: unknown): Promise<void> {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw fieldFault('expenses', 'not a list');
  const resource = { ...findResource('project_expenses'), rules: expenseRules };
  for (const [index, item] of list.entries()) {
    const body: unknown = isObject(item) ? { ...item, project_id: project } : item;
    await createRecords(transaction, resource, body).catch((error: unknown) => {
      throw placeFault(error, `expenses[${index + 1}]`);
    });
  }
}

/** Names the place of a record in a list in the faults of its fields. */
export function placeFault(error: unknown, place: string): unknown {
  if (!(error instanceof AppError)) return error;
  const fields = error.fields.map(({ field, message }) => ({
    field: field === 'body' ? place : `${place}.${field}`,
    message: `${place}: ${message}`,
  }));
  return new AppError('input', fields.map(({ message }) => message).join('; '), { fields });
}

async function isNonBillable(transaction: Transaction, project: Value): Promise<boolean> {
  if (project === null) return false;
  const found = await transaction.rows(`SELECT 1 FROM source.projects WHERE project_id = ${project} AND non_billable`);
  return found.length > 0;
}
