import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve } from '../http/served.ts';
import { planWeek } from './client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({ data: 'nothing', write: true, inMemory: true });
});
afterAll(() => served.close());

it('a new company is empty, and the next report shows what a client writes', { tags: ['slow'] }, async () => {
  const { token } = await served.token(['reports', 'rates', 'write']);
  const readPeopleStatus = async () => (await served.get('/v3/people', { authorization: `Bearer ${token}` })).status;
  await expect.poll(readPeopleStatus).toBe(200);
  expect(await planWeek(served.url, token)).toEqual({
    person: 1,
    scheduledHours: 32.5,
    actualHours: 7.25,
    refusal: [{ field: 'name', message: 'name: missing' }],
  });
});
