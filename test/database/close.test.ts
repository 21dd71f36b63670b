import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { isLocked } from './lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-close-'));
const file = join(folder, 'numbers.duckdb');

/** More rows than a stream buffers, which keeps an unread stream open. */
const ROWS = 2_000_000;

/** Runs for minutes unless interrupted. */
const LONG = 'SELECT COUNT(*) AS count FROM numbers AS a CROSS JOIN numbers AS b WHERE a.number + b.number < 0';

/** Returns rows at once and continues for minutes. */
const LONG_STREAM = 'SELECT a.number AS a, b.number AS b FROM numbers AS a CROSS JOIN range(1000000) AS b (number)';

beforeAll(async () => {
  const database = await openDatabase(file);
  await database.run(`CREATE TABLE numbers AS SELECT range AS number FROM range(${ROWS})`);
  await database.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

const open = () => openDatabase(file, { readOnly: true });

async function closesWithin(database: Database, limitMs: number): Promise<boolean> {
  const startedAt = performance.now();
  await database.close();
  return performance.now() - startedAt < limitMs;
}

it('an unread stream does not keep the file locked', { tags: ['slow'] }, async () => {
  const database = await open();
  await database.stream('SELECT number FROM numbers');
  expect(isLocked(file)).toBe(true);
  await database.close();
  expect(isLocked(file)).toBe(false);
});

async function countConnections(database: Database): Promise<number | undefined> {
  const [row] = await database.rows<{ count: number }>('SELECT count FROM duckdb_connection_count()');
  return row?.count;
}

it('an abandoned stream frees its connection at once, and the file when the database closes', async () => {
  const database = await open();
  const before = await countConnections(database);
  for (let time = 0; time < 5; time += 1) {
    const { chunks } = await database.stream('SELECT number FROM numbers');
    expect(await countConnections(database)).toBe((before ?? 0) + 1);
    for await (const chunk of chunks) if (chunk.length > 0) break;
  }
  expect(await countConnections(database)).toBe(before);
  await database.close();
  expect(isLocked(file)).toBe(false);
});

it('reading on after the database is closed is an error, never a silent end', async () => {
  const database = await open();
  const { chunks } = await database.stream('SELECT number FROM numbers');
  const iterator = chunks[Symbol.asyncIterator]();
  await iterator.next();
  await database.close();
  await expect(iterator.next()).rejects.toMatchObject({ message: 'The database was closed' });
});

it('closing ends running statements, starting streams and open streams', async () => {
  const database = await open();
  const counted = database.rows(LONG);
  const starting = database.stream(LONG);
  const read = (async () => {
    let rows = 0;
    for await (const chunk of (await database.stream(LONG_STREAM)).chunks) rows += chunk.length;
    return rows;
  })();
  const ends = Promise.allSettled([counted, starting, read]);
  await sleep(200);
  expect(await closesWithin(database, 5_000)).toBe(true);
  const closed = { status: 'rejected', reason: expect.objectContaining({ message: 'The database was closed' }) };
  expect(await ends).toEqual([closed, closed, closed]);
  expect(isLocked(file)).toBe(false);
  await expect(database.rows('SELECT 1')).rejects.toThrow('The database was closed');
});

it('closing also ends a statement that has not started', async () => {
  const database = await open();
  const many = Array.from({ length: 12 }, () => database.rows(LONG));
  const ends = Promise.allSettled(many);
  expect(await closesWithin(database, 5_000)).toBe(true);
  expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
});

it('closing twice has no further effect', async () => {
  const database = await open();
  await Promise.all([database.close(), database.close()]);
  await database.close();
  expect(isLocked(file)).toBe(false);
});

it('closing a writer rolls back its open transaction', async () => {
  const own = join(folder, 'transaction.duckdb');
  const database = await openDatabase(own);
  await database.run('CREATE TABLE made (number INTEGER)');
  const work = database.transaction(async () => {
    await database.run('INSERT INTO made VALUES (1)');
    await database.rows('SELECT COUNT(*) FROM range(10000000) AS a CROSS JOIN range(10000000) AS b');
  });
  const ended = expect(work).rejects.toThrow('The database was closed');
  await sleep(100);
  await database.close();
  await ended;
  const reopened = await openDatabase(own);
  expect(await reopened.rows('SELECT * FROM made')).toEqual([]);
  await reopened.close();
});
