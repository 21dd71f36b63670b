import { readBody, type Sent } from './body.ts';
import { judgeRecord } from './judge.ts';
import type { Row } from './node.ts';
import type { Rules } from './rules/rules.ts';
import { refuseHiddenFields, refuseRevealingChanges } from './secrecy.ts';
import type { Shape } from './shape.ts';
import type { Transaction } from './storage/transaction.ts';

export interface Kind {
  /** The name in paths, if it is a view of a resource. Default: the resource's. */
  readonly name?: string;
  readonly shape: Shape;
  readonly rules: Rules;
}

/** Returns the name in paths, with underscores. */
export function nameOf({ name, shape }: Kind): string {
  return name ?? shape.resource.name;
}

/** Creates the records of a body: one, or several if the resource's rules split it. */
export async function createRecords(transaction: Transaction, kind: Kind, body: unknown): Promise<Row[]> {
  const { shape, rules } = kind;
  const sent = readBody(shape, body, rules.own);
  const rows: Row[] = [];
  for (const each of rules.split?.(sent) ?? [sent]) rows.push(await createRecord(transaction, kind, each));
  return rows;
}

async function createRecord(transaction: Transaction, { shape, rules }: Kind, sent: Sent): Promise<Row> {
  const completed = (await rules.complete?.(transaction, sent, undefined)) ?? sent.values;
  const values = { ...shape.defaults, ...withoutNulls(completed) };
  await judgeRecord(transaction, shape, values, undefined);
  const after = await transaction.insert(shape, values);
  await rules.follow?.(transaction, after, undefined, sent);
  return after;
}

/**
 * Changes the sent fields of a record.
 * @returns the changed record; undefined if the change deletes it.
 */
export async function updateRecord(
  transaction: Transaction,
  kind: Kind,
  id: string,
  body: unknown,
): Promise<Row | undefined> {
  const { shape, rules } = kind;
  const before = await transaction.get(shape, id);
  refuseHiddenFields(shape, body, transaction.writer);
  const sent = readBody(shape, body, rules.own, before);
  refuseRevealingChanges(shape, sent, before, transaction.writer);
  if (rules.isDeletedBy?.(sent)) {
    await removeRecord(transaction, kind, before);
    return undefined;
  }
  const values = (await rules.complete?.(transaction, sent, before)) ?? sent.values;
  await judgeRecord(transaction, shape, { ...before, ...values }, before);
  const after = await transaction.update(shape, before, values);
  await rules.follow?.(transaction, after, before, sent);
  return after;
}

/**
 * Deletes a record by id.
 * @throws AppError unknown if it doesn't exist, input if it may not be deleted.
 */
export async function deleteRecord(transaction: Transaction, kind: Kind, id: string): Promise<void> {
  await removeRecord(transaction, kind, await transaction.get(kind.shape, id));
}

async function removeRecord(transaction: Transaction, { shape, rules }: Kind, before: Row): Promise<void> {
  await rules.release?.(transaction, before);
  await transaction.remove(shape, [before]);
}

/** Drops nulls: in a new record they mean the default. */
function withoutNulls(values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
