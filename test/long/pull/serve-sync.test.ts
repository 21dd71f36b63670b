import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type Server } from '../../../src/doors/http/server.ts';
import { openLiveSource } from '../../../src/store/live/live-source.ts';
import { syncRepeatedly } from '../../../src/store/sync/sync.ts';
import { type Served, serve } from '../../http/served.ts';
import { serverConfig } from '../../http/server-config.ts';
import { company, TASKS } from '../../sync/company.ts';
import { makeFolder, openFastReader } from '../../sync/pulling.ts';

let origin: Served;
let server: Server;
const logged: string[] = [];
const { folder, remove } = makeFolder();

const get = (path: string) => fetch(`${server.url}${path}`);

/** Waits for something to become true of the server. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100);
}

async function countTasks(): Promise<number> {
  const { headers } = await get('/v3/tasks?per-page=1');
  return Number(headers.get('x-pagination-total-count'));
}

beforeAll(async () => {
  origin = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
  const file = join(folder, 'company.duckdb');
  const live = await openLiveSource({ database: file, memoryLimitMib: 512 }, new Date());
  const reader = openFastReader(origin.url);
  server = await openServer(
    { ...serverConfig({ database: file, tokens: join(folder, 'tokens.json') }), publishEverySeconds: 1 },
    {
      live,
      maxAgeSeconds: 3600,
      log: (lines) => void logged.push(lines),
      sync: (opened, listener) => {
        const parts = { reader, live: opened, database: live.database, file, memoryLimitMib: 256 };
        return syncRepeatedly(parts, { everySeconds: 1 }, listener);
      },
    },
  );
});
afterAll(async () => {
  await server.close();
  await origin.close();
  remove();
});

describe('a server that syncs', () => {
  it('starts without a database, which is no error', async () => {
    await expect.poll(() => logged.join('')).toContain('nothing is published yet');
    const levels = logged.flatMap((lines) => lines.trim().split('\n')).map((line) => JSON.parse(line).level);
    expect(levels.filter((level) => level === 'error' || level >= 50)).toEqual([]);
  });

  it('is ready once the first sync is published, and answers its records', async () => {
    await until(async () => (await get('/readyz')).status === 200);
    expect(await countTasks()).toBe(TASKS);
    const { meta } = (await (await get('/v3/reports/projects?start_date=2026-01-01&end_date=2026-01-31')).json()) as {
      meta: Record<string, string>;
    };
    expect(meta).toMatchObject({
      source: `${origin.url}/v3`,
      synced_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it('follows its source by itself', async () => {
    const deleted = await fetch(`${origin.url}/v3/tasks/1`, { method: 'DELETE' });
    expect(deleted.status).toBe(204);
    await until(async () => (await countTasks()) === TASKS - 1);
    // A run is counted when its numbers are shown, just after its records.
    await until(async () =>
      /^plumbline_sync_records_total\{what="gone"\} 1$/m.test(await (await get('/metrics')).text()),
    );
  });

  it('takes no changes, because its source would undo them', async () => {
    const body = JSON.stringify({ name: 'Eve' });
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${server.url}/v3/people`, { method: 'POST', headers, body });
    expect(status).toBe(405);
  });
});
