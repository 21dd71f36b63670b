/** A request's parameters by name: each value's parts, split at commas and decoded. */
export type SentParameters = ReadonlyMap<string, readonly string[]>;

/**
 * Parses a URL's query string.
 * Splits before decoding, so that an encoded comma (%2C) stays in its value (4.1).
 * Repeated parameters are concatenated.
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

export function sentOf({ url }: { readonly url: string }): SentParameters {
  return parseQueryString(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
}

/** Returns a parameter's value as one text with its commas; undefined if it wasn't sent. */
export function textOf(sent: SentParameters, name: string): string | undefined {
  return sent.get(name)?.join(',');
}

/** Decodes like browsers: "+" is a space, and an invalid escape stays unchanged. */
function decode(text: string): string {
  return new URLSearchParams(`=${text}`).get('') ?? '';
}
