/** Quotes a text as an SQL literal, or as an expression if it holds U+0000, which ends a statement. */
export function quoteText(text: string): string {
  const parts = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? String(parts[0]) : `(${parts.join(' || chr(0) || ')})`;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns SQL of a column of moments in UTC as texts that name their zone. */
export function zoned(column: string): string {
  return `strftime(${column}, '%Y-%m-%dT%H:%M:%SZ')`;
}
