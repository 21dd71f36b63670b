import stringWidth from 'string-width';

/** The narrowest column. Unit: characters. */
export const MIN_WIDTH = 9;

/** The height of a line of text. Unit: points. */
export const LINE_POINTS = 15;

/** The widths of the characters from space to tilde in bold Calibri, 16 in a line. Unit: hundredths of a regular digit. */
// biome-ignore format: a table by code.
const BOLD_WIDTHS = [
  45, 64, 87, 98, 100, 144, 139, 46, 61, 61, 98, 98, 51, 60, 53, 85,
  100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 54, 54, 98, 98, 98, 91,
  177, 120, 111, 104, 124, 96, 91, 126, 124, 53, 65, 108, 83, 172, 130, 133,
  105, 135, 111, 93, 98, 129, 117, 179, 109, 103, 94, 64, 85, 64, 98, 98,
  59, 97, 106, 83, 106, 99, 62, 94, 106, 48, 50, 95, 48, 161, 106, 106,
  106, 106, 70, 79, 68, 106, 93, 147, 91, 93, 78, 68, 94, 68, 98,
];

/** Calibri as some programs round it, and DejaVu Sans, its widest substitute, relative to Calibri. */
const [NARROW_FONT, WIDE_FONT] = [0.96, 1.12];

/** The difference between the widths tried for one column. Unit: digits. */
const ROOM_STEP = 0.1;

/** Returns the least width, from a given one, in which no line of a header ends after a hyphen. Unit: characters. */
export function widthOfWholeWords(header: string, least: number): number {
  let width = least;
  while (splitsWord(header, width - 1)) width += 1;
  return width;
}

/** Tests whether a line may end after a hyphen or a dash, where spreadsheets break lines, in one font or another. */
function splitsWord(header: string, width: number): boolean {
  const pieces = header.split(/(?<=[ –-])/).map((text) => ({
    whole: boldWidth(text),
    visible: boldWidth(text.trimEnd()),
    isPart: /[–-]$/.test(text),
  }));
  for (let room = width / WIDE_FONT; room <= width / NARROW_FONT; room += ROOM_STEP) {
    let [used, isPart] = [0, false];
    for (const piece of pieces) {
      if (used + piece.visible > room) {
        if (isPart) return true;
        used = 0;
      }
      used += piece.whole;
      isPart = piece.isPart;
    }
  }
  return false;
}

/** Returns the width of a header in bold Calibri. Unit: characters. */
export function boldWidth(header: string): number {
  let width = 0;
  for (const character of header) {
    const known = BOLD_WIDTHS[(character.codePointAt(0) ?? 0) - 32];
    width += known === undefined ? stringWidth(character) : known / 100;
  }
  return width;
}

export function wrappedLines(text: string, width: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(' ')) {
    const length = stringWidth(word);
    if (used > 0 && used + 1 + length > width) {
      lines += 1;
      used = 0;
    }
    lines += Math.max(0, Math.ceil(length / width) - 1);
    used += (used > 0 ? 1 : 0) + (length > width ? length % width : length);
  }
  return lines;
}

/**
 * Returns the height of a row of wrapped texts. Unit: points.
 * @param room The width in each column that text can't use.
 */
export function wrappedHeight(texts: readonly string[], widths: readonly number[], room = 0): number {
  const lines = texts.map((text, i) => wrappedLines(text, Math.max(1, (widths[i] ?? MIN_WIDTH) - room)));
  return Math.max(1, ...lines) * LINE_POINTS;
}
