/*
 * The columns that kinds of lines have in statements of sql/: those of all, those of their records, and the id of a line.
 */
import { type KindOfLines, type RecordColumn, readLineKinds } from './line-kinds.ts';

/** Returns SQL of the id of a line of a kind. @param relation The ledger's name in the statement. */
export function lineIdSql({ start, idColumns, record }: KindOfLines, relation?: string): string {
  const parts = idColumns.map((name) => {
    const column = relation === undefined ? name : `${relation}.${name}`;
    return name === record.name && record.type === 'VARCHAR' ? column : `CAST(${column} AS VARCHAR)`;
  });
  return `'${start}' || ${parts.join(" || ':' || ")}`;
}

/** The columns of the ledger that any kind has, besides that of its own record. */
const COMMON = [
  ...['date', 'people_id', 'role_id', 'project_id', 'phase_id', 'task_meta_id', 'task_id', 'status', 'billable'],
  ...['hours', 'cost_rate', 'cost_rate_source', 'cost', 'bill_rate', 'bill_rate_source', 'bill_rate_from', 'fee'],
];

/**
 * Puts what the kinds of lines say in the place of its names in a statement of sql/: `kinds.lines`, the lines of all kinds;
 * `kinds.records`, the columns of their records; `kinds.line_id`, the id of a line.
 */
export function replaceKinds(text: string, kinds: readonly KindOfLines[]): string {
  const lines = kinds.map((kind) => linesOf(kind, kinds, `\nORDER BY ${kind.sorted}`));
  const ids = kinds.map((kind) => `WHEN '${kind.name}' THEN ${lineIdSql(kind)}`);
  return replaceNames(text, kinds)
    .replaceAll(LINES, () => `(${lines.join('\nUNION ALL\n')})`)
    .replaceAll('kinds.line_id', () => `CASE kind ${ids.join(' ')} END`);
}

/**
 * Returns the statement of the lines of each kind alone, in no order, for a model of all; undefined for other models. Its conditions
 * reach the records, which an order would keep from them.
 */
export function partByKinds(text: string, kinds: readonly KindOfLines[]): ReadonlyMap<string, string> | undefined {
  if (!text.includes(LINES)) return undefined;
  const named = replaceNames(text, kinds);
  return new Map(kinds.map((kind) => [kind.name, named.replaceAll(LINES, () => `(${linesOf(kind, kinds)})`)]));
}

const LINES = 'kinds.lines';

function linesOf(kind: KindOfLines, kinds: readonly KindOfLines[], order = ''): string {
  const columns = [
    `pl_line_kind('${kind.name}') AS kind`,
    ...COMMON,
    ...recordsOf(kinds).map(({ name, type }) =>
      name === kind.record.name ? name : `CAST(NULL AS ${type}) AS ${name}`,
    ),
  ];
  return `SELECT ${columns.join(', ')} FROM (\n${kind.select}${order}) AS ${kind.name}_lines`;
}

function replaceNames(text: string, kinds: readonly KindOfLines[]): string {
  const names = recordsOf(kinds).map(({ name }) => name);
  return text.replaceAll('kinds.records', () => names.join(', '));
}

/** Returns the columns that only lines of one kind have: those of their records. */
export function recordColumns(): string[] {
  return recordsOf(readLineKinds()).map(({ name }) => name);
}

/** Returns the columns of records that not every line has. */
function recordsOf(kinds: readonly KindOfLines[]): RecordColumn[] {
  return kinds.map(({ record }) => record).filter(({ name }) => !COMMON.includes(name));
}
