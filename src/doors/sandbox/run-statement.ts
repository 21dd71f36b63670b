import {
  type Database,
  dateParameter,
  decimalParameter,
  type Parameters,
  quoteText,
  type Value,
} from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { RelationDescription } from '../registry/listed-relation.ts';
import { assertAdmitted, type ReadableNames } from './admission.ts';
import { giveListed } from './listed-relations.ts';
import type { ProcessReply, ProcessRequest, SqlParameter } from './protocol.ts';
import { isShowTables, writeShowTables } from './show-tables.ts';
import { assertGiven } from './sql-parameters.ts';
import { explainStatementError } from './statement-errors.ts';
import { findTraps } from './traps.ts';

/** Makes the statement a subquery, so that the engine stops at the limit around it. */
const PREFIX = 'SELECT * FROM (\n';

/** The most rows on a line of the result. Unit: rows. */
const ROWS_PER_LINE = 1000;

/**
 * Checks a statement and runs it.
 * @throws AppError usage when it is refused or fails, limit for too large a result or memory.
 */
export async function* runStatement(
  database: Database,
  { readable, relations }: { readonly readable: ReadableNames; readonly relations: readonly RelationDescription[] },
  request: ProcessRequest,
): AsyncIterable<ProcessReply> {
  const { maxRows, maxBytes } = request;
  // Trailing semicolons can't stand inside parentheses.
  const sent = request.sql.replace(/(?<![\s;])[\s;]+$/, '');
  const tree = await parseSql(database, sent);
  const sql = isShowTables(tree) ? writeShowTables(relations) : sent;
  const listed = await giveListed(database, relations, request.listed);
  if (sql === sent) assertAdmitted(tree, sql, readable, listed.names);
  assertGiven(tree, Object.keys(request.parameters));
  // One extra row shows that there are more.
  const prefix = listed.prefix + PREFIX;
  const limited = `${prefix}${sql}\n) LIMIT ${maxRows + 1}`;
  const result = await database.read(limited, bind(request.parameters)).catch((error: unknown) => {
    throw explainStatementError(error, sql, Buffer.byteLength(prefix));
  });
  yield {
    columns: result.names.map((name, index) => ({ name, type: result.types[index] ?? '' })),
    notes: findTraps(tree, sql),
  };
  let [rowCount, bytes] = [0, 0];
  for await (const chunk of result.chunks) {
    const rows = chunk.slice(0, maxRows - rowCount);
    rowCount += chunk.length;
    for (let start = 0; start < rows.length; start += ROWS_PER_LINE) {
      const part = rows.slice(start, start + ROWS_PER_LINE);
      bytes += part.reduce((sum, row) => sum + sizeOf(row), 0);
      if (bytes > maxBytes) throw largeAnswerError(maxBytes);
      yield { rows: part };
    }
  }
  const { user, system } = process.cpuUsage();
  yield { end: { isTruncated: rowCount > maxRows, cpuSeconds: (user + system) / 1e6 } };
}

export function largeAnswerError(maxBytes: number): AppError {
  return new AppError('limit', `The answer is larger than ${maxBytes.toLocaleString('en')} bytes`, {
    hint: 'Ask for fewer rows, or for fewer and shorter columns.',
  });
}

async function parseSql(database: Database, sql: string): Promise<Record<string, unknown>> {
  const [row] = await database.rows<{ tree: string }>(`SELECT json_serialize_sql(${quoteText(sql)}) AS tree`);
  return JSON.parse(row?.tree ?? '{}') as Record<string, unknown>;
}

function bind(parameters: Readonly<Record<string, SqlParameter>>): Parameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, toBound(parameter)]));
}

function toBound({ type, text }: SqlParameter) {
  if (type === 'null') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'number') return decimalParameter(text);
  return type === 'date' ? dateParameter(text) : text;
}

/** Estimates the size of a value in the result. Unit: bytes. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 3;
  if (value === null || typeof value !== 'object') return String(value).length + 1;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 3);
  return Object.entries(value).reduce((sum, [name, entry]) => sum + name.length + 3 + sizeOf(entry), 3);
}
