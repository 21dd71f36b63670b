import type { Value } from '../../database/database.ts';
import { fieldFault, type Sent } from '../body.ts';
import { isAnyOf } from '../filters.ts';
import type { Node, Row } from '../node.ts';
import type { Shape } from '../shape.ts';

/** Fields of every answer that name the people of an allocation or a time off. */
export const PEOPLE_NAMES = ['people_id', 'people_ids'] as const;

/** The people whom a record concerns: its list if that names any, else its person (D6). */
export function peopleOf(row: Row | undefined): readonly Value[] {
  const list = (row?.['people_ids'] ?? []) as readonly Value[];
  const one = row?.['people_id'] ?? null;
  if (list.length > 0) return [...new Set(list)];
  return one === null ? [] : [one];
}

/**
 * What is written of the people who were sent: one person as people_id, several as people_ids, never both. A client may send back both as it
 * was given them, with one of them changed: that one counts.
 * @throws AppError input when both name people, and other ones.
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
    throw fieldFault('people_id', `${one} is not one of people_ids; send one of the two`);
  return people.length === 1
    ? { people_id: people[0] ?? null, people_ids: [] }
    : { people_id: null, people_ids: people };
}

/** The people as answers name them: people_ids names all, people_id the one that is alone. */
export function describePeople(row: Row): Record<string, Node> {
  const people = peopleOf(row);
  return { people_id: onlyOne(people) as Node, people_ids: people as Node };
}

/** SQL that is true of records that name one of some people; nobody is named by none. */
export function concernsAny({ id, lists }: Shape, text: string): string {
  const isAny = isAnyOf('people_id', { type: 'id' }, text);
  return `((people_id IS NOT NULL AND ${isAny}) OR ${id} IN (SELECT ${id} FROM source.${lists['people_ids']?.table} WHERE ${isAny}))`;
}

/** SQL of the person whom a record concerns alone, as answers show people_id. */
export function onlyPerson({ id, lists }: Shape): string {
  // A list is sorted by this over the table and over its page, so the record's own columns go by their bare names.
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
