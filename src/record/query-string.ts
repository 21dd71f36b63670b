/** The parameters of a request by name: the parts of each value, split at its commas and decoded. */
export type SentParameters = ReadonlyMap<string, readonly string[]>;

/**
 * Parses what follows the "?" of a URL. Values are split before they are decoded, so that a comma written %2C belongs to its value (4.1). A
 * parameter given several times has the parts of all its values.
 */
export function parseQueryString(text: string): SentParameters {
  const sent = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const name = decode(pair.slice(0, end));
    const parts = sent.get(name) ?? [];
    parts.push(
      ...pair
        .slice(end + 1)
        .split(',')
        .map(decode),
    );
    sent.set(name, parts);
  }
  return sent;
}

/** Returns the value of a parameter as one text, commas and all; undefined when it wasn't sent. */
export function textOf(sent: SentParameters, name: string): string | undefined {
  return sent.get(name)?.join(',');
}

/** Decodes as browsers do: "+" is a space, and an escape that is none stays as it is. */
function decode(text: string): string {
  return new URLSearchParams(`=${text}`).get('') ?? '';
}
