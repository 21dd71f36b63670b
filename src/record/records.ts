import { readBody, type Sent } from './body.ts';
import { judgeRecord } from './judge.ts';
import type { Row } from './node.ts';
import type { Rules } from './rules/rules.ts';
import { refuseHiddenFields, refuseRevealingChanges } from './secrecy.ts';
import type { Shape } from './shape.ts';
import type { Transaction } from './storage/transaction.ts';

/** A resource with all that is known of it. */
export interface Kind {
  /** Its name in paths, of a view of a resource. Default: the resource's. */
  readonly name?: string;
  readonly shape: Shape;
  readonly rules: Rules;
}

/** Returns the name of a kind of records in paths, with underscores. */
export function nameOf({ name, shape }: Kind): string {
  return name ?? shape.resource.name;
}

/** Creates what a body says: one record, or several where the resource's rules make several of it. */
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

/** Changes a record by what a body says, and nothing else of it. @returns it as it is now; undefined when that deletes it. */
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

/** Deletes the record of an id. @throws AppError unknown when there is none, input when it may not be deleted. */
export async function deleteRecord(transaction: Transaction, kind: Kind, id: string): Promise<void> {
  await removeRecord(transaction, kind, await transaction.get(kind.shape, id));
}

async function removeRecord(transaction: Transaction, { shape, rules }: Kind, before: Row): Promise<void> {
  await rules.release?.(transaction, before);
  await transaction.remove(shape, [before]);
}

/** What is sent as null stands for what isn't sent: of a new record, the default. */
function withoutNulls(values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
