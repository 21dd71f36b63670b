import { isObject, MAX_BODY_DEPTH } from '../../../base/index.ts';
import type { Resource } from '../../../records/resource/index.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** A value of a form: a text, the texts of a list, or the members in brackets. */
type FormValue = string | string[] | Map<string, FormValue>;

/** A field: a name, and members of it in brackets. */
const FIELD = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/**
 * Parses a form.
 * A list is tags[]=a&tags[]=b or tags=a&tags=b, an object department[department_id]=3,
 * and a list of objects project_team[0][people_id]=5.
 * @throws Error saying what is wrong.
 */
export function parseForm(text: string): unknown {
  const form = new Map<string, FormValue>();
  for (const [field, value] of new URLSearchParams(text)) {
    const [, name, members = ''] = FIELD.exec(field) ?? [];
    if (name === undefined)
      throw new Error(`${JSON.stringify(field)} is not a field name; write name, name[] for a list, or name[member]`);
    const path = [...members.matchAll(/\[([^[\]]*)\]/g)].map(([, member = '']) => member);
    if (path.length >= MAX_BODY_DEPTH)
      throw new Error(`${JSON.stringify(name)} is nested more than ${MAX_BODY_DEPTH} levels deep`);
    putValue(form, [name, ...path], value, field);
  }
  return toObject(form);
}

/** Converts single values of list fields to lists, because a form can't mark a list of one value. */
export function spreadLists({ lists }: Resource, body: unknown): unknown {
  if (!isObject(body)) return body;
  const isLone = ([name, value]: [string, unknown]) =>
    Object.hasOwn(lists, name) && typeof value === 'string' && value !== '';
  return Object.fromEntries(Object.entries(body).map((entry) => [entry[0], isLone(entry) ? [entry[1]] : entry[1]]));
}

function putValue(at: Map<string, FormValue>, path: readonly string[], value: string, field: string): void {
  const [name = '', ...rest] = path;
  const there = at.get(name);
  const isList = rest.length === 1 && rest[0] === '';
  if (rest.length > 0 && !isList) {
    if (name === '' || rest[0] === '')
      throw new Error(
        `${JSON.stringify(field)}: [] is only allowed at the end; number the items, as in team[0][people_id]`,
      );
    const members = there ?? new Map<string, FormValue>();
    if (!(members instanceof Map)) throw new Error(`${JSON.stringify(field)} has both a value and members`);
    at.set(name, members);
    putValue(members, rest, value, field);
    return;
  }
  if (there instanceof Map) throw new Error(`${JSON.stringify(field)} has both a value and members`);
  if (Array.isArray(there)) there.push(value);
  else if (there !== undefined) at.set(name, [there, value]);
  else at.set(name, isList ? [value] : value);
}

function toObject(members: ReadonlyMap<string, FormValue>): unknown {
  return Object.fromEntries([...members].map(([name, value]) => [name, toValue(value)]));
}

/** Converts a value; members that are all numbered become a list in the order of their numbers. */
function toValue(value: FormValue): unknown {
  if (!(value instanceof Map)) return value;
  const names = [...value.keys()];
  if (!names.every((name) => /^\d{1,6}$/.test(name))) return toObject(value);
  return names.sort((one, other) => Number(one) - Number(other)).map((name) => toValue(value.get(name) as FormValue));
}
