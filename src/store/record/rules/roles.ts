import { FIRST_DATE } from '../../../base/calendar/index.ts';
import { isObject } from '../../../base/index.ts';
import { findResource, type Items } from '../../../records/resource/index.ts';
import { fieldFault, parseList, type Sent } from '../body.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { BILL_RATE_FIELDS, completeBillRates, presentCurrentRate } from './bill-rates.ts';
import { parseDates } from './dates.ts';
import { refuseHeld } from './held.ts';
import type { Rules } from './rules.ts';

const HISTORY = 'cost_rate_history';

const resource = findResource('roles');

const people = findResource('people');

export const roleRules: Rules = {
  own: [HISTORY, ...BILL_RATE_FIELDS],
  complete: async (_transaction, sent, before) => ({
    ...completeBillRates(resource, sent, before),
    ...completeHistory(sent, before),
  }),
  async follow(transaction, after, before) {
    if (before && after['name'] !== before['name']) await renameJobs(transaction, after);
  },
  release: (transaction, before) => refuseHeld(transaction, resource, before),
  present: { names: ['current_hourly_rate'], read: presentCurrentRate },
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

/** Returns an entry's date; one without a date always applies (R3). */
function dateOf(entry: Row): string {
  return (entry['effective_date'] ?? FIRST_DATE) as string;
}
