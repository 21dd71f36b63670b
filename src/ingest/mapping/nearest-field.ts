/** The part of a name that is compared with others. Unit: characters. */
const COMPARED_CHARACTERS = 40;

/**
 * Returns the name that is most like a given one; undefined if none is close.
 * Case, blanks and underscores don't count, and one of three characters may differ.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = foldHeader(given).slice(0, COMPARED_CHARACTERS);
  let [nearest, least]: [string | undefined, number] = [undefined, Math.floor(wanted.length / 3) + 1];
  for (const name of names) {
    const distance = editDistance(wanted, foldHeader(name).slice(0, COMPARED_CHARACTERS));
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Folds a header: lower case, without blanks around it, and with one underscore for blanks and underscores. */
export function foldHeader(header: string): string {
  return header
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '_');
}

/** Returns the fewest characters to insert, delete or replace that make one text the other. */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const row = [at + 1];
    for (let place = 0; place < other.length; place += 1) {
      const replaced = (above[place] ?? 0) + (one[at] === other[place] ? 0 : 1);
      row.push(Math.min(replaced, (above[place + 1] ?? 0) + 1, (row[place] ?? 0) + 1));
    }
    above = row;
  }
  return above.at(-1) ?? 0;
}
