import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReaderProcess } from '../../../src/pull/reader-process.ts';
import { readSyncStatus } from '../../../src/store/generation/sync-status.ts';
import { syncOnce } from '../../../src/store/sync/sync.ts';
import { type Served, serve } from '../../http/served.ts';
import { makeFolder, type Opened, openData } from '../../live/data.ts';
import { withoutPublishing } from '../../live/memory-source.ts';
import { company, TASKS } from '../../sync/company.ts';
import { type FaultySource, given, openFaultySource, when } from '../../sync/faulty-source.ts';
import { NEVER, TOKEN } from '../../sync/pulling.ts';

const MEMORY_MIB = 64;

/** Objects within the limits of an answer, which take more than the memory once parsed. */
const OBJECTS = 2_400_000;

let served: Served;
let source: FaultySource;
let place: Awaited<ReturnType<typeof makeFolder>>;
let synced: Opened;

beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
  source = await openFaultySource(served.url);
  place = await makeFolder('nothing');
  synced = await openData(place.file, { isSynced: true, wrap: withoutPublishing });
});
afterAll(async () => {
  await synced.close();
  await source.close();
  await served.close();
  place.remove();
});

it('a process that runs out of memory fails its run with a sentence, and the next run is good', async () => {
  const huge = { ...given(200, []), body: Buffer.from(`[${'{},'.repeat(OBJECTS)}{}]`) };
  source.faults = [
    when(
      ({ path }) => path === '/v3/tasks',
      async () => huge,
    ),
  ];
  const reader = openReaderProcess({
    url: source.url,
    token: () => TOKEN,
    requestsPerMinute: 60_000,
    memoryMib: MEMORY_MIB,
  });
  const { database } = synced.source;
  const parts = { reader, live: synced, database, file: place.file, memoryLimitMib: 256 };
  const hint =
    'Nothing was changed here. The service sends more in one answer, or longer lists, than the scheduling API has.';
  const message = `Reading ${new URL(source.url).host} takes more than ${MEMORY_MIB} MiB of memory`;
  try {
    await expect(syncOnce(parts, {}, NEVER)).rejects.toMatchObject({ code: 'source', message, hint });
    expect(readSyncStatus(place.file)?.last_run).toMatchObject({ result: 'failed', message: `${message}. ${hint}` });
    source.faults = [];
    // The records that the killed process had read are kept, so a run of what has changed since follows.
    const runs = await syncOnce(parts, {}, NEVER);
    expect(runs.map(({ result }) => result)).toEqual(['ok', 'ok']);
    expect(await database.rows('SELECT count(*) AS tasks FROM source.tasks')).toEqual([{ tasks: TASKS }]);
  } finally {
    await reader.close();
  }
});
