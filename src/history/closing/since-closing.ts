import { askData } from '../../ask/open-data.ts';
import type { ReadableState } from '../../ask/state-references.ts';
import type { Database } from '../../database/database.ts';
import { trimZeros } from '../../exact-decimal.ts';
import { readCatalogues } from '../../generation/own-reports.ts';
import type { Table } from '../../report/catalogue/table.ts';
import { LIST_SEPARATOR } from '../../text-list.ts';
import { ofReader } from '../compared-states.ts';

const MEASURES = ['actual_hours', 'actual_cost', 'actual_fees', 'expense_cost', 'expense_fees'] as const;

type SinceMeasure = (typeof MEASURES)[number];

/** The differences of the present data from a closing, in its period, and the lines behind them. */
export interface SinceClosing {
  readonly data_version: string;
  /** As decimals; null where one of the values is unknown, or hidden from the reader. */
  readonly differences: Readonly<Record<SinceMeasure, string | null>>;
  /** The number of changed lines by cause; a line with two causes counts for both. */
  readonly lines: Readonly<Record<string, number>>;
}

export interface PresentData {
  readonly database: Database;
  readonly now: Date;
  /** False for a reader without the scope rates, whose database has none. */
  readonly seesRates: boolean;
  /** Ends the statements that read the closing. */
  readonly signal?: AbortSignal;
}

/**
 * Compares the actual and expense lines of a closed period now with those of its closing, by the reports of changes.
 * @throws AppError input if amounts are of another currency.
 */
export function readSince({ database, ...reader }: PresentData, closing: ReadableState): Promise<SinceClosing> {
  return askData({ database, ...reader, from: comparedWith(closing) }, async ({ table }) => {
    const { full, withoutRates } = readCatalogues();
    const known = (reader.seesRates ? full : withoutRates).measures;
    const measures = MEASURES.filter((name) => known.has(name));
    const sent = sentOf(closing);
    const changes = await table('changes', {
      ...sent,
      measures: measures.join(','),
      fields: 'measure,unit,difference',
    });
    const differences = await readDifferences(changes, changes.meta.minor_units);
    const lists: Table[] = [];
    for (const measure of measures)
      lists.push(await table('changed-lines', { ...sent, measure, fields: 'line_id_then,line_id_now,causes' }));
    const lines = await countLines(database, lists);
    return { data_version: changes.meta.data_version, differences, lines };
  });
}

/** A total of a closed period at its closing and now, as decimals; null where it is unknown. */
export interface ComparedTotal {
  readonly measure: string;
  readonly unit: string;
  readonly value_then: string | null;
  readonly value_now: string | null;
  readonly difference: string | null;
}

/** Reads totals of a closed period at its closing and now. @throws AppError as readSince does. */
export function readComparedTotals(
  { database, ...reader }: PresentData,
  closing: ReadableState,
  measures: readonly string[],
): Promise<ComparedTotal[]> {
  return askData({ database, ...reader, from: comparedWith(closing) }, async ({ table }) => {
    const fields = 'measure,unit,value_then,value_now,difference';
    const { rows } = await table('changes', { ...sentOf(closing), measures: measures.join(','), fields });
    const totals: ComparedTotal[] = [];
    const textOf = (value: unknown) => (value == null ? null : String(value));
    for await (const chunk of rows)
      for (const [measure, unit, before, after, difference] of chunk) {
        const values = { value_then: textOf(before), value_now: textOf(after), difference: textOf(difference) };
        totals.push({ measure: String(measure), unit: String(unit), ...values });
      }
    return totals;
  });
}

/** Returns a closing as the state that the present data are compared with. */
function comparedWith(closing: ReadableState) {
  const read = async (seesRates: boolean) => ofReader(closing, seesRates);
  return {
    states: [{ days: undefined, reference: closing.asOf.state, read }],
    versions: [],
    window: closing.window,
    hasOneCutoff: true,
  };
}

/** Returns the parameters of a comparison with a closing, in its period. */
function sentOf({ asOf, window }: ReadableState): Record<string, string> {
  return { from: asOf.state, ...(window && { cutoff_date: window.endDate }) };
}

/** Reads the differences of the report changes, amounts with the decimals of the currency. */
async function readDifferences({ rows }: Table, minorUnits: number): Promise<SinceClosing['differences']> {
  const found: Record<string, string> = {};
  for await (const chunk of rows)
    for (const [measure, unit, difference = null] of chunk)
      if (difference !== null)
        found[String(measure)] = unit === 'money' ? trimZeros(String(difference), minorUnits) : String(difference);
  const {
    actual_hours = null,
    actual_cost = null,
    actual_fees = null,
    expense_cost = null,
    expense_fees = null,
  } = found;
  return { actual_hours, actual_cost, actual_fees, expense_cost, expense_fees };
}

/** Counts the lines in lists of changed lines by cause, each line once for a cause. */
async function countLines(database: Database, lists: readonly Table[]): Promise<Record<string, number>> {
  const statements = lists.flatMap(({ statements: own }) => own?.slice() ?? []);
  const rows = await database.rows<{ cause: string; lines: number }>(
    `SELECT cause, COUNT(*) AS lines
    FROM (
      SELECT DISTINCT line_id_then, line_id_now, unnest(string_split(causes, '${LIST_SEPARATOR}')) AS cause
      FROM (${statements.join('\nUNION ALL\n')}) AS listed
    ) AS caused
    GROUP BY cause
    ORDER BY cause`,
  );
  return Object.fromEntries(rows.map(({ cause, lines }) => [cause, lines]));
}
