import { rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../../src/base/database/database.ts';
import { loadModels } from '../../../src/numbers/model/models.ts';
import { LAYERS } from '../../../src/numbers/relation/relation-marks.ts';
import { sqlDirectory } from '../../../src/numbers/relation/sql-file.ts';
import { workingFile } from '../../../src/store/generation/generation-files.ts';
import { openPublished } from '../../../src/store/generation/open-generation.ts';
import type { Origin } from '../../../src/store/generation/origin.ts';
import { makeFolder, type Opened, openData } from '../../live/data.ts';
import { expectRebuilt } from '../../refresh/working.ts';
import { loadCompany, type Records } from '../../sql/company.ts';

/** Records that the service completes or changes when it takes them over. */
const INCOMPLETE: Records = {
  roles: [{ id: 1, name: 'Engineer', cost_rate_history: [{ rate: '40' }] }],
  people: [
    {
      people_id: 1,
      name: 'Ann',
      contracts: [{ effective_date: '2026-01-01', role_id: 1, cost_rate: '40', cost_rate_from: 'role' }],
    },
    { people_id: 2, name: 'Ben', contractor: true, role_id: 1 },
  ],
  projects: [{ project_id: 1, name: 'Work', tentative: true }],
  tasks: [1, 2].map((id) => ({
    task_id: id,
    people_id: id,
    project_id: 1,
    start_date: '2026-01-05',
    end_date: '2026-01-16',
    hours: '7.5',
  })),
};

const COMPLETED = `SELECT (SELECT count(cost_rate) FROM source.contracts WHERE people_id = 1) AS rates,
  (SELECT people_type_id FROM source.people WHERE contractor) AS type, (SELECT status FROM source.projects) AS status`;

const LAYER_LIST = LAYERS.map(quoteText).join(', ');

let file: string;
let remove: () => void;

beforeEach(async () => {
  ({ file, remove } = await makeFolder('company'));
});
afterEach(() => remove());

async function change(sql: string): Promise<void> {
  const database = await openDatabase(file);
  await database.run(sql);
  await database.close();
}

async function readVersion(): Promise<string> {
  const { dataVersion, close } = await openPublished(file, {});
  await close();
  return dataVersion;
}

/** Compares the stored models with a build from the records. */
async function expectBuilt({ source: { database } }: Opened): Promise<void> {
  const models = await loadModels(database, sqlDirectory);
  await expectRebuilt(
    database,
    models.filter(({ storage }) => storage === 'table'),
    '',
  );
}

describe('a working file made from a load of the same version', () => {
  it('keeps its models, which equal a build from the records that the service has completed', async () => {
    const loaded = await loadCompany(INCOMPLETE);
    const live = await openData(loaded.file);
    expect(await live.source.database.rows(COMPLETED)).toEqual([{ rates: 0, type: 2, status: 1 }]);
    await expectBuilt(live);
    await live.logHour();
    await live.readHours();
    await expectBuilt(live);
    await live.close();
    loaded.remove();
  });

  it('builds them anew if a contract inherits later rates of its role', async () => {
    const history = [{ rate: '40' }, { rate: '45', effective_date: '2026-01-12' }];
    const loaded = await loadCompany({
      ...INCOMPLETE,
      roles: [{ id: 1, name: 'Engineer', cost_rate_history: history }],
    });
    const live = await openData(loaded.file);
    await expectBuilt(live);
    expect(
      await live.source.database.rows('SELECT DISTINCT cost_rate FROM core.ledger WHERE people_id = 1'),
    ).toHaveLength(2);
    await live.close();
    loaded.remove();
  });

  it('does not build its models', async () => {
    await change('DELETE FROM core.ledger');
    const live = await openData(file);
    expect(await live.source.database.rows('FROM core.ledger')).toEqual([]);
    await live.close();
  });

  it('keeps the data version, and publishes nothing before a change', async () => {
    const [loaded, { mtimeMs }] = [await readVersion(), statSync(file)];
    const live = await openData(file, { publishEveryMs: 10 });
    expect((await live.readHours()).version).toBe(loaded);
    await live.close();
    expect(live.events.published).toEqual([]);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  it('has versions of its own: no other file made from the load has them', async () => {
    const bases: unknown[] = [];
    for (const _ of ['first', 'second']) {
      await (await openData(file)).close();
      const database = await openDatabase(workingFile(file));
      bases.push(...(await database.rows('SELECT base_version, made_from FROM service.origin')));
      await database.close();
      rmSync(workingFile(file));
    }
    const [first, second] = bases as [Origin, Origin];
    expect(first.base_version).toMatch(/^\d{8}T\d{6}Z-/);
    expect(first.base_version).not.toBe(second.base_version);
    expect(first.made_from).toBe(second.made_from);
  });

  it('is made from a generation that a server published, too', async () => {
    const first = await openData(file);
    await first.logHour();
    const before = await first.readHours();
    await first.close();
    rmSync(workingFile(file));
    const second = await openData(file, { publishEveryMs: 10 });
    expect(await second.readHours()).toEqual(before);
    await expectBuilt(second);
    await second.close();
    expect(second.events.published).toEqual([]);
  });
});

describe('a working file made from a load of another version', () => {
  it.each([
    ['the digest of its definitions differs', "UPDATE core.build SET digest = 'other'"],
    ['it has no digest, as in an earlier version', 'DROP TABLE core.build'],
  ])('is built from the records if %s', async (_why, sql) => {
    const lines = 'SELECT count(*) AS lines, sum(hours) AS hours FROM core.ledger';
    const whole = await openDatabase(file, { readOnly: true });
    const expected = await whole.rows(lines);
    await whole.close();
    const loaded = await readVersion();
    await change(`${sql}; DELETE FROM core.ledger`);
    const live = await openData(file);
    expect(await live.source.database.rows(lines)).toEqual(expected);
    const { version } = await live.readHours();
    expect(version).not.toBe(loaded);
    await live.close();
    expect(await readVersion()).toBe(version);
  });

  it.each([
    ['a generation', () => file, "UPDATE core.build SET digest = 'other'"],
    ['a working file', () => workingFile(file), "UPDATE service.origin SET definitions = 'other'"],
  ])(
    'is built from the records of %s in which every table was a view, and every view a table',
    async (_what, path, sql) => {
      const first = await openData(file);
      await first.logHour();
      const { hours } = await first.readHours();
      const kinds = await readKinds(first.source.database);
      await first.close();
      if (path() === file) rmSync(workingFile(file));
      const earlier = await openDatabase(path());
      await earlier.run(sql);
      await exchangeKinds(earlier);
      await earlier.close();
      const live = await openData(file);
      expect((await live.readHours()).hours).toBe(hours);
      expect(await readKinds(live.source.database)).toEqual(kinds);
      await expectBuilt(live);
      await live.close();
    },
  );
});

interface Kind {
  readonly name: string;
  readonly kind: 'TABLE' | 'VIEW';
}

/** Reads which models are tables, and which are views. core.build and marts.catalog are no models, but made for a file that is published. */
function readKinds(database: Database): Promise<Kind[]> {
  return database.rows<Kind>(`
    SELECT schema_name || '.' || table_name AS name, 'TABLE' AS kind FROM duckdb_tables() WHERE schema_name IN (${LAYER_LIST})
    UNION ALL SELECT schema_name || '.' || view_name, 'VIEW' FROM duckdb_views() WHERE schema_name IN (${LAYER_LIST})
    EXCEPT SELECT unnest(['core.build', 'marts.catalog']), 'TABLE' ORDER BY name`);
}

/** Makes a table of each model that is a view, and a view of each that is a table, with other columns. */
async function exchangeKinds(database: Database): Promise<void> {
  for (const { name, kind } of await readKinds(database)) {
    await database.run(
      `DROP ${kind} ${name}; CREATE ${kind === 'TABLE' ? 'VIEW' : 'TABLE'} ${name} AS SELECT 1 AS other`,
    );
  }
}
