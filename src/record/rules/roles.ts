import { isObject } from '../../json-object.ts';
import { FIRST_DATE, type Items } from '../../resource/field.ts';
import { findResource } from '../../resource/resources.ts';
import { fieldFault, parseList, type Sent } from '../body.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { parseValue } from '../value.ts';
import { refuseHeld } from './held.ts';
import type { Rules } from './rules.ts';

const HISTORY = 'cost_rate_history';

const resource = findResource('roles');

const people = findResource('people');

export const roleRules: Rules = {
  own: [HISTORY],
  complete: async (_transaction, sent, before) => ({ ...sent.values, ...completeHistory(sent, before) }),
  async follow(transaction, after, before) {
    if (before && after['name'] !== before['name']) await renameJobs(transaction, after);
  },
  release: (transaction, before) => refuseHeld(transaction, resource, before),
};

async function renameJobs(transaction: Transaction, { role_id, name }: Row): Promise<void> {
  const holders = await transaction.records(people, { where: `role_id = ${role_id}` });
  await transaction.updateAll(people, holders, { job_title: name ?? null });
}

/** Applies a list, which replaces the history, or {add, del}, which changes entries by date. */
function completeHistory({ body }: Sent, before: Row | undefined): Row {
  const sent = body[HISTORY];
  if (sent === undefined) return {};
  if (!isObject(sent)) return { [HISTORY]: parseEntries('', sent) };
  const history = (before?.[HISTORY] ?? []) as Row[];
  const left = deleteEntries(history, sent['del']);
  const added = parseEntries('add: ', sent['add']);
  const bare = added.findIndex(({ rate }) => rate === null);
  if (bare >= 0) throw fieldFault(HISTORY, `add: item ${bare + 1}: rate: missing`);
  const kept = left.filter((entry) => !added.some((other) => dateOf(other) === dateOf(entry)));
  return { [HISTORY]: [...kept, ...added].sort((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1)) };
}

function parseEntries(place: string, sent: unknown): Row[] {
  const parsed = parseList(resource.lists[HISTORY] as Items, sent ?? []);
  if ('value' in parsed) return parsed.value as Row[];
  throw fieldFault(HISTORY, `${place}${parsed.fault}`);
}

/** @param dates Null: the entry without a date. */
function deleteEntries(history: readonly Row[], dates: unknown): readonly Row[] {
  const gone = parseDates(HISTORY, dates).map((date) => date ?? FIRST_DATE);
  const unknown = gone.find((date) => !history.some((entry) => dateOf(entry) === date));
  if (unknown !== undefined) throw fieldFault(HISTORY, `there is no rate from ${unknown}`);
  return history.filter((entry) => !gone.includes(dateOf(entry)));
}

/**
 * Parses the dates of a `del`.
 * @throws AppError input.
 */
export function parseDates(field: string, sent: unknown): (string | null)[] {
  if (sent === undefined) return [];
  if (!Array.isArray(sent)) throw fieldFault(field, 'del: not a list');
  return sent.map((each) => {
    const parsed = parseValue({ type: 'date' }, each);
    if ('value' in parsed) return parsed.value as string | null;
    throw fieldFault(field, `del: ${JSON.stringify(each)} is ${parsed.fault}`);
  });
}

/** Returns an entry's date; one without a date always applies (R3). */
function dateOf(entry: Row): string {
  return (entry['effective_date'] ?? FIRST_DATE) as string;
}
