import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase, quoteName, quoteText } from '../../src/base/database/database.ts';
import type { AppError } from '../../src/base/error.ts';
import { exportMarts } from '../../src/doors/command/export-command.ts';
import { USUAL_TIME } from '../../src/doors/counterpart/converse.ts';
import { writeMartRows } from '../../src/doors/postgres/changed-rows.ts';
import { withPostgres } from '../../src/doors/postgres/connect.ts';
import { commentTable, createTable } from '../../src/doors/postgres/shape-tables.ts';
import { changeRows, fillTable } from '../../src/doors/postgres/write-rows.ts';
import { readMartColumns } from '../../src/numbers/report/marts/marts.ts';
import { openDelivered } from './delivered.ts';
import { connectTo, query, startPostgres } from './postgres-server.ts';
import { openPublishedDatabase } from './published.ts';

const server = startPostgres();

/** The time for the news of a broken connection to arrive. Unit: ms. */
const BROKEN_MS = 100;

const SLOW = { tags: ['slow'] };

const WAREHOUSE = `deliveries:
  - name: warehouse
    when: new_data
    marts: all
    rates: true
    to: [{postgres: "\${PG_URL}", schema: plumbline, grants: {select: [bi]}}]
`;

/** Returns SQL of a number for each column, by which two copies of a table are compared. */
function sumColumns(columns: readonly { name: string; type: string }[]): string {
  const sums = columns.map(({ name, type }) => {
    const column = quoteName(name);
    const isNumber = /^(BIGINT|INTEGER|DECIMAL)/.test(type);
    const text = `CAST(${column} AS TEXT)`;
    return isNumber
      ? `CAST(SUM(${column}) AS TEXT), CAST(COUNT(${column}) AS TEXT)`
      : `CAST(COUNT(DISTINCT ${text}) AS TEXT), MIN(${text}), MAX(${text}), CAST(COUNT(${column}) AS TEXT)`;
  });
  return `CAST(COUNT(*) AS TEXT), ${sums.join(', ')}`;
}

/** Checks that a schema has the numbers of a database, in all columns. */
async function expectEqual(url: string, database: string, only?: readonly string[]): Promise<void> {
  const engine = await openDatabase(database, { readOnly: true });
  try {
    const columns = await readMartColumns(engine);
    const marts = only ?? [...new Set(columns.map(({ mart }) => mart))];
    const client = await connectTo(url);
    onTestFinished(() => client.end());
    for (const mart of marts) {
      const sums = sumColumns(columns.filter((column) => column.mart === mart));
      const [row = {}] = await engine.rows(`SELECT ${sums} FROM marts.${mart}`);
      const { rows } = await client.query({ text: `SELECT ${sums} FROM plumbline.${mart}`, rowMode: 'array' });
      expect([mart, rows[0]]).toEqual([mart, Object.values(row)]);
    }
  } finally {
    await engine.close();
  }
}

it('a delivery publishes all marts: equal sums in all columns, keys, comments and grants (D6)', SLOW, async () => {
  const url = await server.newDatabase();
  await query(url, 'CREATE ROLE bi');
  const { at, told, database } = await openDelivered(WAREHOUSE, '2026-06-03T04:59:00Z', { PG_URL: url });
  await at('2026-06-03T05:00:00Z');
  expect(told).toEqual([expect.stringMatching(/^warehouse postgres:[0-9a-f]{8}\/plumbline sent$/)]);
  await expectEqual(url, database);
  const types = await query(
    url,
    `SELECT format_type(atttypid, atttypmod), col_description(attrelid, attnum) FROM pg_attribute
     WHERE attrelid = 'plumbline.lines'::regclass AND attname IN ('date', 'cost', 'kind') ORDER BY attname`,
  );
  expect(types).toEqual([
    ['numeric(18,4)', expect.stringMatching(/^Hours x cost rate/)],
    ['date', expect.stringMatching(/./)],
    ['text', expect.stringMatching(/./)],
  ]);
  expect(
    await query(
      url,
      `SELECT pg_get_constraintdef(oid) FROM pg_constraint
       WHERE conrelid = 'plumbline.phases'::regclass AND contype IN ('p', 'f') ORDER BY contype`,
    ),
  ).toEqual([
    ['FOREIGN KEY (project_id) REFERENCES plumbline.projects(project_id) DEFERRABLE INITIALLY DEFERRED'],
    ['PRIMARY KEY (phase_id)'],
  ]);
  expect(await query(url, 'SET ROLE bi; SELECT has_rates::text FROM plumbline.version')).toEqual([['true']]);
  expect(await query(url, `SELECT has_table_privilege('bi', 'plumbline.lines', 'INSERT')::text`)).toEqual([['false']]);
});

