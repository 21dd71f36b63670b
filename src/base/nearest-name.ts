/** The longest text that is compared with names. Unit: characters. */
const MAX_COMPARED_CHARACTERS = 40;

/** The most characters that differ in a text that is taken for a name, as a share of it. */
const DIFFERING_SHARE = 0.4;

/** The most names that an error lists whole. */
const MAX_LISTED_WHOLE = 40;

/** The names that an error lists of more than that. */
const LISTED_NEAREST = 8;

/**
 * Returns the name that a text differs least from; undefined if it resembles none.
 * @param fold Drops what doesn't count. Default: lower case.
 */
export function nearestName(
  text: string,
  names: readonly string[],
  fold: (name: string) => string = (name) => name.toLowerCase(),
): string | undefined {
  if (text.length > MAX_COMPARED_CHARACTERS) return undefined;
  const folded = fold(text);
  let [found, least]: [string | undefined, number] = [undefined, Math.floor(text.length * DIFFERING_SHARE) + 1];
  for (const name of names) {
    const distance = countEdits(folded, fold(name));
    if (distance < least) [found, least] = [name, distance];
  }
  return found;
}

/**
 * Returns the end of a message about an unknown name: the question whether it means the one that it resembles most, if any.
 * @param mark What stands before a name where it is written, such as the dashes of a flag.
 */
export function askNearest(text: string, names: readonly string[], mark = ''): string {
  const nearest = nearestName(text, names);
  return nearest === undefined ? '' : ` (did you mean ${mark}${nearest}?)`;
}

/**
 * Lists the names that a text may have meant, with commas, and asks whether it means the nearest: all; of many, those that
 * contain it or are near, then the first.
 */
export function listNames(text: string, names: readonly string[]): string {
  return `${listSome(text, names)}${names.length > 1 ? askNearest(text, names) : ''}`;
}

function listSome(text: string, names: readonly string[]): string {
  if (names.length <= MAX_LISTED_WHOLE) return names.join(', ');
  const folded = text.slice(0, MAX_COMPARED_CHARACTERS).toLowerCase();
  const distanceOf = (name: string) => {
    if (name.toLowerCase().includes(folded)) return 0;
    const distance = countEdits(folded, name.toLowerCase());
    return distance <= folded.length * DIFFERING_SHARE ? distance : MAX_COMPARED_CHARACTERS;
  };
  const ranked = names.map((name) => ({ name, distance: distanceOf(name) }));
  const nearest = ranked.toSorted((one, other) => one.distance - other.distance).slice(0, LISTED_NEAREST);
  return `${nearest.map(({ name }) => name).join(', ')} and ${names.length - LISTED_NEAREST} others`;
}

/** Returns the least number of characters to insert, remove or exchange to turn one text into another. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const exchanged = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
