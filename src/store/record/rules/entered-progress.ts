import { findResource } from '../../../records/resource/index.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import type { Rules } from './rules.ts';

const progress = findResource('progress');

/** The two ways to say how far the work is. */
const MEASURES = ['percent', 'remaining_hours'] as const;

export const progressRules: Rules = {
  complete: async (_transaction, { values }) => ({ ...emptiedBy(values), ...values }),
};

/** Returns the measure that a change empties, as it gives the other one. */
function emptiedBy(values: Row): Row {
  const given = MEASURES.filter((name) => (values[name] ?? null) !== null);
  if (given.length === 0) return {};
  return Object.fromEntries(MEASURES.filter((name) => !given.includes(name)).map((name) => [name, null]));
}

/** Deletes the entries of a place that is no more. @param where SQL over the entries. */
export async function removeProgress(transaction: Transaction, where: string): Promise<void> {
  await transaction.remove(progress, await transaction.records(progress, { where }));
}
