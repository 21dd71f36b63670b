/** Splits the hours of a week at commas, without brackets around them. */
export function splitWeek(text: string): string[] {
  const [, inner = text] = /^\[(.*)\]$/s.exec(text) ?? [];
  return inner.split(',').map(trimSpaces);
}

/** Splits ids at commas; parses a JSON list instead, undefined if it isn't one. */
export function splitIds(text: string): unknown {
  if (text.startsWith('[')) return parseNested(text);
  const items = text.split(',').map(trimSpaces);
  return items.filter((item) => item !== '');
}

/** Returns a text without the spaces around it; tabs and line breaks stay. */
function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/** Formats a value as JSON; undefined if it is nested too deeply. */
export function tryStringify(sent: unknown): string | undefined {
  try {
    return JSON.stringify(sent);
  } catch {
    return undefined;
  }
}

/** Parses text that is a JSON list or object; undefined otherwise. */
export function parseNested(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
