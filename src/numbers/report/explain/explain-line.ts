import { isDay } from '../../../base/calendar/index.ts';
import { type Database, quoteText, type Value } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import {
  type KindOfLines,
  type Labour,
  type NamedKind,
  readComputedKinds,
  readLineKinds,
} from '../../relation/line-kinds.ts';
import { findReport } from '../catalogue/catalogue.ts';
import { BASELINE_KIND } from '../catalogue/line-set.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Catalogues } from '../catalogue/rates.ts';
import type { Column } from '../catalogue/table.ts';
import { listColumns } from '../plan/plan-list.ts';
import { selectLineBeside } from '../source/named-revenue.ts';
import { statusLiteral } from '../source/query-sql.ts';
import { type StateSource, stateSource } from '../source/state-source.ts';
import { evidenceSql } from './line-evidence.ts';
import type { Evidence, LineStep } from './line-steps.ts';
import { ownSteps } from './own-steps.ts';
import { workSteps } from './work-steps.ts';

/** A line of the ledger, and step by step why it is as it is. */
export interface LineExplanation {
  readonly columns: readonly Column[];
  readonly line: readonly Value[];
  readonly steps: readonly LineStep[];
}

/** The kind in a line's id, and the SQL that finds its row without reading the ledger through. */
interface LineKey {
  readonly kind: NamedKind & Partial<Pick<KindOfLines, 'countsAs'>>;
  /** Returns the relation that has the line alone. */
  from(source: StateSource): string;
  /** The way out, if there is no such line. */
  readonly hint: string;
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
  const { kind, from: fromOf, hint } = parseLineId(lineId);
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
  const from = fromOf(source);
  const [line] = await database.rows<Evidence>(`SELECT ${read.join(', ')} FROM ${from}`);
  if (!line) {
    throw new AppError('unknown', `There is no line ${JSON.stringify(lineId)}`, { hint });
  }
  const readSteps = async (hours: Labour) => {
    const [evidence = {}] = await database.rows<Evidence>(evidenceSql(hours, line, source));
    return workSteps({ ...line, ...evidence }, hours, seesRates);
  };
  const steps = kind.countsAs
    ? await readSteps(kind.countsAs)
    : await ownSteps(database, source, kind.name, `SELECT ${read.slice(0, names.length).join(', ')} FROM ${from}`);
  const shown = isOfBaseline(lineId) ? { ...line, kind: BASELINE_KIND, line_id: lineId } : line;
  return {
    columns,
    line: names.map((name) => shown[name] ?? null),
    steps,
  };
}

/** The beginning of ids of a baseline's lines, which are plan. */
const BASELINE_START = 'b:';

export function isOfBaseline(lineId: string): boolean {
  return lineId.startsWith(BASELINE_START);
}

/** @throws AppError usage for a text that is no id of a line. */
function parseLineId(id: string): LineKey {
  const [kinds, computed] = [readLineKinds(), readComputedKinds()];
  const plan = kinds.filter(({ countsAs }) => countsAs === 'plan');
  const kind = isOfBaseline(id) ? plan[0] : kinds.find(({ start }) => id.startsWith(start));
  const values = kind && parseValues(kind, id.slice(id.indexOf(':') + 1));
  if (kind && values) {
    const own = kind.idColumns.map((name, place) => `${name} = ${values[place]}`);
    const conditions = [`kind = '${kind.name}'`, ...own, `status <> ${statusLiteral('canceled')}`];
    return {
      kind,
      from: (source) => `${source.relation('named_lines')} WHERE ${conditions.join(' AND ')}`,
      hint: 'Its record may have changed since, or be canceled. List the lines again.',
    };
  }
  const unstored = computed.find((form) => id.startsWith(form.start) && parseValues(form, id.slice(form.start.length)));
  if (unstored) {
    return {
      kind: unstored,
      from: (source) => selectLineBeside(source, id),
      hint: 'Lines of this kind are explained by the default cutoff, confirmed and completed; its contract may have changed since. List the lines again.',
    };
  }
  const message = `line_id: ${JSON.stringify(id)} is not the id of a line`;
  throw new AppError('usage', message, {
    fields: [{ field: 'line_id', message }],
    hint: `Give one of ${formsOf([...kinds, ...computed])}, as the report lines has it; ${formsOf(plan, BASELINE_START)} in a baseline.`,
  });
}

/** Reads the columns of an id as SQL. A record whose id is a text may have colons in it. @returns undefined for texts that are none. */
function parseValues(
  { idColumns, record }: NamedKind & Partial<Pick<KindOfLines, 'record'>>,
  text: string,
): string[] | undefined {
  if (idColumns.length === 1 && record?.type === 'VARCHAR') return text === '' ? undefined : [quoteText(text)];
  const parts = text.split(':');
  const values = idColumns.flatMap((name, place) => {
    const part = parts[place] ?? '';
    if (name === 'date') return isDay(part) ? [dateLiteral(part)] : [];
    return /^\d{1,18}$/.test(part) ? [part] : [];
  });
  return values.length === parts.length && parts.length === idColumns.length ? values : undefined;
}

/** Returns the forms of ids, such as s:TASK_ID:PEOPLE_ID:DATE. */
function formsOf(kinds: readonly NamedKind[], baseline?: string): string {
  const formOf = ({ start, idColumns }: NamedKind) =>
    `${baseline ?? start}${idColumns.map((name) => name.toUpperCase()).join(':')}`;
  return kinds.map(formOf).join(', ');
}
