/** A part of a cell: the place of a digit, or a fixed text. */
type FormatPart = { readonly isDigit: true } | { readonly isDigit: false; readonly text: string };

/** A number format of zeros and fixed characters alone, such as 000 or 00-00-000, by which codes keep their form. */
export type ZeroFormat = readonly FormatPart[];

/** Characters that a format shows without quotes or a backslash. `/` is left out: between digits it makes a fraction. */
const FIXED = "-+(): !^&'~{}<>=$";

/** A language at the beginning of a format, which doesn't change digits. */
const LANGUAGE = /^\[\$-[0-9A-Fa-f]+\]/;

/** Parses a format code; undefined for one that has anything else than zeros and fixed characters. */
export function parseZeroFormat(code: string): ZeroFormat | undefined {
  const parts: FormatPart[] = [];
  const rest = code.replace(LANGUAGE, '');
  for (let at = 0; at < rest.length; at += 1) {
    const character = rest[at] ?? '';
    if (character === '0') parts.push({ isDigit: true });
    else if (character === '\\') {
      at += 1;
      parts.push({ isDigit: false, text: rest[at] ?? '' });
    } else if (character === '"') {
      const end = rest.indexOf('"', at + 1);
      if (end < 0) return undefined;
      parts.push({ isDigit: false, text: rest.slice(at + 1, end) });
      at = end;
    } else if (FIXED.includes(character)) parts.push({ isDigit: false, text: character });
    else return undefined;
  }
  return parts.some(({ isDigit }) => isDigit) ? parts : undefined;
}

/** Returns a whole number as its cell shows it: digits take the places from the right, further ones stand before the first place. */
export function formatZeros(format: ZeroFormat, digits: string): string {
  const places = format.filter(({ isDigit }) => isDigit).length;
  const padded = digits.padStart(places, '0');
  let next = padded.length - places;
  const further = padded.slice(0, next);
  let isFirst = true;
  return format
    .map((part) => {
      if (!part.isDigit) return part.text;
      const digit = padded[next] ?? '';
      next += 1;
      const shown = isFirst ? further + digit : digit;
      isFirst = false;
      return shown;
    })
    .join('');
}
