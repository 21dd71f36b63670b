import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/base/database/database.ts';
import { createSerialQueue } from '../../../src/base/database/serial-queue.ts';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { buildModels } from '../../../src/numbers/model/build.ts';
import { sqlDirectory } from '../../../src/numbers/relation/sql-file.ts';
import { describeGeneration, fillWithoutRates } from '../../../src/store/generation/generation-contents.ts';
import { fileWithoutRates, journalFile, workingFile } from '../../../src/store/generation/generation-files.ts';
import { openPublished } from '../../../src/store/generation/open-generation.ts';
import { openLiveSource } from '../../../src/store/live/live-source.ts';
import { openStore } from '../../../src/store/live/store.ts';
import { openWorking } from '../../../src/store/live/working-file.ts';
import { journalHour, makeFolder, NOW, openData, writeHour } from '../../live/data.ts';

let file: string;
let work: string;
let remove: () => void;

async function place(data: 'company' | 'nothing'): Promise<void> {
  ({ file, remove } = await makeFolder(data));
  work = workingFile(file);
}

afterEach(() => remove());

const names = () =>
  readdirSync(dirname(file))
    .filter((name) => name.includes('duckdb'))
    .sort();

async function readVersion(): Promise<string> {
  const { dataVersion, close } = await openPublished(file, {});
  await close();
  return dataVersion;
}

/** Copies the files as a kill would leave them. @returns The database among them. */
function crash(): string {
  const folder = join(dirname(file), 'crashed');
  mkdirSync(folder);
  for (const name of names()) copyFileSync(join(dirname(file), name), join(folder, name));
  return join(folder, 'company.duckdb');
}