it('a load changes the rows that differ alone, and a view, a grant and an open reader live on (D6)', SLOW, async () => {
  const url = await server.newDatabase();
  const { database, put, publish } = await openPublishedDatabase(url);
  const marts = ['lines', 'projects', 'data_quality'];
  const { rows: all } = await publish({ marts });
  expect(all).toBeGreaterThan(10_000);
  await query(url, 'CREATE SCHEMA own; CREATE VIEW own.hours AS SELECT SUM(hours) AS hours FROM plumbline.lines');
  await query(url, 'CREATE ROLE analyst; GRANT SELECT ON plumbline.lines TO analyst');
  const reader = await connectTo(url);
  onTestFinished(() => reader.end());
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const read = async () => {
    const { rows } = await reader.query<{ hours: string }>('SELECT * FROM own.hours, plumbline.version');
    return rows[0];
  };
  const before = await read();
  put('changed');
  const { rows } = await publish({ marts });
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(all / 1_000);
  await expectEqual(url, database, marts);
  expect(await publish({ marts })).toMatchObject({ rows: 0 });
  for (let count = 0; count < 18; count += 1) {
    put(count % 2 === 0 ? 'company' : 'changed');
    await publish({ marts });
  }
  expect(await read()).toEqual(before);
  await expectEqual(url, database, marts);
  const [[hours]] = (await query(url, 'SELECT hours FROM own.hours')) as [[string]];
  expect(hours).not.toBe(before?.hours);
  expect(await query(url, `SELECT has_table_privilege('analyst', 'plumbline.lines', 'SELECT')::text`)).toEqual([
    ['true'],
  ]);
});

it('rows that somebody has changed are right again after a publication by hand', SLOW, async () => {
  const url = await server.newDatabase();
  const { database, publish } = await openPublishedDatabase(url);
  await publish({ marts: ['people', 'departments', 'data_quality'] });
  await query(url, `UPDATE plumbline.people SET person = 'Nobody' WHERE people_id = 125`);
  await query(url, 'DELETE FROM plumbline.data_quality');
  const lines: string[] = [];
  const output = { print: (...printed: string[]) => void lines.push(...printed), write: vi.fn(), isTTY: false };
  const context = { stdout: output, stderr: output, now: () => new Date() } as never;
  await exportMarts.run(['marts'], { to: url, database }, context);
  expect(lines).toEqual([expect.stringMatching(/^Published \d+ tables, \d+ rows changed, data version 20\S+$/)]);
  await expectEqual(url, database);
});

