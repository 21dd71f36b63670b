/** The longest text in a cell. Unit: UTF-16 units. */
export const MAX_CELL_CHARACTERS = 32_767;

/** Markup, control characters, lone surrogates, and text that Excel would read as an escape. */
const UNSAFE = /[<>&"\p{Cc}\p{Cs}\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  // A parser reads a raw tab or line break in an attribute as a blank.
  '\t': '&#9;',
  '\n': '&#10;',
};

/**
 * Escapes text for an element or an attribute.
 * Characters that XML can't hold become _xHHHH_, which Excel decodes; text of that form is escaped.
 */
export function escapeXml(text: string): string {
  UNSAFE.lastIndex = 0;
  if (!UNSAFE.test(text)) return text;
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return ENTITIES[character] ?? `_x${code}_`;
  });
}

export function xmlPart(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${content}`;
}

/**
 * Returns the letters of a column.
 * @param index From 0.
 */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** Shortens a text to fit a cell, with its full length as a mark at the end. */
export function fitText(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text;
  const mark = `… [cut: ${text.length} characters in all]`;
  const kept = text.slice(0, MAX_CELL_CHARACTERS - mark.length);
  return kept.replace(/[\ud800-\udbff]$/, '') + mark;
}
