export interface SqlColumn {
  readonly name: string;
  readonly expression: string;
}

export function aliased({ name, expression }: SqlColumn): string {
  return `${expression} AS "${name}"`;
}

export function list(...parts: readonly (readonly string[])[]): string {
  return parts.flat().join(', ');
}

/** Returns a GROUP BY clause; empty without columns, which makes all rows one group. */
export function groupBy(columns: readonly string[]): string {
  return columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : '';
}