it('columns of costs lose their values before anything else when rates are taken away (D6)', SLOW, async () => {
  const url = await server.newDatabase();
  const marts = ['lines', 'people'];
  const { database, publish } = await openPublishedDatabase(url);
  await publish({ marts });
  await query(url, 'ANALYZE plumbline.lines');
  const statistics = `SELECT COUNT(*)::text FROM pg_stats WHERE tablename = 'lines' AND attname = 'cost'
    AND (most_common_vals IS NOT NULL OR histogram_bounds IS NOT NULL)`;
  expect(await query(url, statistics)).toEqual([['1']]);
  await query(url, 'CREATE VIEW public.costs AS SELECT SUM(cost) AS cost FROM plumbline.lines');
  await expect(publish({ hasRates: false, marts })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The column plumbline\.lines\.cost must go, and others depend on it: view costs depends on column cost of table plumbline\.lines$/,
    ),
    hint: expect.stringMatching(/^It has no values any more/),
  });
  expect(await query(url, 'SELECT cost FROM public.costs')).toEqual([[null]]);
  expect(await query(url, statistics)).toEqual([['0']]);
  expect(await query(url, 'SELECT has_rates::text FROM plumbline.version')).toEqual([['false']]);
  await query(url, 'DROP VIEW public.costs');
  await publish({ hasRates: false, marts });
  expect(
    await query(
      url,
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'plumbline' AND column_name IN ('cost', 'cost_rate', 'amount_at_risk')`,
    ),
  ).toEqual([]);
  await publish({ marts });
  await expectEqual(url, database, marts);
});

it(
  'any other column that must go stops with the names of what depends on it, and nothing is changed (D6)',
  SLOW,
  async () => {
    const url = await server.newDatabase();
    const marts = ['people'];
    const { put, publish } = await openPublishedDatabase(url);
    await publish({ marts });
    const [version] = await query(url, 'SELECT data_version FROM plumbline.version');
    await query(url, 'ALTER TABLE plumbline.people ADD COLUMN nickname text');
    await query(url, 'CREATE VIEW public.nicknames AS SELECT nickname FROM plumbline.people');
    put('changed');
    await expect(publish({ marts })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The column plumbline\.people\.nickname must go, and others depend on it: view nicknames depends on column nickname of table plumbline\.people$/,
      ),
      hint: expect.stringMatching(/^The tables are as before/),
    });
    expect(await query(url, 'SELECT data_version FROM plumbline.version')).toEqual([version]);
    await query(url, 'DROP VIEW public.nicknames');
    await query(url, 'ALTER TABLE plumbline.people ALTER COLUMN is_known TYPE text');
    await query(url, 'CREATE VIEW public.known AS SELECT is_known FROM plumbline.people');
    await expect(publish({ marts })).rejects.toThrow(
      /^The type of plumbline\.people\.is_known must become boolean, and others depend on it: rule _RETURN on view known/,
    );
  },
);

it('a reader who holds a table stops a column from going for 10 s, and no longer', SLOW, async () => {
  const url = await server.newDatabase();
  const { publish } = await openPublishedDatabase(url);
  await publish({ marts: ['roles'] });
  await query(url, 'ALTER TABLE plumbline.roles ADD COLUMN own text');
  const reader = await connectTo(url);
  onTestFinished(() => reader.end());
  await reader.query('BEGIN; SELECT 1 FROM plumbline.roles');
  await expect(publish({ marts: ['roles'] })).rejects.toThrow(
    /^The column plumbline\.roles\.own must go, and somebody who reads/,
  );
});

it('what is wrong with the server or its schema has a sentence', SLOW, async () => {
  const url = await server.newDatabase();
  const marts = ['roles'];
  const fail = async (address: string, schema = 'plumbline') => {
    const { publish } = await openPublishedDatabase(address, schema);
    return publish({ marts }).then(
      () => 'published',
      (error: Error) => error.message.replaceAll(String(server.port), 'PORT').split('\n')[0],
    );
  };
  await query(url, 'CREATE SCHEMA other; CREATE TABLE other.orders (id int)');
  await query(url, 'CREATE ROLE nobody LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC');
  const holder = await connectTo(url);
  onTestFinished(() => holder.end());
  const as = (role: string, database = new URL(url).pathname) =>
    `postgres://${role}@127.0.0.1:${server.port}/${database.slice(1)}`;
  expect(await fail(url, 'other')).toBe(
    "The schema other has orders, and no table version of Plumbline, so it is another program's",
  );
  expect(await fail(as('nobody'))).toMatch(/^PostgreSQL at 127\.0\.0\.1:PORT says: permission denied for database/);
  expect(await fail(as('stranger'))).toBe('PostgreSQL at 127.0.0.1:PORT says: role "stranger" does not exist');
  expect(await fail(as('postgres', '/nowhere'))).toBe(
    'PostgreSQL at 127.0.0.1:PORT says: database "nowhere" does not exist',
  );
  expect(await fail('postgres://127.0.0.1:1/db')).toMatch(
    /^The connection to PostgreSQL at 127\.0\.0\.1:1 failed: connect ECONNREFUSED/,
  );
  await holder.query(`SELECT pg_advisory_lock(hashtextextended('plumbline ' || 'plumbline', 0))`);
  expect(await fail(url)).toBe('Another process publishes into the schema plumbline');
});

