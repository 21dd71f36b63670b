/** Where in a statement a byte stands, for the end of a message: " (line 2, column 8)"; nothing where that isn't known. */
export function formatPosition(sql: string, offsetBytes: unknown): string {
  const offset = typeof offsetBytes === 'string' ? Number(offsetBytes) : offsetBytes;
  const bytes = Buffer.from(sql);
  if (typeof offset !== 'number' || !(offset >= 0 && offset <= bytes.length)) return '';
  const before = bytes.toString('utf8', 0, offset).split('\n');
  return ` (line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1})`;
}
