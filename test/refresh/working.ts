import { join } from 'node:path';
import { expect } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { createRelation } from '../../src/numbers/model/engine/duckdb.ts';
import { loadModels, type Model, qualifiedName } from '../../src/numbers/model/models.ts';
import { openRefresher } from '../../src/numbers/model/refresh/refresh.ts';
import type { RecordChange } from '../../src/numbers/model/refresh/touched.ts';
import { openToWrites } from '../../src/numbers/model/working.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { loadCompany, type Records } from '../sql/company.ts';

export const sqlFolder = join(packageDirectory, 'sql');

type Scalar = string | number | boolean | null;

/** A record as stored: a week is a list of numbers, a list of items a list of objects. */
export type StoredRecord = Readonly<
  Record<string, Scalar | readonly number[] | readonly Readonly<Record<string, unknown>>[]>
>;

export interface Working {
  readonly database: Database;
  /** Writes a record in place of the one with its id, and notes the change. */
  put(resource: string, record: StoredRecord): Promise<void>;
  remove(resource: string, id: string | number): Promise<void>;
  changeSettings(assignments: string): Promise<void>;
  refresh(): Promise<void>;
  /** Compares every stored model with a build from nothing. */
  expectRebuilt(context?: string): Promise<void>;
  /** Saves the current state of the company for `reset`. */
  keep(): Promise<void>;
  /** Restores the saved state, or else the state at opening. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** @param watch Wraps the database of the refreshes. */
export async function openWorking(
  company: Records,
  watch = (database: Database): Database => database,
): Promise<Working> {
  const { file, remove } = await loadCompany(company);
  const database = await openDatabase(file);
  await openToWrites(database, sqlFolder);
  const refresher = await openRefresher(watch(database), sqlFolder);
  const stored = (await loadModels(database, sqlFolder)).filter(({ storage }) => storage === 'table');
  let restore = await keepState(database, stored);
  let keptRecords = new Map<string, StoredRecord>();
  let changes: RecordChange[] = [];
  let records = new Map<string, StoredRecord>();
  const write = async (resource: string, id: string | number, record: StoredRecord | undefined) => {
    const key = `${resource} ${id}`;
    const versions = [records.get(key), record].filter((version) => version !== undefined);
    // Loaded data has no version here except its own id.
    const own = { [definitionOf(resource).id]: id };
    const named = (field: string) => [...new Set([own, ...versions].flatMap((version) => findNamed(version, field)))];
    await database.run([...removeStatements(resource, id), ...insertStatements(resource, record, id)].join(';\n'));
    if (record) records.set(key, record);
    else records.delete(key);
    changes.push({
      resource,
      tables: tablesOf(resource),
      record_id: String(id),
      people_ids: named('people_id'),
      project_ids: named('project_id'),
    });
  };
  return {
    database,
    put: (resource, record) => write(resource, idOf(resource, record), record),
    remove: (resource, id) => write(resource, id, undefined),
    async changeSettings(assignments) {
      await database.run(`UPDATE source.settings SET ${assignments}`);
      changes.push({ resource: 'settings', tables: ['settings'], record_id: '1', people_ids: [], project_ids: [] });
    },
    async refresh() {
      const all = changes;
      changes = [];
      await refresher.refresh({ readChanges: async () => all, finish: async () => undefined });
    },
    expectRebuilt: (context = '') => expectRebuilt(database, stored, context),
    async keep() {
      restore = await keepState(database, stored);
      keptRecords = new Map(records);
    },
    async reset() {
      changes = [];
      records = new Map(keptRecords);
      await restore();
    },
    async close() {
      await refresher.close();
      await database.close();
      remove();
    },
  };
}

function definitionOf(resource: string) {
  const definition = resources.find(({ name }) => name === resource);
  if (!definition) throw new Error(`no resource ${resource}`);
  return definition;
}

function idOf(resource: string, record: StoredRecord): string | number {
  return record[definitionOf(resource).id] as string | number;
}

function tablesOf(resource: string): string[] {
  const { name, lists: items } = definitionOf(resource);
  return [name, ...Object.values(items).map(({ table }) => table)];
}

/** Returns the ids in a field of a record, including its lists. */
function findNamed(record: StoredRecord, field: string): number[] {
  const lists = Object.values(record).filter(Array.isArray) as Readonly<Record<string, unknown>>[][];
  const values = [record, ...lists.flat()].map((holder) => (holder as Readonly<Record<string, unknown>>)[field]);
  return values.filter((value) => typeof value === 'number');
}

function removeStatements(resource: string, id: string | number): string[] {
  return tablesOf(resource).map(
    (table) => `DELETE FROM source.${table} WHERE ${definitionOf(resource).id} = ${literal(id)}`,
  );
}

function insertStatements(resource: string, record: StoredRecord | undefined, id: string | number): string[] {
  if (!record) return [];
  const { name, id: idColumn, lists: items } = definitionOf(resource);
  const own = Object.entries(record).filter(([field]) => !(field in items));
  const lists = Object.entries(items).flatMap(([field, { table }]) => {
    const list = (record[field] ?? []) as readonly Readonly<Record<string, unknown>>[];
    return list.map((item, index) =>
      insertStatement(table, Object.entries({ [idColumn]: id, position: index + 1, ...item })),
    );
  });
  return [insertStatement(name, own), ...lists];
}

function insertStatement(table: string, values: readonly (readonly [string, unknown])[]): string {
  const columns = values.map(([column]) => column).join(', ');
  return `INSERT INTO source.${table} (${columns}) VALUES (${values.map(([, value]) => literal(value)).join(', ')})`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? quoteText(value) : String(value);
}

/** Thrown to roll back the build made for the comparison. */
class Rollback extends Error {}

export async function expectRebuilt(database: Database, stored: readonly Model[], context: string): Promise<void> {
  const differences: string[] = [];
  const session = await database.session();
  const compare = async () => {
    const copies = stored.map((model) => `CREATE TEMP TABLE ${keptName(model)} AS FROM ${qualifiedName(model)}`);
    await session.run(copies.join('; '));
    const kept = await readSums(session, stored.map(keptName));
    for (const model of stored) await createRelation(session, model, 'TABLE');
    const built = await readSums(session, stored.map(qualifiedName));
    for (const [index, model] of stored.entries()) {
      if (kept[index] !== built[index]) differences.push(...(await describeDifference(session, model)));
    }
    throw new Rollback();
  };
  await session.transaction(compare).catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error;
  });
  await session.close();
  if (differences.length > 0) expect.fail([context, ...differences].join('\n'));
}

