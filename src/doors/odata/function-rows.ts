import { isFailure, quoteName, type Value } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { columnProperty } from '../../numbers/condition/index.ts';
import type { Table } from '../../numbers/report/catalogue/index.ts';
import { runTold } from '../../numbers/report/insights/insights.ts';
import { LINE_ORDER } from '../../numbers/report/request/number.ts';
import { openStatements, selectTyped, UNIT_TYPES } from '../../numbers/write/index.ts';
import { findStates, openStates, parseAsked, type Turn, versionOf } from '../../store/ask/index.ts';
import { policyOf } from '../http/protocol/semaphores.ts';
import type { ServerParts } from '../http/protocol/server-parts.ts';
import type { ReportFunction } from './report-functions.ts';
import type { RowSource } from './row-source.ts';

export interface FunctionCall {
  readonly called: ReportFunction;
  /** The arguments as parameters of the report. */
  readonly sent: Readonly<Record<string, string>>;
  /** The version of the page before. */
  readonly version: string | undefined;
}

export interface FunctionResult {
  readonly source: RowSource;
  /** The version of the result: of the data, of today, and of the cutoff, which may be that of a closing. */
  readonly version: string;
  readonly dataVersion: string;
  /** Keeps the data readable for the next page. */
  readonly hold: (() => void) | undefined;
  /** Reads rows. Other reports may then be computed, while these are sent. */
  read(sql: string): Promise<Value[][]>;
}

/** Runs a report in a turn with the permits of a report, and returns its rows to select from until the turn ends. */
export async function openResult(
  turn: Turn,
  parts: ServerParts,
  { called, sent, version }: FunctionCall,
): Promise<FunctionResult> {
  const { states, catalogues } = parts;
  const request = { report: called.report, sent, isExact: false, version };
  const asked = await findStates(states, catalogues, request, turn);
  const { context, finish } = await openStates(turn, asked, policyOf(parts));
  const { company, today } = context;
  const query = parseAsked(catalogues, called.report, asked.sent, context);
  const table = await runTold(context, query);
  const { statements, columns, close } = await openStatements(table);
  turn.atEnd(close);
  const [statement = ''] = statements.slice(Number.POSITIVE_INFINITY);
  const typed = selectTyped(statement, columns, ({ unit }) => UNIT_TYPES[unit]);
  return {
    source: makeSource(called, table, typed, query.selection.report.sort ?? []),
    version: [...versionOf(company, asked.beside), today, query.selection.cutoffDate].join(' '),
    dataVersion: company.dataVersion,
    hold: asked.state.hold,
    async read(sql) {
      const rows: Value[][] = [];
      try {
        const { chunks } = await statements.database.read(sql, undefined, { signal: turn.signal });
        for await (const chunk of chunks) rows.push(...chunk);
      } catch (error) {
        throw isFailure(error, 'wrongValue') ? outOfRange(error) : error;
      }
      finish();
      return rows;
    },
  };
}

/** Returns the error of a number in the request, or computed from it, that its column's type can't be compared with. */
function outOfRange(cause: unknown): AppError {
  const message = 'A number in the request, or computed from it, is out of range';
  return new AppError('usage', message, { hint: 'Give smaller numbers, and follow @odata.nextLink unchanged.', cause });
}

/** Puts rows into the order of their report: that of the ledger, or a number of each row. */
function makeSource(called: ReportFunction, table: Table, typed: string, sort: readonly string[]): RowSource {
  const properties = table.columns.map(columnProperty);
  const names = properties.map(({ name }) => name);
  const shared = { name: called.name, description: called.description, properties, key: [] };
  const hasLines = LINE_ORDER.every((name) => names.includes(name)) && !names.includes('contribution');
  if (table.statements && hasLines) return { ...shared, order: LINE_ORDER, from: `(${typed}) AS listed` };
  const tieless = [...new Set([...sort.filter((name) => names.includes(name)), ...names])];
  const order = table.statements ? tieless.map((name) => `${quoteName(name)} NULLS FIRST`).join(', ') : 'rowid';
  const from = table.statements ? `(${typed}) AS unnumbered` : 'listed';
  return {
    ...shared,
    order: ['row_number'],
    from: `(SELECT ROW_NUMBER() OVER (ORDER BY ${order}) AS row_number, * FROM ${from}) AS numbered`,
  };
}
