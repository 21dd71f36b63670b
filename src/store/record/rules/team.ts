import type { Value } from '../../../base/database/index.ts';
import { isObject } from '../../../base/index.ts';
import { findResource, type Items, innerLists, type Resource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import { joinInner, type Row, splitInner } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';
import { parseValue } from '../value.ts';
import { changeRates } from './bill-rates.ts';
import { createPlaceholder, findHeldRole } from './placeholders.ts';

export type Member = Row;

/** The sent fields of a member, with its dated rates as they were sent. */
type Item = Row;

interface TeamChange {
  readonly set: readonly Item[] | undefined;
  readonly add: readonly Item[];
  readonly del: readonly number[];
}

export type TeamField = 'project_team' | 'phase_team';

/**
 * Applies a body to a team; undefined if the body doesn't mention it.
 * Creates a placeholder of the role for each item without a person.
 * @throws AppError input.
 */
export async function completeTeam(
  transaction: Transaction,
  field: TeamField,
  sent: unknown,
  team: readonly Member[],
): Promise<Member[] | undefined> {
  if (sent === undefined) return undefined;
  const change = readChange(field, sent);
  const kept = change.set ? [] : deleteMembers(field, team, change);
  const members = [...kept];
  for (const item of change.set ?? change.add) {
    const people_id = item['people_id'] ?? (await createPlaceholder(transaction, field, Number(item['role_id'])));
    const member = { ...item, people_id };
    const place = members.findIndex((other) => isOneMember(other, member));
    // Fields that weren't sent keep the member's current values.
    const before = team.find((other) => isOneMember(other, member));
    const whole: Member = { ...EMPTY, ...before, ...member, ...memberRates(field, item, before) };
    // A loaded team may have a role that nobody holds, which a client sends back.
    const isNewRole = whole['role_id'] !== null && whole['role_id'] !== before?.['role_id'];
    if (isNewRole && item['people_id']) await findHeldRole(transaction, field, Number(whole['role_id']));
    if (place < 0) members.push(whole);
    else members[place] = whole;
  }
  return members;
}

export function findRemoved(before: readonly Member[], after: readonly Member[]): number[] {
  const left = new Set(after.map(({ people_id }) => people_id));
  const were = before.flatMap(({ people_id }) => (typeof people_id === 'number' ? [people_id] : []));
  return [...new Set(were)].filter((id) => !left.has(id));
}

export function teamOf(record: Row | undefined, field: TeamField): Member[] {
  return record ? joinInner(resourceOf(field), field, record) : [];
}

/**
 * Removes people from the teams of the selected records.
 * @param where SQL condition that selects records.
 */
export async function leaveTeam(
  transaction: Transaction,
  field: TeamField,
  people: readonly number[],
  where = 'TRUE',
): Promise<void> {
  if (people.length === 0) return;
  const resource = resourceOf(field);
  const isNamed = `${resource.id} IN (SELECT ${resource.id} FROM source.${field} WHERE people_id IN (${people.join(', ')}))`;
  for (const record of await transaction.records(resource, { where: `${isNamed} AND ${where}` })) {
    const left = teamOf(record, field).filter(({ people_id }) => !people.includes(Number(people_id)));
    await transaction.update(resource, record, splitInner(resource, field, left));
  }
}

const EMPTY: Member = { people_id: null, role_id: null, hourly_rate: null };

function resourceOf(field: TeamField): Resource {
  return findResource(field === 'project_team' ? 'projects' : 'phases');
}

/** Returns the dated rates of a member: as they are, if the item has none. */
function memberRates(field: TeamField, { rates: sent }: Item, before: Member | undefined): Row {
  const [inner] = innerLists(resourceOf(field), field);
  if (sent === undefined || !inner) return {};
  const were = (before?.[inner.field] ?? []) as Row[];
  const items: Items = { ...(resourceOf(field).lists[inner.list] as Items), fields: inner.fields };
  return { [inner.field]: changeRates(items, `${field}.${inner.field}`, were, sent) ?? [] };
}

/** Reads a change: a list or {set} is the complete team; without set, {add, del} changes it. */
function readChange(field: TeamField, sent: unknown): TeamChange {
  if (!isObject(sent)) return { set: readItems(field, '', sent ?? []), add: [], del: [] };
  const unknown = Object.keys(sent).find((name) => !['add', 'set', 'del'].includes(name));
  if (unknown !== undefined) throw fieldFault(field, `${unknown} is not one of add, set, del`);
  const { set, add = [], del = [] } = sent;
  if (set !== undefined && set !== null) return { set: readItems(field, 'set: ', set), add: [], del: [] };
  return {
    set: undefined,
    add: readItems(field, 'add: ', add),
    del: readItems(field, 'del: ', del).map(({ people_id }) => {
      if (typeof people_id === 'number') return people_id;
      throw fieldFault(field, 'del: an item has no people_id');
    }),
  };
}

/** Reads members, sent as people's ids or as objects. */
function readItems(field: TeamField, place: string, sent: unknown): Item[] {
  if (!Array.isArray(sent)) throw fieldFault(field, `${place}not a list`);
  return sent.map((item, index) => {
    const read = readItem(field, isObject(item) ? item : { people_id: item });
    if (typeof read !== 'string') return read;
    throw fieldFault(field, `${place}item ${index + 1}: ${read}`);
  });
}

/** @returns the error as a text. */
function readItem(field: TeamField, sent: Readonly<Record<string, unknown>>): Item | string {
  const resource = resourceOf(field);
  const { fields } = resource.lists[field] as Items;
  const item: Record<string, Row[string]> = {};
  for (const [name, type] of Object.entries(fields)) {
    if (sent[name] === undefined) continue;
    const parsed = parseValue(type, sent[name]);
    if (!('value' in parsed)) return `${name}: ${parsed.fault}`;
    item[name] = parsed.value;
  }
  for (const { field: inner } of innerLists(resource, field)) {
    if (sent[inner] !== undefined) item[inner] = sent[inner] as Value;
  }
  const hasNobody = (item['people_id'] ?? null) === null;
  return hasNobody && (item['role_id'] ?? null) === null ? 'it has neither people_id nor role_id' : item;
}

function deleteMembers(field: TeamField, team: readonly Member[], { add, del }: TeamChange): Member[] {
  const strange = del.find((id) => !team.some(({ people_id }) => people_id === id));
  if (strange !== undefined) throw fieldFault(field, `del: ${strange} is not in the team`);
  const both = del.find((id) => add.some(({ people_id }) => people_id === id));
  if (both !== undefined) throw fieldFault(field, `${both} is both in add and in del`);
  return team.filter(({ people_id }) => !del.includes(Number(people_id)));
}

/** Compares person and phase: a person may be in a project and in each of its phases. */
export function isOneMember(one: Member, other: Member): boolean {
  return one['people_id'] === other['people_id'] && (one['phase_id'] ?? null) === (other['phase_id'] ?? null);
}
