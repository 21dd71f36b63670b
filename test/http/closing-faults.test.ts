import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEEP_STEPS, steps } from '../../src/base/database/steps.ts';
import { closingsFolder } from '../../src/store/generation/generation-files.ts';
import { type ClosableServer, serveClosable } from './closable-server.ts';

const { take } = steps;
const HARD = { period: '2026-03', kind: 'hard', confirm: true };

let server: ClosableServer;
beforeAll(async () => {
  server = await serveClosable();
});
afterEach(() => {
  steps.take = take;
});
afterAll(() => server.served.close());

const statusOf = async (...request: Parameters<ClosableServer['send']>) => (await server.send(...request)).status;
const listFolders = () =>
  readdirSync(closingsFolder(server.served.database)).filter((name) => name !== 'events.ndjson');

describe('faults of closings over HTTP', { tags: ['slow'] }, () => {
  it.each(KEEP_STEPS)('keeps nothing and refuses no write after a full disk at the step "%s"', async (step) => {
    steps.take = (each, work) => {
      if (each === step) throw new Error('ENOSPC: no space left on device');
      return take(each, work);
    };
    const { status, body } = await server.send('POST', '/v3/closings', HARD);
    steps.take = take;
    expect([status, body]).toEqual([503, expect.stringMatching(/^\{.*The disk that holds .* is full/)]);
    expect(listFolders()).toEqual([]);
    expect(await statusOf('PATCH', '/v3/logged-time/a', { hours: 8 + KEEP_STEPS.indexOf(step) / 4 })).toBe(200);
  });

  it('names each thing that keeps a period from being closed hard', async () => {
    expect(await statusOf('POST', '/v3/people', { name: 'Ben' })).toBe(201);
    const [{ people_id }] = JSON.parse((await server.send('GET', '/v3/people?name=Ben')).body);
    const logged = { people_id, project_id: 1, date: '2026-03-12', hours: 5 };
    expect(await statusOf('POST', '/v3/logged-time', logged)).toBe(201);
    const { status, body } = await server.send('POST', '/v3/closings', { period: '2026-03', kind: 'hard' });
    expect([status, JSON.parse(body).errors]).toEqual([
      422,
      [
        expect.objectContaining({ field: 'missing_hours' }),
        expect.objectContaining({ field: 'hours_without_cost_rate' }),
      ],
    ]);
    // The last of them ends with a full stop, and the way out begins after it.
    expect(JSON.parse(body).message).toMatch(/[^.]\. Settle these/);
    expect(listFolders()).toEqual([]);
  });

  it('closes a period once if two ask at once, and neither twice', async () => {
    const statuses = await Promise.all([1, 2].map(() => statusOf('POST', '/v3/closings', HARD)));
    expect(statuses.sort()).toEqual([201, 409]);
    expect(listFolders()).toEqual(['2026-03@1']);
    expect(await statusOf('POST', '/v3/closings', HARD)).toBe(409);
    const reopen = () => statusOf('POST', '/v3/closings/2026-03/reopen', { reason: 'test' });
    expect((await Promise.all([reopen(), reopen()])).sort()).toEqual([200, 409]);
    expect(await reopen()).toBe(409);
  });
});
