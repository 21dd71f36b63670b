import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { findPlace, MIN_PLACED_OFFSET } from '../../src/store/record/page-places.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';

const RECORDS = 40_000;

const PER_PAGE = 200;

let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
  // Three records a second, 4,000 at one moment, and some without a moment.
  await database.run(`
    CREATE TABLE record AS SELECT id, hash(id) % 3 = 0 AS third,
      CASE WHEN id % 97 <> 0 THEN TIMESTAMP '2026-01-01' + to_seconds(CAST(CASE WHEN id BETWEEN 20000 AND 24000
        THEN 7000 ELSE (id * 7919 % ${RECORDS}) // 3 END AS INTEGER)) END AS created
    FROM range(${RECORDS}) AS numbers (id)`);
});
afterAll(() => database.close());

/** Returns the ids of a page, found by its place and by sorting the whole list, and the rows sorted for it. */
async function readBoth(offset: number, where: string, isDescending: boolean) {
  const view = { fields: undefined, expand: [], ignored: [] };
  const order = `created ${isDescending ? 'DESC' : 'ASC'} NULLS LAST, id DESC`;
  const moment = { column: 'created', isDescending };
  const query = { ...view, where, order, moment, page: offset / PER_PAGE + 1, perPage: PER_PAGE };
  const place = await findPlace(database, 'record', query);
  const select = (from: string, skipped: number) =>
    database.rows(`SELECT id FROM record WHERE ${from} ORDER BY ${order} LIMIT ${PER_PAGE} OFFSET ${skipped}`);
  const [row] = await database.rows<{ total: number; sorted: number }>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE ${place.where}) AS sorted FROM record WHERE ${where}`,
  );
  const [found, wanted] = [await select(place.where, place.offset), await select(where, offset)];
  return { found, wanted, place, total: row?.total, sorted: row?.sorted };
}

it(`finds each page that sorting the whole list finds, also after writes, PLUMBLINE_SEED=${SEED}`, {
  tags: ['slow'],
}, async () => {
  const random = new Prng(SEED);
  for (let round = 0; round < 150; round += 1) {
    const where = random.pick(['TRUE', 'third', 'id < 5 OR id > 9']);
    const offset = random.int(MIN_PLACED_OFFSET / PER_PAGE, RECORDS / PER_PAGE + 5) * PER_PAGE;
    const { found, wanted, place, total } = await readBoth(offset, where, random.chance(0.5));
    expect(found, `offset ${offset} of ${where} in round ${round}`).toEqual(wanted);
    expect(place.total).toBe(total);
    if (random.chance(0.1)) await database.run(`DELETE FROM record WHERE hash(id + ${round}) % 20 = 0`);
    if (random.chance(0.1))
      await database.run(
        `INSERT INTO record SELECT id + ${RECORDS * (round + 1)}, third, created FROM record WHERE hash(id) % 15 = 0`,
      );
  }
});

it('sorts a small part of the list', async () => {
  for (const isDescending of [true, false]) {
    const { sorted } = await readBoth(RECORDS / 4, 'TRUE', isDescending);
    expect(sorted).toBeGreaterThanOrEqual(PER_PAGE);
    expect(sorted).toBeLessThan(RECORDS / 4);
  }
});
