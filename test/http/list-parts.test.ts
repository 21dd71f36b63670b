import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { LIMITS } from '../../src/doors/http/protocol/limits.ts';
import { makeSemaphores, policyOf, type Semaphores } from '../../src/doors/http/protocol/semaphores.ts';
import { openStates } from '../../src/store/ask/open-states.ts';
import { takeTurn } from '../../src/store/ask/turn.ts';
import type { OpenGeneration } from '../../src/store/generation/generations.ts';

const ROWS = 'SELECT range AS number FROM range(10000)';
const { signal } = new AbortController();

let folder: string;
let opened: Database;
let semaphores: Semaphores;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-parts-'));
  opened = await openDatabase(':memory:');
  semaphores = makeSemaphores(LIMITS);
});

afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true });
});

/** Reads as an answer of a reader does. */
function read<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const generation = { company: {}, today: () => '2026-11-28', database: () => opened } as unknown as OpenGeneration;
  const lease = { open: async () => generation, release: () => undefined };
  const state = { generation, lease: () => lease } as unknown as Parameters<typeof openStates>[1]['state'];
  const policy = policyOf({ semaphores, limits: LIMITS, now: () => new Date() });
  return takeTurn({ reader: 'reader', seesRates: true, signal }, async (turn) => {
    const { context, finish } = await openStates(turn, { state, beside: undefined }, policy);
    finish();
    return use(context.database);
  });
}

const copy = (database: Database, name: string) => database.copy(`COPY (${ROWS}) TO '${join(folder, name)}'`);

const held = () => [semaphores.pieces.held(), semaphores.copies.held()];

it.each(['stream', 'columns', 'read'] as const)(
  'no permit is held while pieces of a list are sent: %s',
  async (kind) => {
    await read(async (database) => {
      let pieces = 0;
      const { chunks } = await database[kind](ROWS);
      for await (const _ of chunks) {
        pieces += 1;
        expect(held()).toEqual([0, 0]);
      }
      expect(pieces).toBeGreaterThan(1);
      for await (const _ of (await database[kind](ROWS)).chunks) break;
    });
    expect(held()).toEqual([0, 0]);
  },
);

it('copies of one reader run one after the other while another copies, and all are written', async () => {
  const end = await semaphores.copies.acquire('another', signal);
  const most: number[] = [];
  const counts = await read((database) => {
    const copies = ['a', 'b', 'c'].map((name) =>
      copy(database, name).finally(() => most.push(semaphores.copies.held())),
    );
    return Promise.all(copies);
  });
  end();
  expect(counts).toEqual([10_000, 10_000, 10_000]);
  expect(Math.max(...most)).toBe(2);
  expect(held()).toEqual([0, 0]);
});

it('a list that waits begins when the permits of another reader are given back', async () => {
  const ends = await Promise.all(
    Array.from({ length: LIMITS.runningReports }, (_, each) => semaphores.pieces.acquire(`another ${each}`, signal)),
  );
  let isRead = false;
  const reading = read(async (database) => {
    for await (const _ of (await database.stream(ROWS)).chunks) isRead = true;
  });
  await expect.poll(() => semaphores.pieces.waiting()).toBe(1);
  expect(isRead).toBe(false);
  for (const end of ends) end();
  await reading;
  expect([isRead, ...held()]).toEqual([true, 0, 0]);
});

it('a failed copy and a failed list give their permits back', async () => {
  const fail = "SELECT error('no rows') AS number";
  await read(async (database) => {
    await expect(database.copy(`COPY (${fail}) TO '${join(folder, 'failed')}'`)).rejects.toThrow('no rows');
    await expect(database.read(fail)).rejects.toThrow('no rows');
  });
  expect(held()).toEqual([0, 0]);
});