it('two occurrences that are due at once are published one after the other', SLOW, async () => {
  const url = await server.newDatabase();
  const text = WAREHOUSE.replace('all', '[roles]').replace(', grants: {select: [bi]}', '');
  const { at, deliverer, told } = await openDelivered(text, '2026-06-03T04:59:00Z', { PG_URL: url });
  await deliverer.begin('warehouse');
  await deliverer.begin('warehouse');
  await at('2026-06-03T05:00:00Z');
  const sent = expect.stringMatching(/^warehouse postgres:[0-9a-f]{8}\/plumbline sent$/);
  expect(told).toEqual([sent, sent]);
});

it('rows without a key are changed by their number of copies, and the others stay as they are', async () => {
  const url = await server.newDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-copies-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const columns = [
    { name: 'finding', type: 'text', comment: '' },
    { name: 'day', type: 'date', comment: '' },
  ];
  const mart = { name: 'findings', comment: '', key: [], refers: {}, columns };
  const make = async (name: string, rows: string) => {
    const database = await openDatabase(join(folder, name));
    await database.run(`CREATE SCHEMA marts; CREATE TABLE marts.findings AS
      SELECT * FROM (VALUES ${rows}) AS rows(finding, day)`);
    return database;
  };
  const kept = "('kept', DATE '2026-05-01'), ('kept', DATE '2026-05-01')";
  const then = await make('then.duckdb', `${kept}, ('more', NULL), ('fewer', NULL), ('fewer', NULL), ('gone', NULL)`);
  const file = join(folder, 'rows.csv');
  await writeMartRows(then, mart, 'all', file);
  await then.close();
  const now = await make('now.duckdb', `${kept}, ('more', NULL), ('more', NULL), ('fewer', NULL), ('new', NULL)`);
  onTestFinished(() => now.close());
  const { catalog } = await now.attach(join(folder, 'then.duckdb'));
  const changed = await withPostgres(url, USUAL_TIME, async (client) => {
    await client.query('CREATE TABLE public.findings (finding text, day date)');
    await fillTable(client, 'public', mart, file);
    await writeMartRows(now, mart, { earlier: catalog }, file);
    await client.query('BEGIN');
    const count = await changeRows(client, 'public', mart, file, false);
    await client.query('COMMIT');
    return count;
  });
  expect(changed).toBe(5);
  const rows = await query(url, 'SELECT finding, day::text FROM findings ORDER BY ctid');
  expect(rows.slice(0, 2)).toEqual([
    ['kept', '2026-05-01'],
    ['kept', '2026-05-01'],
  ]);
  expect(rows.map(([finding]) => finding).sort()).toEqual(['fewer', 'kept', 'kept', 'more', 'more', 'new']);
});

