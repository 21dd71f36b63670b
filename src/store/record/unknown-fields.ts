import { isObject } from '../../base/index.ts';
import { type InnerList, type Items, innerLists } from '../../records/resource/index.ts';
import { plainField } from './node.ts';
import type { ServedResource } from './records.ts';
import { servedResources } from './served-resources.ts';
import { hasTimeOfDay } from './value.ts';
import { shownNames } from './view.ts';

/** Members of a body that changes a list: {add, set, del}. */
const ACTIONS = ['add', 'set', 'del'] as const;

/** Members of the tag objects that some clients send; only the name counts. */
const TAG_MEMBERS = ['name'];

/**
 * Returns a body's unknown names (4.1), each once; those of list items as list.field, a time of day as date.time.
 * Computed names and those of answers are known: a client may send back a whole answer.
 */
export function unknownFields(resource: ServedResource, body: unknown): string[] {
  if (!isObject(body)) return [];
  const known = knownNames(resource);
  const parts = knownMembers(resource);
  const names = Object.entries(body).flatMap(([name, value]) => {
    if (!known.has(name)) return [name];
    const inner = unknownParts(resource, name, value, parts.get(name));
    return inner.map((member) => `${name}.${member}`);
  });
  return [...new Set(names)];
}

function knownNames(resource: ServedResource): Set<string> {
  const { rules } = resource;
  return new Set([
    ...Object.keys(resource.fields),
    ...knownMembers(resource).keys(),
    ...Object.values(resource.fields).flatMap(({ from = [] }) => from.filter((path) => !path.includes('.'))),
    ...(rules.own ?? []),
    ...shownNames(resource, true),
    ...Object.keys(rules.schemas?.body ?? {}),
  ]);
}

/** Returns the members of objects that fields are read from: department_id and name of department. */
function knownMembers(resource: ServedResource): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const path of Object.values(resource.fields).flatMap(({ from = [] }) => from)) {
    const [head = '', member] = path.split('.');
    if (member !== undefined) members.set(head, [...(members.get(head) ?? []), member]);
  }
  return members;
}

function unknownParts(
  resource: ServedResource,
  name: string,
  value: unknown,
  members: readonly string[] | undefined,
): string[] {
  const field = resource.fields[name];
  if (field && hasTimeOfDay(field, value)) return ['time'];
  if (members && isObject(value)) return Object.keys(value).filter((member) => !members.includes(member));
  const items = resource.lists[name];
  if (items) return unknownMembers(items, value, innerLists(resource, name));
  const nested = servedResources.get(resource.nested?.[name] ?? '');
  return nested && Array.isArray(value) ? value.flatMap((item) => unknownFields(nested, item)) : [];
}

/** Returns the unknown names in a list's items, or in an object that changes the list. */
function unknownMembers(items: Items, value: unknown, inner: readonly InnerList[]): string[] {
  // Names of entries are dates, which are checked as values.
  if (items.shape === 'entries') return [];
  const known = plainField(items.fields)
    ? TAG_MEMBERS
    : [...Object.keys(items.fields), ...inner.map(({ field }) => field)];
  const ofItems = (list: unknown) =>
    (Array.isArray(list) ? list : []).filter(isObject).flatMap((item) => {
      return Object.keys(item).filter((member) => !known.includes(member));
    });
  if (!isObject(value)) return ofItems(value);
  const others = Object.keys(value).filter((action) => !(ACTIONS as readonly string[]).includes(action));
  return [...others, ...ACTIONS.flatMap((action) => ofItems(value[action]))];
}
