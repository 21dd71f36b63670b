import type { Resource } from '../../resource/resource.ts';
import { cleanName, type NameCorrections } from './made-ids.ts';
import { failUnknown, type YamlValue } from './yaml-reader.ts';

/** The names that a name may stand for, one after the other. Unit: names. */
export const MAX_NAMES_IN_A_ROW = 100;

/**
 * Reads the names that stand for others: a new name of a person with the earlier one, or a name with its id. One that stands for itself
 * is a record of its own.
 * @throws AppError input for names that stand for each other, or an id that is none.
 */
export function readCorrections(value: YamlValue, resources: readonly Resource[]): NameCorrections {
  const known = resources.map(({ name }) => name);
  return new Map(
    value.entries().map(([resource, names]) => {
      if (!known.includes(resource)) failUnknown(names, resource, known);
      const given = new Map(names.entries().map(([name, target]) => [cleanName(name), readTarget(target)]));
      const ends = names
        .entries()
        .map(([name, each]) => [cleanName(name), followName(cleanName(name), given, each)] as const);
      return [resource, new Map(ends)];
    }),
  );
}

function readTarget(value: YamlValue): string | number {
  const { value: target } = value;
  if (typeof target === 'string' && cleanName(target) !== '') return cleanName(target);
  if (typeof target === 'number' && Number.isSafeInteger(target) && target > 0) return target;
  return value.fail(`is ${String(target)}`, 'Write the earlier name, or an id of 1 or more.');
}

/** Follows a name to its first one, or to its id. */
function followName(name: string, given: ReadonlyMap<string, string | number>, place: YamlValue): string | number {
  const passed = new Set<string>();
  let at: string | number = name;
  while (typeof at === 'string') {
    if (passed.has(at)) return place.fail('stands for itself in the end', 'Name the earliest name, or an id.');
    if (passed.size === MAX_NAMES_IN_A_ROW)
      return place.fail('stands for too many names in a row', 'Name the earliest name, or an id.');
    passed.add(at);
    const next = given.get(at);
    if (next === undefined || next === at) return at;
    at = next;
  }
  return at;
}
