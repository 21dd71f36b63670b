import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { workingFile } from '../../src/store/generation/generation-files.ts';
import { freezeWorking, publishWorking } from '../../src/store/live/publish-working.ts';
import { limitFirstMemory } from '../../src/store/sync/first-memory.ts';
import { makeFolder } from './data.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let file: string;
let working: Database;

const readLimit = async (database: Database) => {
  const [row] = await database.rows<{ mib: string }>("SELECT current_setting('memory_limit') AS mib");
  return row?.mib;
};

beforeAll(async () => {
  folder = await makeFolder('nothing');
  ({ file } = folder);
  working = await openDatabase(workingFile(file), { memoryLimitMib: 900 });
  await working.run('CREATE SCHEMA service; CREATE TABLE kept AS SELECT 1 AS one');
  await working.run('CREATE SCHEMA sync; CREATE TABLE sync.runs (result TEXT)');
});
afterAll(async () => {
  await working.close();
  folder.remove();
});

/** Publishes with an error in the first attempt. Returns the memory of each attempt. */
async function publishAfter(error: Error): Promise<unknown[]> {
  const limits: unknown[] = [];
  await freezeWorking(working);
  await publishWorking(working, file, 500, {
    async generation(database) {
      limits.push(await readLimit(database));
      if (limits.length === 1) throw error;
    },
  }).catch((failure: Error) => limits.push(failure.message));
  return limits;
}

it('publishes with little memory, and with all if that is too little', async () => {
  const cause = new Error('Out of Memory Error: failed to pin block of size 256.0 KiB (256.0 MiB/256.0 MiB used)');
  expect(await publishAfter(new Error('Another fault'))).toEqual(['256.0 MiB', 'Another fault']);
  expect(existsSync(file)).toBe(false);
  expect(await publishAfter(new Error('A model fails', { cause }))).toEqual(['256.0 MiB', '500.0 MiB']);
  expect(existsSync(file)).toBe(true);
});

it('limits the memory of a first sync until it is over', async () => {
  const pulled = { directory: '/no folder' };
  const none = `${file}-none`;
  const memory = await limitFirstMemory(working, none, pulled, 450);
  expect([memory.memoryLimitMib, await readLimit(working)]).toEqual([400, '400.0 MiB']);
  await memory.restore();
  expect(await readLimit(working)).toBe('900.0 MiB');
  const small = await limitFirstMemory(working, none, pulled, 128);
  expect([small.memoryLimitMib, await readLimit(working)]).toEqual([128, '256.0 MiB']);
  await small.restore();
  expect(await limitFirstMemory(working, file, pulled, 450)).toMatchObject({ memoryLimitMib: 450 });
  expect(await readLimit(working)).toBe('900.0 MiB');
  await working.run("INSERT INTO sync.runs VALUES ('failed')");
  expect(await limitFirstMemory(working, none, pulled, 450)).toMatchObject({ memoryLimitMib: 450 });
  expect(await readLimit(working)).toBe('900.0 MiB');
});
