import type { Value } from '../../base/database/index.ts';
import type { ErrorCode, FieldError } from '../../base/index.ts';
import type { ListedRows } from './listed-relations.ts';

/** A typed value of a named parameter, as text, so that a number keeps all its digits. */
export interface SqlParameter {
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'null';
  readonly text: string;
}

/** A column of a result, with its DuckDB type, such as DECIMAL(18,4). */
export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}

/** A statement sent to the process, as one line. */
export interface ProcessRequest {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, SqlParameter>>;
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly listed: ListedRows;
}

export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly fields: readonly FieldError[];
}

/** A line from the process: ready once, then per request begun, and columns, rows and end, or error. */
export type ProcessReply =
  | { readonly ready: { readonly dataVersion: string } }
  | { readonly begun: true }
  | { readonly columns: readonly ResultColumn[]; readonly notes: readonly string[] }
  | { readonly rows: readonly (readonly Value[])[] }
  | { readonly end: { readonly isTruncated: boolean; readonly cpuSeconds: number } }
  | { readonly error: SentError };

/**
 * Encodes a reply as one line of JSON.
 * Large integers and structs in a row become objects with the one key `integer` or `struct`.
 * Numbers that aren't finite, and large integers inside lists and structs, become text.
 */
export function encodeReply(reply: ProcessReply): string {
  const encoded = 'rows' in reply ? { rows: reply.rows.map((row) => row.map(encodeValue)) } : reply;
  return `${JSON.stringify(encoded)}\n`;
}

export function decodeReply(line: string): ProcessReply {
  const reply = JSON.parse(line) as ProcessReply;
  return 'rows' in reply ? { rows: reply.rows.map((row) => row.map(decodeCell)) } : reply;
}

function encodeValue(value: Value): unknown {
  if (typeof value === 'bigint') return { integer: String(value) };
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(encodeValue);
  return { struct: Object.entries(value).map(([name, entry]) => [name, encodeValue(entry)]) };
}

function decodeCell(value: unknown): Value {
  const isInteger = value !== null && typeof value === 'object' && 'integer' in value;
  return isInteger ? BigInt(String(value.integer)) : decodeValue(value);
}

function decodeValue(value: unknown): Value {
  if (value === null || typeof value !== 'object') return value as Value;
  if (Array.isArray(value)) return value.map(decodeValue);
  const { integer, struct = [] } = value as { integer?: string; struct?: [string, unknown][] };
  return integer ?? Object.fromEntries(struct.map(([name, entry]) => [name, decodeValue(entry)]));
}
