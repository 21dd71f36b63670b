export interface JsonBounds {
  readonly maxValues: number;
  readonly maxDepth: number;
}

/** A measure of a JSON text that comes in pieces. */
export interface JsonMeter {
  /** Measures the next piece. @returns the bound that the text exceeds; undefined while it exceeds none. */
  add(piece: string): keyof JsonBounds | undefined;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/**
 * Opens a measure that finds texts with too many values, or too deeply nested lists and objects, before they are parsed:
 * parsed values take up to a hundred times the bytes of their text.
 */
export function openJsonMeter({ maxValues, maxDepth }: JsonBounds): JsonMeter {
  let [values, depth] = [1, 0];
  let isInString = false;
  /** True if the piece before ended in a string with a backslash that escapes the next character. */
  let isEscaped = false;

  /** Returns the position after a string that continues in this piece. */
  const endString = (piece: string, start: number): number => {
    let from = start;
    if (isEscaped && from < piece.length) {
      from += 1;
      isEscaped = false;
    }
    for (let end = piece.indexOf('"', from); end >= 0; end = piece.indexOf('"', end + 1)) {
      if (countBackslashes(piece, from, end) % 2 === 1) continue;
      isInString = false;
      return end + 1;
    }
    isEscaped ||= countBackslashes(piece, from, piece.length) % 2 === 1;
    return piece.length;
  };

  return {
    add(piece) {
      for (let at = isInString ? endString(piece, 0) : 0; at < piece.length; at += 1) {
        const code = piece.charCodeAt(at);
        if (code === QUOTE) {
          isInString = true;
          at = endString(piece, at + 1) - 1;
        } else if (code === COMMA) values += 1;
        else if (code === 91 || code === 123) {
          values += 1;
          depth += 1;
          if (depth > maxDepth) return 'maxDepth';
        } else if (code === 93 || code === 125) depth -= 1;
      }
      return values > maxValues ? 'maxValues' : undefined;
    },
  };
}

function countBackslashes(piece: string, from: number, end: number): number {
  let count = 0;
  while (end - 1 - count >= from && piece.charCodeAt(end - 1 - count) === BACKSLASH) count += 1;
  return count;
}
