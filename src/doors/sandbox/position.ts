/** Formats a byte's position in a statement, such as " (line 2, column 8)"; empty if unknown. */
export function formatPosition(sql: string, offsetBytes: unknown): string {
  const offset = typeof offsetBytes === 'string' ? Number(offsetBytes) : offsetBytes;
  const bytes = Buffer.from(sql);
  if (typeof offset !== 'number' || !(offset >= 0 && offset <= bytes.length)) return '';
  const before = bytes.toString('utf8', 0, offset).split('\n');
  return ` (line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1})`;
}
