import { type Database, quoteText, type Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { isDay } from '../../resource/field.ts';
import { findReport } from '../catalogue/catalogue.ts';
import { BASELINE_KIND } from '../catalogue/line-set.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Catalogues } from '../catalogue/rates.ts';
import type { Column } from '../catalogue/table.ts';
import { listColumns } from '../plan/plan-list.ts';
import { statusLiteral } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import { expenseSteps } from './expense-steps.ts';
import { evidenceSql } from './line-evidence.ts';
import type { Evidence, LineKind, LineStep } from './line-steps.ts';
import { workSteps } from './work-steps.ts';

/** A line of the ledger, and step by step why it is as it is. */
export interface LineExplanation {
  readonly columns: readonly Column[];
  readonly line: readonly Value[];
  readonly steps: readonly LineStep[];
}

/** The kind in a line's id, and the SQL that finds its row without reading the ledger through. */
interface LineKey {
  readonly kind: LineKind;
  readonly condition: string;
}

/**
 * Explains a line of the ledger.
 * @param database The whole database: its records say what no mart does.
 * @param seesRates False for readers without the scope rates: no statement reads a cost or a cost rate.
 * @param lineId The line's id, such as s:77:101:2026-01-05, or b:77:101:2026-01-05 in a database that is a baseline.
 * @throws AppError usage for a text that is no id of a line, unknown if there is no such line.
 */
export async function explainLine(
  database: Database,
  { full, withoutRates }: Catalogues,
  seesRates: boolean,
  lineId: string,
): Promise<LineExplanation> {
  const { kind, condition } = parseLineId(lineId);
  const source = stateSource({ seesRates });
  const columns = listColumns(findReport(seesRates ? full : withoutRates, 'lines').list ?? {});
  const names = columns.map(({ name }) => name);
  const exact = (amount: string, rate: string) => [
    `CAST(${amount} AS DECIMAL(38, 10)) + pl_rounded_off(hours, ${rate}, ${amount}) AS exact_${amount}`,
    `-pl_rounded_off(hours, ${rate}, ${amount}) AS moved_${amount}`,
  ];
  const read = [
    ...names.map((name) => `"${name}"`),
    ...exact('fee', 'bill_rate'),
    ...source.costs(...exact('cost', 'cost_rate')),
  ];
  const [line] = await database.rows<Evidence>(
    `SELECT ${read.join(', ')} FROM ${source.relation('named_lines')} WHERE ${condition} AND status <> ${statusLiteral('canceled')}`,
  );
  if (!line) {
    throw new AppError('unknown', `There is no line ${JSON.stringify(lineId)}`, {
      hint: 'Its record may have changed since, or be canceled. List the lines again.',
    });
  }
  const [evidence = {}] = await database.rows<Evidence>(evidenceSql(kind, line, source));
  const all = { ...line, ...evidence };
  const shown = isOfBaseline(lineId) ? { ...line, kind: BASELINE_KIND, line_id: lineId } : line;
  return {
    columns,
    line: names.map((name) => shown[name] ?? null),
    steps: kind === 'expense' ? expenseSteps(all, seesRates) : workSteps(all, kind, seesRates),
  };
}

export function isOfBaseline(lineId: string): boolean {
  return lineId.startsWith('b:');
}

/** @throws AppError usage for a text that is no id of a line. */
function parseLineId(id: string): LineKey {
  const [letter, ...parts] = id.split(':');
  const [first = '', second = '', day = ''] = parts;
  const isId = (text: string) => /^\d{1,18}$/.test(text);
  if ((letter === 's' || letter === 'b') && parts.length === 3 && isId(first) && isId(second) && isDay(day)) {
    return {
      kind: 'scheduled',
      condition: `kind = 'scheduled' AND task_id = ${first} AND people_id = ${second} AND date = ${dateLiteral(day)}`,
    };
  }
  if (letter === 'a' && parts.length > 0 && parts.join(':') !== '') {
    return { kind: 'actual', condition: `kind = 'actual' AND logged_time_id = ${quoteText(parts.join(':'))}` };
  }
  if (letter === 'e' && parts.length === 1 && isId(first)) {
    return { kind: 'expense', condition: `kind = 'expense' AND project_expense_id = ${first}` };
  }
  const message = `line_id: ${JSON.stringify(id)} is not the id of a line`;
  throw new AppError('usage', message, {
    fields: [{ field: 'line_id', message }],
    hint: 'Give s:ALLOCATION:PERSON:DATE, a:LOGGED_TIME or e:EXPENSE, as the report lines has it; b:ALLOCATION:PERSON:DATE in a baseline.',
  });
}
