const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Returns the texts of the records in a list, each on one line and otherwise as sent: a parsed number
 * would be a binary float, which must not touch amounts (A4).
 * @param text Valid JSON: an array, or an object whose list `data` holds the records.
 */
export function recordTexts(text: string): string[] {
  const start = listStart(text);
  if (start < 0) return [];
  const texts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (isOpening(code)) depth += 1;
    else if (isClosing(code) && --depth === 0) {
      texts.push(text.slice(from, at));
      break;
    } else if (code === 44 && depth === 1) {
      texts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  const trimmed = texts.map((each) => each.trim());
  return (trimmed.length === 1 && trimmed[0] === '' ? [] : trimmed).map(onOneLine);
}

/** Returns the position of the list's bracket; negative if there is none. */
function listStart(text: string): number {
  const first = /\S/.exec(text);
  if (first === null || first[0] === '[') return first?.index ?? -1;
  let depth = 0;
  for (let at = first.index; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      const list =
        depth === 1 && text.slice(at, end + 1) === '"data"' ? /^\s*:\s*\[/.exec(text.slice(end + 1, end + 64)) : null;
      if (list) return end + list[0].length;
      at = end;
    } else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) depth -= 1;
  }
  return -1;
}

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function isOpening(code: number): boolean {
  return code === 91 || code === 123;
}

function isClosing(code: number): boolean {
  return code === 93 || code === 125;
}

/** Joins lines. Strings in JSON contain no line breaks, so nothing is lost. */
function onOneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  return text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
