import { collectFaults, type Faults } from '../../base/index.ts';
import { ownLists } from '../../records/resource/index.ts';
import type { SentParameters } from './query-string.ts';
import type { ServedResource } from './records.ts';
import { formatLiteral } from './storage/record-sql.ts';

export interface View {
  /** Names of top-level fields; undefined shows all. */
  readonly fields: readonly string[] | undefined;
  readonly expand: readonly string[];
  /** Unknown parameters, and unknown names in `fields` and `expand` (4.1). */
  readonly ignored: readonly string[];
}

const VIEW_PARAMETERS: ReadonlySet<string> = new Set(['fields', 'expand']);

/**
 * Parses the parameters of an answer with one record.
 * @throws AppError usage naming every invalid parameter.
 */
export function parseView(resource: ServedResource, sent: SentParameters, seesRates: boolean): View {
  const faults = collectFaults();
  const view = readView(resource, sent, seesRates, faults);
  faults.throwAll();
  const unknown = [...sent.keys()].filter((name) => !VIEW_PARAMETERS.has(name));
  return { ...view, ignored: [...unknown, ...view.ignored] };
}

/** Parses `fields` and `expand`, ignoring other parameters. */
export function readView(resource: ServedResource, sent: SentParameters, seesRates: boolean, faults: Faults): View {
  return chooseNames(sent, shownNames(resource, seesRates), expandNames(resource, seesRates), faults);
}

/** Parses `fields` and `expand` of answers that have these names. */
export function chooseNames(
  sent: SentParameters,
  shown: readonly string[],
  expands: readonly string[],
  faults: Faults,
): View {
  const read = (parameter: string, known: ReadonlySet<string>) => {
    const names = faults.collect(parameter, () => splitNames(sent.get(parameter) ?? [])) ?? [];
    return { known: names.filter((name) => known.has(name)), unknown: names.filter((name) => !known.has(name)) };
  };
  const fields = sent.has('fields') ? read('fields', new Set(shown)) : undefined;
  const expand = sent.has('expand') ? read('expand', new Set(expands)) : undefined;
  return {
    fields: fields?.known,
    expand: expand?.known ?? [],
    ignored: [...(fields?.unknown ?? []), ...(expand?.unknown ?? [])],
  };
}

/** Returns the top-level names in answers: fields, lists and computed fields. */
export function shownNames(resource: ServedResource, seesRates: boolean): string[] {
  const { rules } = resource;
  const names = [
    ...Object.keys(resource.fields),
    ...Object.keys(resource.aliases),
    ...ownLists(resource).map(([name]) => name),
    ...(rules.present?.names ?? []),
    ...Object.keys(rules.expands ?? {}),
  ];
  return [...new Set(names)].filter((name) => isShown(resource, name, seesRates));
}

export function expandNames(resource: ServedResource, seesRates: boolean): string[] {
  const names = [...resource.expanded, ...Object.keys(resource.rules.expands ?? {})];
  return [...new Set(names)].filter((name) => isShown(resource, name, seesRates));
}

export function isShown(resource: ServedResource, name: string, seesRates: boolean): boolean {
  return !resource.unshown.includes(name) && (seesRates || !resource.needsRates.includes(name));
}

export function sqlOfField(resource: ServedResource, name: string): string {
  const standard = resource.defaults[name];
  const field = resource.fields[name];
  return standard === undefined || !field ? name : `COALESCE(${name}, ${formatLiteral(field, standard)})`;
}

/**
 * Splits a list of names, at encoded commas (%2C) too, since no name has one.
 * @throws Error if a name is empty.
 */
export function splitNames(parts: readonly string[]): string[] {
  const names = parts.flatMap((part) => part.split(',')).map((name) => name.trim());
  if (names.includes('')) throw new Error('a name is empty');
  return names;
}
