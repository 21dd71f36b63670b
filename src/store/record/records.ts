import type { Resource } from '../../records/resource/index.ts';
import { readBody, type Sent } from './body.ts';
import type { Row } from './node.ts';
import { validateRecord } from './record-validation.ts';
import type { Rules } from './rules/rules.ts';
import { refuseHiddenFields, refuseRevealingChanges } from './secrecy.ts';
import type { Transaction } from './storage/transaction.ts';

export interface ServedResource extends Resource {
  readonly rules: Rules;
}

/** Creates the records of a body: one, or several if the resource's rules split it. */
export async function createRecords(transaction: Transaction, resource: ServedResource, body: unknown): Promise<Row[]> {
  const { rules } = resource;
  const sent = readBody(resource, body, rules.own);
  const rows: Row[] = [];
  for (const each of rules.split?.(sent) ?? [sent]) rows.push(await createRecord(transaction, resource, each));
  return rows;
}

async function createRecord(transaction: Transaction, resource: ServedResource, sent: Sent): Promise<Row> {
  const { rules } = resource;
  const completed = (await rules.complete?.(transaction, sent, undefined)) ?? sent.values;
  const values = { ...resource.defaults, ...withoutNulls(completed) };
  await validateRecord(transaction, resource, values, undefined);
  const after = await transaction.insert(resource, values);
  await rules.follow?.(transaction, after, undefined, sent);
  return after;
}

/**
 * Changes the sent fields of a record.
 * @returns the changed record; undefined if the change deletes it.
 */
export async function updateRecord(
  transaction: Transaction,
  resource: ServedResource,
  id: string,
  body: unknown,
): Promise<Row | undefined> {
  const { rules } = resource;
  const before = await transaction.get(resource, id);
  refuseHiddenFields(resource, body, transaction.writer);
  const sent = readBody(resource, body, rules.own, before);
  refuseRevealingChanges(resource, sent, before, transaction.writer);
  if (rules.isDeletedBy?.(sent)) {
    await removeRecord(transaction, resource, before);
    return undefined;
  }
  const values = (await rules.complete?.(transaction, sent, before)) ?? sent.values;
  await validateRecord(transaction, resource, { ...before, ...values }, before);
  const after = await transaction.update(resource, before, values);
  await rules.follow?.(transaction, after, before, sent);
  return after;
}

/**
 * Deletes a record by id.
 * @throws AppError unknown if it doesn't exist, input if it may not be deleted.
 */
export async function deleteRecord(transaction: Transaction, resource: ServedResource, id: string): Promise<void> {
  await removeRecord(transaction, resource, await transaction.get(resource, id));
}

async function removeRecord(transaction: Transaction, resource: ServedResource, before: Row): Promise<void> {
  await resource.rules.release?.(transaction, before);
  await transaction.remove(resource, [before]);
}

/** Drops nulls: in a new record they mean the default. */
function withoutNulls(values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
