import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Days } from '../../src/base/calendar/day.ts';
import type { Database, Value } from '../../src/base/database/database.ts';
import { digestMeasures } from '../../src/numbers/report/catalogue/measure-digest.ts';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import type { Table } from '../../src/numbers/report/catalogue/table.ts';
import { reselect } from '../../src/numbers/report/request/change-query.ts';
import type { Query } from '../../src/numbers/report/request/query.ts';
import { attachEarlier, type ReportContext, runReport } from '../../src/numbers/report/run/run.ts';
import { readQuery } from '../read-query.ts';
import { buildDataset, catalogue, type Records, type Row, toRow, writeRecords } from '../sql/company.ts';

/** A state of a company's records, built into a file. */
export interface BuiltState {
  readonly file: string;
  readonly database: Database;
  readonly keptAt: string;
  /** Must be called. */
  close(): Promise<void>;
}

export interface Compared {
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
  readonly table: Table;
}

/** The day up to which a state is complete, and the cutoff of a closing. */
export interface StateDays {
  readonly day: string;
  readonly cutoffDate?: string;
  /** The cutoff of the present state, as of a later closing. */
  readonly cutoffNow?: string;
}

let built = 0;

/** Builds records into a database in a file. */
export async function buildState(records: Records): Promise<BuiltState> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-compared-'));
  const file = join(folder, 'company.duckdb');
  const data = join(folder, 'data');
  mkdirSync(data);
  writeRecords(data, records);
  built += 1;
  const database = await buildDataset(data, new Date('2026-04-03T08:00:00Z'), undefined, file);
  await database.run('CHECKPOINT');
  const close = async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  };
  return { file, database, keptAt: `2026-04-03T08:00:${String(built % 60).padStart(2, '0')}Z`, close };
}

/** Runs a report that compares two states, of which the first is kept and the second is now. */
export function compareStates(
  then: BuiltState | undefined,
  now: BuiltState | undefined,
  name: string,
  sent: Readonly<Record<string, string>>,
  stateDays: StateDays,
  seesRates = true,
): Promise<Compared> {
  return compareDays([{ ...stateDays, kept: then, days: undefined }], now, name, sent, stateDays, seesRates);
}

/** A kept state, and the days that are compared with it; undefined for all days. */
interface KeptDays extends Omit<StateDays, 'cutoffNow'> {
  readonly kept: BuiltState | undefined;
  readonly days: Days | undefined;
  readonly label?: string;
}

/** Runs a report that compares days with kept states. */
export async function compareDays(
  states: readonly KeptDays[],
  now: BuiltState | undefined,
  name: string,
  sent: Readonly<Record<string, string>>,
  { cutoffNow }: Pick<StateDays, 'cutoffNow'> = {},
  seesRates = true,
): Promise<Compared> {
  return useComparison(states, now, name, sent, { cutoffNow, seesRates }, async (context, query) => {
    const table = await runReport(context, query);
    expect(table.meta.checks.filter(({ ok }) => !ok)).toEqual([]);
    const read: Row[] = [];
    for await (const chunk of table.rows) read.push(...chunk.map((row) => toRow(table.columns, row)));
    return { rows: read, totals: (table.totalRows ?? []).map((row) => toRow(table.columns, row)), table };
  });
}

interface ComparedReader {
  readonly cutoffNow?: string | undefined;
  readonly seesRates?: boolean;
}

/** Calls a function with a comparison of days, whose states are open until it ends. */
export async function useComparison<T>(
  states: readonly KeptDays[],
  now: BuiltState | undefined,
  name: string,
  sent: Readonly<Record<string, string>>,
  { cutoffNow, seesRates = true }: ComparedReader,
  use: (context: ReportContext, query: Query) => Promise<T>,
): Promise<T> {
  if (!now) throw new Error('The state was not built');
  const files = states.map(({ kept, days, day, cutoffDate, label }, index) => {
    if (!kept) throw new Error('The state was not built');
    const { file, keptAt } = kept;
    const measures = digestMeasures(catalogue);
    const asOf = { state: 'then', number: index + 1, kind: 'kept', keptAt, day, measures, ...(label && { label }) };
    return { days, read: async () => ({ file, asOf, cutoffDate }) };
  });
  const { earlier, close } = attachEarlier(now.database, files);
  try {
    const catalogues = { full: catalogue, withoutRates: hideRates(catalogue) };
    const moment = new Date('2026-06-20T08:00:00Z');
    const options = { now: moment, earlier, seesRates };
    const { context, query } = await readQuery(now.database, catalogues, name, { from: 'then', ...sent }, options);
    const cutoff = cutoffNow === undefined ? {} : { cutoffDate: cutoffNow };
    return await use(context, reselect(query, cutoff));
  } finally {
    await close();
  }
}

/** Returns the values of a row that aren't 0 or empty, without the measure. */
export function told({ measure: _, unit: __, ...row }: Row): Record<string, Value> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== '0'));
}
