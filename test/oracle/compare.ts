import { Exact } from './exact.ts';
import type { Line } from './ledger.ts';
import type { Parameters } from './parameters.ts';
import { keyColumns, type Report, type Row } from './reports.ts';

/** A row of the engine, its decimals as values whose text has all digits. */
export type EngineRow = { [column: string]: unknown };

/** The columns of the ledger (2.1). */
export const LEDGER_COLUMNS: readonly (keyof Line)[] = [
  'kind',
  'line_id',
  'date',
  'people_id',
  'role_id',
  'project_id',
  'phase_id',
  'task_meta_id',
  'task_id',
  'logged_time_id',
  'project_expense_id',
  'status',
  'billable',
  'hours',
  'cost_rate',
  'cost_rate_source',
  'cost',
  'bill_rate',
  'bill_rate_source',
  'fee',
];

function isNumberText(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (expected === null || actual === null || actual === undefined) return expected === actual;
  if (Exact.isDecimal(expected)) {
    const text = String(actual);
    return isNumberText(text) && new Exact(text).equals(expected);
  }
  return String(expected) === String(actual);
}

function show(value: unknown): string {
  if (value === undefined) return 'no such column';
  return value === null ? 'null' : typeof value === 'string' ? `'${value}'` : String(value);
}

function keyOf(row: EngineRow, keys: readonly string[]): string {
  return keys.map((key) => `${key}=${show(row[key])}`).join(' ');
}

/** Lists every difference between the oracle's rows and the engine's, matched by keys. */
export function compareRows(
  where: string,
  expected: readonly EngineRow[],
  actual: readonly EngineRow[],
  keys: readonly string[],
): string[] {
  const differences: string[] = [];
  const left = new Map<string, EngineRow>();
  for (const row of actual) {
    const key = keyOf(row, keys);
    if (left.has(key)) differences.push(`${where} row ${key}: twice in the engine`);
    left.set(key, row);
  }
  for (const row of expected) {
    const key = keyOf(row, keys);
    const found = left.get(key);
    left.delete(key);
    if (found === undefined) differences.push(`${where} row ${key}: missing in the engine`);
    else differences.push(...compareRow(`${where} row ${key}`, row, found));
  }
  for (const key of left.keys()) differences.push(`${where} row ${key}: only in the engine`);
  return differences;
}

function compareRow(where: string, expected: EngineRow, actual: EngineRow): string[] {
  const differences: string[] = [];
  for (const [column, value] of Object.entries(expected)) {
    const other = actual[column];
    if (Array.isArray(value)) {
      const nested = Array.isArray(other) ? (other as EngineRow[]) : [];
      const phases = (value as Row[]).map(({ period_start: _, period_end: __, ...row }): EngineRow => row);
      differences.push(...compareRows(`${where} ${column}`, phases, nested, ['phase_id']));
    } else if (!isSame(value, other)) {
      differences.push(`${where} ${column}: oracle ${show(value)}, engine ${show(other)}`);
    }
  }
  return differences;
}

export function compareReports(
  name: string,
  parameters: Parameters,
  expected: Report,
  actual: { rows: readonly EngineRow[]; totals: EngineRow },
): string[] {
  return [
    ...compareRows('', expected.rows, actual.rows, keyColumns(name, parameters)),
    ...compareRow('totals', expected.totals, actual.totals),
  ];
}

export function compareLedgers(expected: readonly Line[], actual: readonly EngineRow[]): string[] {
  const rows = expected.map((line) => Object.fromEntries(LEDGER_COLUMNS.map((column) => [column, line[column]])));
  return compareRows('ledger', rows, actual, ['line_id']);
}