/** Returns a checksum of the rows of each table, independent of their order. */
async function readSums(session: Database, tables: readonly string[]): Promise<string[]> {
  const selects = tables.map(
    (table) => `(SELECT CAST(sum(hash(line)) AS VARCHAR) || ' ' || count(*) FROM ${table} AS line)`,
  );
  const [row] = await session.rows<{ sums: (string | null)[] }>(`SELECT [${selects.join(', ')}] AS sums`);
  return (row?.sums ?? []).map(String);
}

async function describeDifference(session: Database, model: Model): Promise<string[]> {
  const [kept, built] = [keptName(model), qualifiedName(model)];
  const rows = await session.rows<{ side: string; row: unknown }>(`
    SELECT 'only refreshed' AS side, kept AS row FROM (FROM ${kept} EXCEPT ALL FROM ${built}) AS kept
    UNION ALL
    SELECT 'only rebuilt', built FROM (FROM ${built} EXCEPT ALL FROM ${kept}) AS built
    LIMIT 4`);
  return rows.map(({ side, row }) => `${built}, ${side}: ${JSON.stringify(row)}`);
}

function keptName({ schema, name }: Model): string {
  return `kept_${schema}_${name}`;
}

/** Saves the contents of all tables and returns a function that restores them. */
async function keepState(database: Database, stored: readonly Model[]): Promise<() => Promise<void>> {
  const sources = ['settings', ...resources.flatMap(({ name }) => tablesOf(name))];
  const tables = [...sources.map((table) => `source.${table}`), ...stored.map(qualifiedName)];
  const copies = tables.map((table) => [table, `kept.${table.replace('.', '_')}`] as const);
  await database.run(
    `CREATE SCHEMA IF NOT EXISTS kept; ${copies.map(([table, copy]) => `CREATE OR REPLACE TABLE ${copy} AS FROM ${table}`).join('; ')}`,
  );
  const statements = copies
    .map(([table, copy]) => `DELETE FROM ${table}; INSERT INTO ${table} FROM ${copy}`)
    .join('; ');
  return () => database.transaction(() => database.run(statements));
}
