import type { Database } from '../../database/database.ts';
import { trimZeros } from '../../exact-decimal.ts';
import { readCatalogues } from '../../generation/own-reports.ts';
import type { Table } from '../../report/catalogue/table.ts';
import { attachEarlier, readQuery, runReport } from '../../report/run/run.ts';
import { LIST_SEPARATOR } from '../../text-list.ts';
import { ofReader } from '../compared-states.ts';
import type { ReadableState, ReportParameters } from '../read-as-of.ts';

/** The measures of actual and expense lines. */
const MEASURES = ['actual_hours', 'actual_cost', 'actual_fees', 'expense_cost', 'expense_fees'] as const;

type SinceMeasure = (typeof MEASURES)[number];

/** The differences of the present data from a closing, in its period, and the lines behind them. */
export interface SinceClosing {
  /** The data version of the present data. */
  readonly data_version: string;
  /** As decimals; null where one of the values is unknown, or hidden from the reader. */
  readonly differences: Readonly<Record<SinceMeasure, string | null>>;
  /** The number of changed lines by cause; a line with two causes counts for both. */
  readonly lines: Readonly<Record<string, number>>;
}

/** The present data of a reader. */
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
export async function readSince(data: PresentData, closing: ReadableState): Promise<SinceClosing> {
  const { database, seesRates, signal } = data;
  const state = { days: undefined, hasOneCutoff: true, read: async () => ofReader(closing, seesRates) };
  const states = attachEarlier(database, [state], signal);
  try {
    const { full, withoutRates } = readCatalogues();
    const known = (seesRates ? full : withoutRates).measures;
    const measures = MEASURES.filter((name) => known.has(name));
    const run = (report: string, own: ReportParameters) =>
      runComparison(data, closing, states.earlier, report, { ...own, from: closing.asOf.state });
    const changes = await run('changes', { measures: measures.join(','), fields: 'measure,unit,difference' });
    const differences = await readDifferences(changes, changes.meta.minor_units);
    const lists: Table[] = [];
    for (const measure of measures) {
      lists.push(await run('changed-lines', { measure, fields: 'line_id_then,line_id_now,causes' }));
    }
    const lines = await countLines(database, lists);
    return { data_version: changes.meta.data_version, differences, lines };
  } finally {
    await states.close();
  }
}

async function runComparison(
  { database, now, seesRates }: PresentData,
  { window }: ReadableState,
  earlier: ReturnType<typeof attachEarlier>['earlier'],
  report: string,
  sent: ReportParameters,
): Promise<Table> {
  const options = { now, earlier, seesRates };
  const days = window && { start_date: window.startDate, end_date: window.endDate, cutoff_date: window.endDate };
  const { context, query } = await readQuery(database, readCatalogues(), report, { ...days, ...sent }, options);
  return runReport(context, query);
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
