import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, readUntil } from '../../src/database/database.ts';
import { readQuery } from '../../src/report/run/run.ts';
import { readTies } from '../../src/report/run/ties.ts';
import { BUNDLED, buildDataset, catalogue, LOADED } from '../sql/company.ts';

let database: Database;
beforeAll(async () => {
  database = await buildDataset(BUNDLED, LOADED);
});
afterAll(() => database.close());

const WINDOW = { start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };

/** Reads the generation once, for requests that each have a database of their own. */
async function openRequests() {
  let readings = 0;
  const counted: Database = {
    ...database,
    rows: (...statement) => {
      readings += 1;
      return database.rows(...statement);
    },
  };
  const { context, query } = await readQuery(
    counted,
    { full: catalogue, withoutRates: catalogue },
    'projects',
    WINDOW,
    {
      now: LOADED,
    },
  );
  readings = 0;
  const request = (signal = new AbortController().signal) =>
    readTies({ ...context, database: readUntil(signal, counted) }, query);
  return { request, countReadings: () => readings };
}

test('the requests of a window read its tie-outs once', async () => {
  const { request, countReadings } = await openRequests();
  const [first, second] = await Promise.all([request(), request()]);
  expect(first.length).toBeGreaterThan(3);
  expect([second, await request()]).toEqual([first, first]);
  expect(countReadings()).toBe(1);
});

test('a request that ends takes the tie-outs of no other along', async () => {
  const { request, countReadings } = await openRequests();
  const client = new AbortController();
  const ended = request(client.signal);
  const others = [request(), request()];
  client.abort(new Error('The client left'));
  await expect(ended).rejects.toThrow('The client left');
  const [first, second] = await Promise.all(others);
  expect(first?.length).toBeGreaterThan(3);
  expect(second).toEqual(first);
  expect(countReadings()).toBe(2);
});

test('a generation that follows reads its own', async () => {
  const { request } = await openRequests();
  const next = await openRequests();
  expect(await next.request()).toEqual(await request());
  expect(next.countReadings()).toBe(1);
});
