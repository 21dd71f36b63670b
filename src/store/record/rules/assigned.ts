import type { Value } from '../../../base/database/index.ts';
import type { Resource } from '../../../records/resource/index.ts';
import { fieldFault, type Sent } from '../body.ts';
import { isAnyOf } from '../filters.ts';
import type { Node, Row } from '../node.ts';

/** Fields in answers that name the people of an allocation or a time off. */
export const PEOPLE_NAMES = ['people_id', 'people_ids'] as const;

/** Returns a record's people: its list if that isn't empty, else its single person (D6). */
export function peopleOf(row: Row | undefined): readonly Value[] {
  const list = (row?.['people_ids'] ?? []) as readonly Value[];
  const one = row?.['people_id'] ?? null;
  if (list.length > 0) return [...new Set(list)];
  return one === null ? [] : [one];
}

/**
 * Returns the values to store: one person as people_id, several as people_ids, never both.
 * A client may send back both with only one changed: the changed one wins.
 * @throws AppError input when both are changed and differ.
 */
export function choosePeople({ values }: Sent, before: Row | undefined): Row {
  const were = peopleOf(before);
  const one = values['people_id'];
  const list = values['people_ids'] as readonly Value[] | undefined;
  const isOneSaid = one !== undefined && one !== onlyOne(were);
  const isListSaid = list !== undefined && !isSamePeople(list, were);
  if (!isOneSaid && !isListSaid) return {};
  const people = isListSaid && list.length > 0 ? [...new Set(list)] : isOneSaid && one !== null ? [one] : [];
  if (isOneSaid && one !== null && !people.includes(one))
    throw fieldFault('people_id', `${one} is not in people_ids; send only one of the two`);
  return people.length === 1
    ? { people_id: people[0] ?? null, people_ids: [] }
    : { people_id: null, people_ids: people };
}

/** Describes the people in answers: people_ids lists all, people_id is set if there is only one. */
export function describePeople(row: Row): Record<string, Node> {
  const people = peopleOf(row);
  return { people_id: onlyOne(people) as Node, people_ids: people as Node };
}

/** Formats an SQL condition: the record has one of the people. An empty id matches no record. */
export function concernsAny({ id, lists }: Resource, text: string): string {
  const isAny = isAnyOf('people_id', { type: 'id' }, text);
  return `((people_id IS NOT NULL AND ${isAny}) OR ${id} IN (SELECT ${id} FROM source.${lists['people_ids']?.table} WHERE ${isAny}))`;
}

/** Returns the SQL of a record's only person, as answers show people_id. */
export function onlyPerson({ id, lists }: Resource): string {
  // Lists sort the table and the page by this, so the record's columns have no prefix.
  return `(SELECT CASE count(DISTINCT listed_person) WHEN 0 THEN people_id WHEN 1 THEN max(listed_person) END
    FROM (SELECT ${id} AS listed_id, people_id AS listed_person FROM source.${lists['people_ids']?.table}) AS listed
    WHERE listed_id = ${id})`;
}

function onlyOne(people: readonly Value[]): Value {
  return people.length === 1 ? (people[0] ?? null) : null;
}

function isSamePeople(some: readonly Value[], others: readonly Value[]): boolean {
  const set = new Set(some);
  return set.size === others.length && others.every((id) => set.has(id));
}
