import { maskSecrets } from './secrets.ts';

/*
 * Text from outside (records, other services, files, command lines) may hold characters that command a terminal, or that
 * make a line look like another one. It is shown with such characters written out: a message as formatForeign gives it, and
 * everything else as the line that it is in is printed.
 */

/** The longest part of a foreign text in a message. Unit: characters. */
export const MAX_FOREIGN_CHARACTERS = 500;

/** The longest wrong value, path or name in a message. Unit: characters. */
export const MAX_SHOWN_CHARACTERS = 100;

/**
 * Matches characters that aren't seen as they are: controls, line separators, halves of characters, and those that change the
 * direction of others or have no width.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Matches characters that choose a form of the one before them, as in emoji and Japanese names. */
const VARIATION_SELECTOR = /^\p{Variation_Selector}$/u;

/** Matches characters that join or part the ones around them, as in emoji and in Persian and Indic words. */
const JOINER = /^[\u200c\u200d]$/;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Writes out the hidden characters of a text, line breaks too: ESC becomes \u001b, as in JSON. */
export function escapeLine(text: string): string {
  return text.replace(HIDDEN, (character, at: number) =>
    isSeen(text, character, at) ? character : writeOut(character),
  );
}

/** Writes out the hidden characters of a text other than line breaks. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeLine).join('\n');
}

/** Returns words as a line that is safe to print: hidden characters are escaped, line breaks too, and secrets masked. */
export function toSafeLine(text: string): string {
  return escapeLine(maskSecrets(text));
}

/**
 * Formats a value from outside for a message: with hidden characters written out, without secrets, and not too long.
 * @param value A text, or whatever stands in its place: another side may send anything.
 * @param maxCharacters Longer texts are cut off, and end in "…".
 */
export function formatForeign(value: unknown, maxCharacters = MAX_FOREIGN_CHARACTERS): string {
  // A part of a secret would no longer be found.
  const masked = maskSecrets(toText(value).trim());
  if (masked.length <= maxCharacters) return escapeLine(masked);
  return `${escapeLine(masked.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, ''))}…`;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? toJson(value) : String(value);
}

/** Formats JSON from outside; "…" where its lists are nested too deep to be written. */
function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}

/** True for a part of a character that is seen. Beside ASCII, a joiner only hides. */
function isSeen(text: string, character: string, at: number): boolean {
  if (VARIATION_SELECTOR.test(character)) return true;
  const isBetween = (text[at - 1] ?? '') > '\x7f' && (text[at + 1] ?? '') > '\x7f';
  return isBetween && JOINER.test(character);
}

function writeOut(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) =>
    character.charCodeAt(i).toString(16).padStart(4, '0'),
  );
  return SHORT[character] ?? units.map((unit) => `\\u${unit}`).join('');
}
