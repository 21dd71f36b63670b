import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { fieldFault, type Sent } from '../body.ts';
import type { Row } from '../node.ts';
import { createRecords } from '../records.ts';
import { ratesError } from '../secrecy.ts';
import { findShape } from '../shape.ts';
import type { Transaction } from '../storage/transaction.ts';
import { isObject } from '../value.ts';
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

/** To be called for a project that is to be not billable. @throws AppError input when it has expenses that are. */
export async function refuseBillableExpenses(transaction: Transaction, project: Value): Promise<void> {
  const [{ count = 0 } = {}] = await transaction.rows<{ count: number }>(
    `SELECT count(*) AS count FROM source.project_expenses WHERE project_id = ${project} AND billable`,
  );
  if (count > 0)
    throw fieldFault('non_billable', `${count} expenses of the project are billable; set their billable to 0 first`);
}

/**
 * To be called for a project that is to become billable. A dataset may have billable expenses of a project that isn't: their fees, which are 0
 * until then, tell what they cost.
 * @throws AppError forbidden when it has some and the writer doesn't see costs.
 */
export async function keepFeesHidden(transaction: Transaction, { project_id }: Row): Promise<void> {
  if (transaction.writer.seesRates) return;
  const found = await transaction.rows(
    `SELECT 1 FROM source.project_expenses WHERE project_id = ${project_id} AND billable LIMIT 1`,
  );
  if (found.length > 0) throw ratesError('non_billable', 'the fees of its billable expenses may then tell their cost');
}

/** Creates the expenses that the body of a new project lists. @throws AppError input naming what is wrong by its place in the list. */
export async function createExpenses(transaction: Transaction, project: Value, list: unknown): Promise<void> {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw fieldFault('expenses', 'not a list');
  const kind = { shape: findShape('project_expenses'), rules: expenseRules };
  for (const [index, item] of list.entries()) {
    const body: unknown = isObject(item) ? { ...item, project_id: project } : item;
    await createRecords(transaction, kind, body).catch((error: unknown) => {
      throw placeFault(error, `expenses[${index + 1}]`);
    });
  }
}

/** The error of one item, as an error of the whole. */
function placeFault(error: unknown, place: string): unknown {
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