it('a constraint that somebody added is named, with the way out, and the tables are as before', SLOW, async () => {
  const url = await server.newDatabase();
  const { publish, put } = await openPublishedDatabase(url);
  const marts = ['people', 'lines'];
  await publish({ marts });
  const fail = (change: string, undo: string) =>
    query(url, change)
      .then(() => publish({ marts }))
      .then(
        () => 'published',
        ({ message, hint }: AppError) => `${message.replace(/^.* says: /, '')} ${hint}`,
      )
      .finally(() => query(url, undo));
  put('changed');
  const [count] = await query(url, 'SELECT COUNT(*) FROM plumbline.lines');
  const end = 'the table plumbline.lines takes the rows of its mart, and no others. The tables are as before.';
  const alter = 'ALTER TABLE plumbline.lines';
  expect(
    await fail(
      `${alter} ADD owner text NOT NULL DEFAULT 'x'; ${alter} ALTER owner DROP DEFAULT`,
      `${alter} DROP owner`,
    ),
  ).toMatch(new RegExp(`null value in column "owner".* Let the column owner be null, or drop it: ${end}$`));
  expect(
    await fail(`${alter} ADD CONSTRAINT few CHECK (hours <> 3.25) NOT VALID`, `${alter} DROP CONSTRAINT few`),
  ).toMatch(new RegExp(`violates check constraint "few" Drop the constraint few: ${end}$`));
  expect(await query(url, 'SELECT COUNT(*) FROM plumbline.lines')).toEqual([count]);
  await publish({ marts });
});

it('texts that mean something to PostgreSQL, and reserved words as names, arrive as they are', async () => {
  const url = await server.newDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-words-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const names = ['order', 'select', 'user', 'table', 'Quoted "name"'];
  const texts = [
    'NaN',
    'Infinity',
    '-inf',
    'null',
    'NULL',
    '',
    '\\N',
    '\\.',
    '"',
    'a,b',
    ' \t',
    'line\r\nend',
    "O'Brien",
  ];
  const columns = [...names, 'none'].map((name) => ({ name, type: 'text', comment: `It's ${name}` }));
  const mart = { name: 'group', comment: '', key: ['order'], refers: {}, columns };
  const file = join(folder, 'rows.csv');
  const database = await openDatabase(join(folder, 'words.duckdb'));
  onTestFinished(() => database.close());
  const rows = texts.map((text) => `(${names.map(() => quoteText(text)).join(', ')}, NULL)`);
  const list = columns.map(({ name }) => quoteName(name)).join(', ');
  await database.run(
    `CREATE SCHEMA marts; CREATE TABLE marts."group" AS SELECT * FROM (VALUES ${rows.join(', ')}) AS texts(${list})`,
  );
  await writeMartRows(database, mart, 'all', file);
  await withPostgres(url, USUAL_TIME, async (session) => {
    await session.query('CREATE SCHEMA "select"');
    await createTable(session, 'select', mart);
    await commentTable(session, 'select', mart, undefined);
    await fillTable(session, 'select', mart, file);
  });
  const found = await query(url, `SELECT ${list} FROM "select"."group"`);
  expect(found).toEqual(texts.map((text) => [...names.map(() => text), null]));
});

it('a first publication that fails leaves nothing behind', SLOW, async () => {
  const url = await server.newDatabase();
  const { publish } = await openPublishedDatabase(url);
  await expect(publish({ marts: ['roles'], readers: ['bi_of_nobody'] })).rejects.toMatchObject({
    message: expect.stringMatching(/says: role "bi_of_nobody" does not exist$/),
    hint: 'Create the role that grants names, or leave it out.',
  });
  expect(await query(url, `SELECT nspname FROM pg_namespace WHERE nspname = 'plumbline'`)).toEqual([]);
});

it('a connection that breaks between two statements says why', SLOW, async () => {
  const url = await server.newDatabase();
  const breaking = withPostgres(url, USUAL_TIME, async (client) => {
    const { rows } = await client.query<{ pid: string }>('SELECT pg_backend_pid()::text AS pid');
    await query(url, `SELECT pg_terminate_backend(${rows[0]?.pid})`);
    await sleep(BROKEN_MS);
    await client.query('SELECT 1');
  });
  await expect(breaking).rejects.toMatchObject({
    code: 'source',
    message: expect.stringContaining('terminating connection due to administrator command'),
  });
});
