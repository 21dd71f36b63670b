/** The item of a list that matches a missing value. */
export const MISSING = 'none';

/** Splits a list at its commas. An item may have a comma of its own, or be the word none, with a backslash before it. */
export function splitItems(text: string): string[] {
  const items: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ',') {
      items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, text.slice(start)];
}

/** Returns the text that an item stands for. */
export function readItem(item: string): string {
  return item === `\\${MISSING}` ? MISSING : item.replaceAll(/\\([\\,])/g, '$1');
}

/** Returns the item that stands for a text. */
export function writeItem(text: string): string {
  return text === MISSING ? `\\${MISSING}` : text.replaceAll(/[\\,]/g, '\\$&');
}

/** Returns the text of a list of items, which keep their commas. */
export function joinItems(items: readonly string[]): string {
  return items.map((item) => item.replaceAll(/\\.?|,/gs, escapePiece)).join(',');
}

/** Adds a backslash to a comma that would split its item, and to a last backslash, which would join it to the next. */
function escapePiece(piece: string): string {
  return piece.length === 1 ? `\\${piece}` : piece;
}
