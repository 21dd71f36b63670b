import { remembered } from '../mapping/remembered.ts';

/** The part of the headers that have to begin with one word for it to be the name of their table. */
const MOST = 0.6;

/** The fewest headers that tell the name of their table. */
const FEWEST_HEADERS = 3;

/** Splits a header into words in lower case: BillableStatus, billable_status and Billable-Status have two. */
export const headerWords: (header: string) => readonly string[] = remembered((header) =>
  header
    .normalize('NFC')
    .replaceAll(/(\p{Ll}|[0-9])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== ''),
);

/** Returns the words of each header, without the name of the table that most of them begin with: timesheet_cell_hours. */
export function splitHeaders(headers: readonly string[]): ReadonlyMap<string, readonly string[]> {
  let words = headers.map(headerWords);
  for (;;) {
    const first = commonFirst(words);
    if (first === undefined) break;
    words = words.map((each) => (each[0] === first && each.length > 1 ? each.slice(1) : each));
  }
  return new Map(headers.map((header, at) => [header, words[at] ?? []]));
}

/** Returns the first word of most headers, if something else follows in each. */
function commonFirst(words: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>();
  for (const [first, second] of words)
    if (first !== undefined && second !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
  const needed = Math.max(FEWEST_HEADERS, words.length * MOST);
  return [...counts].find(([, count]) => count >= needed)?.[0];
}
