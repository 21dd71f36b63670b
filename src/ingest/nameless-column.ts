/**
 * Returns the name of a column without a header: its number, which no header may have as its text.
 * @param place Counted from 0.
 */
export function nameColumn(place: number, headers: ReadonlySet<string>): string {
  let name = `column ${place + 1}`;
  while (headers.has(name)) name += ' without a header';
  return name;
}
