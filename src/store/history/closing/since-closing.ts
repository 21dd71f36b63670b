import type { Database } from '../../../base/database/index.ts';
import { LIST_SEPARATOR, trimZeros } from '../../../base/index.ts';
import { type Books, listCauses, type Table } from '../../../numbers/report/catalogue/index.ts';
import { askData } from '../../ask/open-data.ts';
import type { ReadableState } from '../../ask/state-references.ts';
import { readCatalogues } from '../../generation/own-reports.ts';
import { ofReader } from '../compared-states.ts';

/** Measures of all companies, and those that companies with bills have (M6). */
const ALWAYS = [
  'actual_hours',
  'actual_cost',
  'actual_fees',
  'expense_cost',
  'expense_fees',
  'actual_revenue',
] as const;
const OF_BILLS = ['invoiced', 'written_off'] as const;
const MEASURES = [...ALWAYS, ...OF_BILLS];

type SinceMeasure = (typeof MEASURES)[number];

/** The differences of the present data from a closing, in its period, and the lines behind them. */
export interface SinceClosing {
  readonly data_version: string;
  /** The cutoffs of the closing and of today (B3). */
  readonly cutoffs: ComparedCutoffs;
  /** As decimals; null where one of the values is unknown, or hidden from the reader. */
  readonly differences: Readonly<Record<(typeof ALWAYS)[number], string | null>> &
    Readonly<Partial<Record<(typeof OF_BILLS)[number], string>>>;
  /** The contribution of each cause to the differences, other than 0. */
  readonly causes: Readonly<Record<string, Readonly<Partial<Record<SinceMeasure, string>>>>>;
  /** The number of changed lines by cause; a line with two causes counts for both. */
  readonly lines: Readonly<Record<string, number>>;
}

/** The days up to which the two sides of a comparison count what was done. */
interface ComparedCutoffs {
  readonly closing: string;
  readonly now: string;
}

export interface PresentData {
  readonly database: Database;
  readonly now: Date;
  /** False for a reader without the scope rates, whose database has none. */
  readonly seesRates: boolean;
  /** The closings by which they are booked. Default: none. */
  readonly books?: Books | undefined;
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
    const sent = { from: closing.asOf.state };
    const changes = await table('changes', {
      ...sent,
      measures: measures.join(','),
      fields: ['measure', 'unit', 'difference', ...listCauses()].join(','),
    });
    const { differences, causes } = await readDifferences(changes, changes.meta.minor_units);
    const lists: Table[] = [];
    for (const measure of measures)
      lists.push(await table('changed-lines', { ...sent, measure, fields: 'line_id_then,line_id_now,causes' }));
    const lines = await countLines(database, lists);
    return { data_version: changes.meta.data_version, cutoffs: cutoffsOf(changes), differences, causes, lines };
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
    const { rows } = await table('changes', { from: closing.asOf.state, measures: measures.join(','), fields });
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

/** Returns the cutoffs of the two states of the report changes. */
function cutoffsOf({ meta: { from, to } }: Table): ComparedCutoffs {
  const closing = from && 'cutoff_date' in from ? from.cutoff_date : '';
  return { closing, now: to?.cutoff_date ?? '' };
}

/** Returns a closing as the state that the present data are compared with. */
function comparedWith(closing: ReadableState) {
  const read = async (seesRates: boolean) => ofReader(closing, seesRates);
  return {
    states: [{ days: undefined, reference: closing.asOf.state, read }],
    versions: [],
    window: closing.window,
  };
}

/** Reads the differences of the report changes and their causes, amounts with the decimals of the currency. */
async function readDifferences(
  { rows }: Table,
  minorUnits: number,
): Promise<Pick<SinceClosing, 'differences' | 'causes'>> {
  const found: Record<string, string> = {};
  const causes: Record<string, Record<string, string>> = {};
  for await (const chunk of rows)
    for (const [measure, unit, difference = null, ...parts] of chunk) {
      const spell = (value: unknown) => (unit === 'money' ? trimZeros(String(value), minorUnits) : String(value));
      if (difference !== null) found[String(measure)] = spell(difference);
      for (const [place, cause] of listCauses().entries()) {
        const part = parts[place] ?? null;
        if (part !== null && /[1-9]/.test(String(part)))
          causes[cause] = { ...causes[cause], [String(measure)]: spell(part) };
      }
    }
  const differences = MEASURES.flatMap((name) => {
    const value = found[name];
    return value === undefined && isOfBills(name) ? [] : [[name, value ?? null]];
  });
  return { differences: Object.fromEntries(differences), causes };
}

function isOfBills(name: SinceMeasure): boolean {
  return OF_BILLS.some((each) => each === name);
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
