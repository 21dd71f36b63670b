import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, openDatabase, type Value } from '../../src/base/database/database.ts';
import { type LoadOptions, loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { reportsOfOneState } from '../../src/numbers/report/catalogue/catalogue.ts';
import type { Column, RowInsights, Table } from '../../src/numbers/report/catalogue/table.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { stampGeneration } from '../../src/store/generation/open-generation.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { copyLoaded } from '../loaded.ts';
import { type ReportOptions, runReport } from '../reports.ts';

type Resource =
  | 'departments'
  | 'clients'
  | 'accounts'
  | 'roles'
  | 'rate_cards'
  | 'people'
  | 'projects'
  | 'phases'
  | 'milestones'
  | 'project_stages'
  | 'project_tasks'
  | 'progress'
  | 'retainers'
  | 'tasks'
  | 'timeoff_types'
  | 'status'
  | 'timeoffs'
  | 'holidays'
  | 'logged_time'
  | 'project_expenses'
  | 'invoices'
  | 'invoice_lines'
  | 'write_offs';

/** A company as a few records of each resource, in file order. */
export type Records = Partial<Record<Resource, readonly object[]>> & { readonly settings?: object };

/** A row by column. Decimals are texts without trailing zeros: '8', '0.3333'. */
export type Row = Record<string, Value>;

export interface ReportRows {
  readonly rows: readonly Row[];
  readonly totals: Row;
  /** The sentences about each row, if the parameters ask for it. */
  readonly told: readonly RowInsights[];
  readonly table: Table;
}

export interface Company {
  rows(sql: string): Promise<Row[]>;
  /** Returns every line, canceled ones included, by day and id. */
  ledger(): Promise<Row[]>;
  report(name: string, parameters: Readonly<Record<string, string>>, reading?: ReportOptions): Promise<ReportRows>;
  close(): Promise<void>;
}

export const catalogue = readCatalogues().full;

/** The names of the reports that need no other state. */
export const REPORT_NAMES = reportsOfOneState(catalogue).map(({ name }) => name);

/** Matches a column, or its name, that reveals a cost. Hours with or without a cost rate do not, nor does the cost variance of earned value in hours. */
export const REVEALS_COST =
  /profit|margin|amount_at_risk|(?<!hours_with_|hours_without_)cost(?!_rate_source|_variance)/;

/**
 * Puts a database with records into a new folder, which the caller removes.
 * Equal records and options give copies of one load, with one data version.
 */
export function loadCompany(records: Records, options: LoadOptions = {}): Promise<LoadedCompany> {
  const digest = createHash('sha256')
    .update(JSON.stringify([records, options]))
    .digest('hex');
  return placeCompany((folder) => copyLoaded(digest, folder, (made) => loadRecords(made, records, options)));
}

/** The dataset of the bundled company. */
export const BUNDLED = join(packageDirectory, 'fixtures', 'company');

/** Load time of servers' data, before every test clock. */
export const LOADED = new Date('2025-12-31T12:00:00Z');

/** Load time of the bundled company: the day after its last one with logged time, so that none is in the future. */
export const BUNDLED_LOADED = new Date('2026-06-01T12:00:00Z');

/** Puts a database with the bundled company into a new folder, which the caller removes. */
export function loadBundled(): Promise<LoadedCompany> {
  const load = (made: string) => loadDataset(BUNDLED, join(made, 'company.duckdb'), { now: BUNDLED_LOADED });
  return placeCompany((folder) => copyLoaded('bundled', folder, load));
}

/** The dataset of a consultancy at the end of October 2026, whose numbers are computed by hand. */
export const OCTOBER = join(packageDirectory, 'test', 'companies', 'october');

/** Load time of that dataset: the first work day after it. */
export const OCTOBER_LOADED = new Date('2026-11-02T12:00:00Z');

/** Puts a database with that dataset into a new folder, which the caller removes. */
export function loadOctober(): Promise<LoadedCompany> {
  const load = (made: string) => loadDataset(OCTOBER, join(made, 'company.duckdb'), { now: OCTOBER_LOADED });
  return placeCompany((folder) => copyLoaded('october', folder, load));
}

/** A database file in a folder of its own. */
export interface LoadedCompany {
  readonly file: string;
  remove(): void;
}

/** Puts a database file into a new folder, which the caller removes. */
export async function placeCompany(load: (folder: string) => Promise<unknown>): Promise<LoadedCompany> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-company-'));
  const remove = () => rmSync(folder, { recursive: true });
  try {
    await load(folder);
    return { file: join(folder, 'company.duckdb'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Writes records as the dataset of a folder, and loads it next to the dataset. */
export async function loadRecords(folder: string, records: Records, options: LoadOptions = {}): Promise<void> {
  writeRecords(folder, records);
  await loadDataset(folder, join(folder, 'company.duckdb'), options);
}

export function writeRecords(folder: string, records: Records): void {
  for (const [resource, list] of Object.entries(records)) {
    writeFileSync(join(folder, `${resource}.json`), JSON.stringify(list));
  }
}

/** Builds the models of records in memory. @param build Builds fewer models than all. */
export async function buildCompany(
  records: Records,
  now: Date = new Date(),
  build: typeof buildModels = buildModels,
): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-company-'));
  try {
    writeRecords(folder, records);
    return await buildDataset(folder, now, build);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds models in memory, or in a file, on one thread, as tests run in parallel; half the time of a full load. */
export async function buildDataset(
  directory: string,
  now: Date,
  build = buildModels,
  file = ':memory:',
): Promise<Database> {
  const database = await openDatabase(file, { settings: { threads: '1' } });
  try {
    await ingestDirectory(database, directory, { now });
    await stampGeneration(database, directory, now);
    await build(database, sqlDirectory);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export async function openCompany(records: Records): Promise<Company> {
  return companyOf(await buildCompany(records));
}

/** Reads a company from a database with models; closing the company closes the database. */
export function companyOf(database: Database): Company {
  const rows = async (sql: string) => (await database.rows<Row>(sql)).map(plainRow);
  return {
    rows,
    ledger: () => rows('SELECT * FROM core.lines ORDER BY date, line_id'),
    async report(name, parameters, reading) {
      const table = await runReport(database, catalogue, name, parameters, reading);
      const read: Row[] = [];
      const told: RowInsights[] = [];
      for await (const chunk of table.rows) {
        read.push(...chunk.map((row) => toRow(table.columns, row)));
        told.push(...chunk.flatMap((row) => table.insightsOf?.(row) ?? []));
      }
      return { rows: read, totals: toRow(table.columns, table.totals ?? []), told, table };
    },
    close: () => database.close(),
  };
}

/** Returns only these columns of a row; undefined if the row or a column is missing. */
export function pick(row: Row | undefined, ...columns: readonly string[]): Record<string, Value | undefined> {
  return Object.fromEntries(columns.map((name) => [name, row?.[name]]));
}

export function column(rows: readonly Row[], name: string): (Value | undefined)[] {
  return rows.map((row) => row[name]);
}

export function toRow(columns: readonly Column[], values: readonly Value[]): Row {
  return plainRow(Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null])));
}

function plainRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: Value): Value {
  return typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value;
}