describe('a working file', () => {
  it('is made from the published generation, with versions of its own after a change, and removes leftovers', async () => {
    await place('company');
    const loaded = await readVersion();
    // A leftover of another killed server.
    writeFileSync(`${work}.next-99`, 'half');
    const live = await openData(file);
    expect((await live.readHours()).version).toBe(loaded);
    await live.logHour();
    const { version } = await live.readHours();
    expect(version).toMatch(/\.1$/);
    expect(version).not.toContain(loaded);
    const [row] = await live.source.database.rows<{ count: number; from: string }>(
      'SELECT (SELECT count(*) FROM source.people) AS count, (SELECT loaded_from FROM source.generation) AS from',
    );
    expect(row).toEqual({ count: 4, from: expect.stringContaining('plumbline-') });
    await live.close();
    expect(names()).toEqual([
      'company.duckdb',
      'company.duckdb.lock',
      'company.no-rates.duckdb',
      'company.work.duckdb',
      'company.work.duckdb.lock',
    ]);
    expect(await readVersion()).toBe(version);
  });

  it('is empty but valid without a published generation, and is published at once', async () => {
    await place('nothing');
    const live = await openData(file);
    expect(live.events.faults).toEqual([]);
    expect(await live.readHours()).toMatchObject({ hours: '0.0000' });
    expect(names()).toContain('company.no-rates.duckdb');
    await live.close();
    const generation = await openDatabase(file, { readOnly: true });
    const [row] = await generation.rows('SELECT loaded_from FROM source.generation');
    expect(row).toEqual({ loaded_from: 'no dataset' });
    expect(await generation.rows('SELECT * FROM marts.ledger')).toEqual([]);
    expect(await generation.rows("FROM reports.projects('2026-01-01', '2026-03-31')")).toEqual([]);
    await generation.close();
  });

  it('shows writes from before a crash, also those that no report had shown yet', async () => {
    await place('company');
    const live = await openData(file);
    const before = await live.readHours();
    await live.logHour();
    const { version } = await live.readHours();
    await writeHour(live.source.database, 'unrefreshed');
    await journalHour(live.source.journal, 3, 'in the journal');
    const crashed = crash();
    await live.close();
    expect(existsSync(`${workingFile(crashed)}.wal`)).toBe(true);
    const again = await openData(crashed);
    const after = await again.readHours();
    expect(Number(after.hours) - Number(before.hours)).toBe(3);
    expect(after.version).toBe(version.replace(/\.1$/, '.3'));
    await again.close();
  });

  it('shows journaled writes after a crash, also when its models are rebuilt', async () => {
    await place('company');
    const live = await openData(file);
    const before = await live.readHours();
    await journalHour(live.source.journal, 1, 'in the journal');
    const crashed = crash();
    await live.close();
    const database = await openDatabase(workingFile(crashed));
    await database.run("UPDATE service.origin SET definitions = 'of another version'");
    await database.close();
    const again = await openData(crashed);
    expect(Number((await again.readHours()).hours) - Number(before.hours)).toBe(1);
    await again.close();
  });

  it('leaves neither log nor journal to the next one when it is removed', async () => {
    await place('company');
    const live = await openData(file);
    const before = await live.readHours();
    await writeHour(live.source.database, 'in the log');
    await journalHour(live.source.journal, 2, 'in the journal');
    const crashed = crash();
    await live.close();
    expect(statSync(journalFile(crashed)).size).toBeGreaterThan(0);
    rmSync(workingFile(crashed));
    const again = await openData(crashed);
    expect((await again.readHours()).hours).toBe(before.hours);
    await again.close();
  });

  it('is rebuilt from its records when the models have changed', async () => {
    await place('company');
    const first = await openData(file);
    await first.logHour(3);
    const before = await first.readHours();
    await first.close();
    const database = await openDatabase(work);
    await database.run("UPDATE service.origin SET definitions = 'of another version'; DELETE FROM core.ledger");
    await database.close();
    const second = await openData(file);
    const after = await second.readHours();
    expect(after.hours).toBe(before.hours);
    expect(after.version).not.toBe(before.version);
    await second.close();
    const third = await openData(file);
    expect(await third.readHours()).toEqual(after);
    await third.close();
  });

  it('has the current type of each column when an earlier version used another', async () => {
    await place('company');
    await (await openData(file)).close();
    const database = await openDatabase(work);
    for (const schema of ['reports', 'quality', 'marts', 'core', 'staging'])
      await database.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await database.run(`
      ALTER TABLE source.projects ALTER COLUMN non_billable TYPE INTEGER;
      ALTER TABLE source.project_team ALTER COLUMN hourly_rate TYPE VARCHAR;
      UPDATE service.origin SET definitions = 'of another version'`);
    await database.close();
    const live = await openData(file);
    const types = await live.source.database.rows(`
      SELECT DISTINCT data_type AS type FROM duckdb_columns()
      WHERE schema_name = 'source' AND column_name IN ('non_billable', 'hourly_rate') ORDER BY type`);
    expect(types).toEqual([{ type: 'BOOLEAN' }, { type: 'DECIMAL(18,4)' }]);
    await live.readHours();
    await live.close();
  });

  it('is rebuilt by the next version that opens it after an interrupted rebuild', async () => {
    await place('company');
    const first = await openData(file);
    await first.logHour(3);
    const before = await first.readHours();
    await first.close();
    const prepare = async (database: Database) => {
      await database.run('DELETE FROM core.ledger');
      throw new Error('broken off');
    };
    const none = async () => undefined;
    const parts = { create: none, definitions: 'of another version', adopt: async () => true, prepare, now: NOW };
    await expect(openWorking(file, {}, parts)).rejects.toThrow('broken off');
    const second = await openData(file);
    expect((await second.readHours()).hours).toBe(before.hours);
    await second.close();
  });

  it('is written only in the queue, also when its records are opened: otherwise a concurrent publication would fail', async () => {
    await place('company');
    const source = await openLiveSource({ database: file, memoryLimitMib: 512 }, NOW);
    const queue = createSerialQueue();
    let free = () => {};
    const held = queue(
      () =>
        new Promise<void>((resolve) => {
          free = resolve;
        }),
    );
    let isOpen = false;
    const opening = openStore(source.database, { now: () => NOW, journal: source.journal, queue }).finally(() => {
      isOpen = true;
    });
    await setTimeout(300);
    expect(isOpen).toBe(false);
    free();
    await held;
    const store = await opening;
    await store.close();
    await source.close();
  });

  it('belongs to one server', async () => {
    await place('company');
    await (await openData(file)).close();
    const program = `import { DuckDBInstance } from '@duckdb/node-api';
      await DuckDBInstance.create(process.argv[1]); console.log('open'); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '--eval', program, work]);
    await once(other.stdout, 'data');
    await expect(openData(file)).rejects.toMatchObject({
      code: 'busy',
      message: `Another server or sync owns ${work}`,
    });
    other.kill('SIGKILL');
    await once(other, 'close');
    await (await openData(file)).close();
  });

  it('does not replace a published generation from elsewhere', async () => {
    await place('company');
    await (await openData(file)).close();
    renameSync(work, `${work}.aside`);
    await loadDataset(dirname(file), file);
    renameSync(`${work}.aside`, work);
    await expect(openData(file)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('which does not come from'),
      hint: expect.stringContaining(`move ${file} away`),
    });
    rmSync(file);
    await (await openData(file)).close();
    expect(existsSync(file)).toBe(true);
  });
});

describe('load', () => {
  beforeEach(() => place('company'));

  it('is refused during and after the use by a server, says why and how to go on, and changes nothing', async () => {
    const live = await openData(file);
    const refused = {
      code: 'busy',
      message: `A server owns the data of ${file}: ${work} contains the changes made through it`,
      hint: expect.stringContaining('move company.work.duckdb and what begins with its name away'),
    };
    await expect(loadDataset(dirname(file), file)).rejects.toMatchObject(refused);
    await live.close();
    const version = await readVersion();
    await expect(loadDataset(dirname(file), file)).rejects.toMatchObject(refused);
    expect(await readVersion()).toBe(version);
    rmSync(work);
    const { dataVersion } = await loadDataset(dirname(file), file);
    expect(await readVersion()).toBe(dataVersion);
  });

  it('into the working file itself is refused', async () => {
    await (await openData(file)).close();
    await expect(loadDataset(dirname(file), work)).rejects.toMatchObject({ code: 'usage' });
  });
});

/** Reads a digest of the rows of each table and view of some schemas, by name. */
async function readAll(database: Database, schemas: readonly string[]): Promise<Record<string, string>> {
  const list = schemas.map((schema) => `'${schema}'`).join(', ');
  const relations = await database.rows<{ name: string }>(`
    SELECT schema_name || '.' || table_name AS name FROM duckdb_tables() WHERE schema_name IN (${list}) AND database_name = current_database()
    UNION SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE schema_name IN (${list}) AND database_name = current_database()
    ORDER BY name`);
  const entries: [string, string][] = [];
  for (const { name } of relations) {
    const [row] = await database.rows<{ digest: string }>(
      `SELECT count(*) || ' ' || COALESCE(bit_xor(hash(t)), 0) AS digest FROM ${name} AS t`,
    );
    entries.push([name, row?.digest ?? '']);
  }
  return Object.fromEntries(entries);
}

it('the published pair is complete: the same as a load of the same records', async () => {
  await place('company');
  const live = await openData(file);
  for (const _ of [1, 2, 3]) await live.logHour();
  await live.readHours();
  await live.logHour();
  await live.close();
  const rebuilt = join(dirname(file), 'rebuilt.duckdb');
  copyFileSync(file, rebuilt);
  const database = await openDatabase(rebuilt);
  const layers = ['marts', 'core', 'quality', 'staging'];
  const published = await readAll(database, layers);
  for (const schema of ['reports', ...layers]) await database.run(`DROP SCHEMA ${schema} CASCADE`);
  await buildModels(database, sqlDirectory);
  await describeGeneration(database);
  expect(published).toEqual(await readAll(database, layers));
  expect(published['marts.ledger']).toMatch(/^\d{2,} /);
  await database.close();
  const copy = await openDatabase(join(dirname(file), 'copy.duckdb'));
  await copy.run(`ATTACH '${rebuilt}' AS generation (READ_ONLY)`);
  await fillWithoutRates(copy);
  const withoutRates = await openDatabase(fileWithoutRates(file), { readOnly: true });
  expect(await readAll(withoutRates, ['marts', 'core'])).toEqual(await readAll(copy, ['marts', 'core']));
  const schemas = await withoutRates.rows("SELECT 1 FROM duckdb_schemas() WHERE schema_name = 'service'");
  expect(schemas).toEqual([]);
  await withoutRates.close();
  await copy.close();
});
