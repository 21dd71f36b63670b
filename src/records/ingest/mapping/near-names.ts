import { formatForeign } from '../../../base/index.ts';

/** A name that hardly differs from an earlier one with another id, or that another record has. */
export interface NearName {
  readonly resource: string;
  readonly name: string;
  /** The earlier name, or the id of the other record. */
  readonly like: string | number;
}

/** A name with its id, which is made of it or the id of a record that has it. */
export interface MadeName {
  readonly resource: string;
  readonly name: string;
  readonly id: string;
  /** The name that the id is made of, if it is made and of another one. */
  readonly madeOf?: string | undefined;
  /** True if the mapping says for what the name stands. */
  readonly isDecided: boolean;
}

/** A name that may be that of another record, or of several, which only a person can tell. */
export interface NameQuestion {
  readonly resource: string;
  readonly name: string;
  /** The names, or ids, of the records that it may be. */
  readonly like: readonly (string | number)[];
  /** The ids of the records, and that of the name. */
  readonly ids: readonly string[];
  /** The e-mail that they share; absent if it is the name. */
  readonly email?: string;
}

/** Finds names that differ only by case, accents, punctuation or the order of their words: nothing is joined by likeness. */
export function findNearNames(names: Iterable<MadeName>): NearName[] {
  const first = new Map<string, MadeName>();
  const near: NearName[] = [];
  for (const each of names) {
    const key = `${each.resource}\n${foldName(each.name)}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, each);
    else if (earlier.id !== each.id && !each.isDecided && mayBeOne(earlier, each))
      near.push({ resource: each.resource, name: each.madeOf ?? each.name, like: earlier.madeOf ?? earlier.name });
  }
  return near;
}

/** Tells whether two names could be one. The same name is another question, but for people who are told apart by more than their names. */
function mayBeOne(earlier: MadeName, each: MadeName): boolean {
  return earlier.name !== each.name || (each.resource === 'people' && each.madeOf !== undefined);
}

/** Formats a name with the line of a mapping that joins it to the one it is like. */
export function formatNearName({ resource, name, like }: NearName): string {
  return `names: {${resource}: {${JSON.stringify(name)}: ${JSON.stringify(like)}}}`;
}

/** Returns what a mapping calls a record: the name that its id is made of, or else its id. */
export function toLike({ id, madeOf }: Pick<MadeName, 'id' | 'madeOf'>): string | number {
  return madeOf ?? Number(id);
}

/** Formats a name that several records could have, with the lines of a mapping that decide. */
export function formatNameQuestion({ resource, name, like, email }: NameQuestion): string {
  const others = like.map((each) => (typeof each === 'number' ? `record ${each}` : formatForeign(each)));
  const [one, all] = [formatForeign(name), others.join(' and ')];
  const problem =
    email === undefined ? `${one} is the name of ${all}` : `${one} has the e-mail ${formatForeign(email)} of ${all}`;
  const lines = like.map((each) => formatNearName({ resource, name, like: each }));
  const own = formatNearName({ resource, name, like: name });
  return `${resource}: ${problem}: ${formatForeign(lines.join(' or '))} if they are one, ${formatForeign(own)} if it is another`;
}

/**
 * Folds a name: King, Ada is Ada King, and Acme GmbH is ACME Gmbh. A name without letters and digits stays as it is.
 * Words keep their order where one has a digit: Phase 1 Sprint 2 is not Phase 2 Sprint 1.
 */
function foldName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [name];
  return (/\p{N}/u.test(plain) ? words : words.sort()).join(' ');
}
