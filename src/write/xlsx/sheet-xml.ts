/** The most characters that a cell holds. Unit: UTF-16 units. */
export const MAX_CELL_CHARACTERS = 32_767;

/**
 * What may not stand in XML as it is (marks, halves of surrogate pairs, control characters but tab and line feed), and what Excel
 * would read as an escape.
 */
const UNSAFE = /[<>&"\p{Cs}\ufffe\uffff]|[^\P{Cc}\t\n]|_(?=x[0-9A-Fa-f]{4}_)/gu;

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/**
 * A text for an element or an attribute. What XML can't hold (control characters, half of a surrogate pair) is written as _xHHHH_,
 * which Excel reads back as the character; a text that looks like that itself gets its underline written so.
 */
export function escapeXml(text: string): string {
  UNSAFE.lastIndex = 0;
  if (!UNSAFE.test(text)) return text;
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return ENTITIES[character] ?? `_x${code}_`;
  });
}

/** An XML part with its declaration. */
export function xmlPart(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${content}`;
}

/** The letters of a column. @param index From 0. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** A text that fits a cell: one that is too long ends with a mark that says how long it was. */
export function fitText(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text;
  const mark = `… [cut: ${text.length} characters in all]`;
  const kept = text.slice(0, MAX_CELL_CHARACTERS - mark.length);
  return kept.replace(/[\ud800-\udbff]$/, '') + mark;
}
