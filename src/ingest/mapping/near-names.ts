/** A name that hardly differs from an earlier one, with another id. */
export interface NearName {
  readonly resource: string;
  readonly name: string;
  /** The earlier name. */
  readonly like: string;
}

/** A name that ids were made of. */
export interface MadeName {
  readonly resource: string;
  readonly name: string;
  readonly id: string;
}

/** Finds names that differ only by case, accents, punctuation or the order of their words: nothing is joined by likeness. */
export function findNearNames(names: Iterable<MadeName>): NearName[] {
  const first = new Map<string, MadeName>();
  const near: NearName[] = [];
  for (const each of names) {
    const key = `${each.resource}\n${foldName(each.name)}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, each);
    else if (earlier.id !== each.id) near.push({ resource: each.resource, name: each.name, like: earlier.name });
  }
  return near;
}

/** Formats a name with the line of a mapping that joins it to the one it is like. */
export function formatNearName({ resource, name, like }: NearName): string {
  return `names: {${resource}: {${JSON.stringify(name)}: ${JSON.stringify(like)}}}`;
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
