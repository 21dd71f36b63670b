import { afterAll, beforeAll, expect, it } from 'vitest';
import { QUARTER, type Served, serve } from '../../http/served.ts';
import { priced } from '../../published/dataset.ts';

/** Parallel requests of one reader, and sequential requests of another. */
const [PARALLEL, SEQUENTIAL] = [60, 10];

const HOUR = { people_id: 1, project_id: 1, date: '2026-01-07', hours: 0.25 };

let served: Served;
beforeAll(async () => {
  served = await serve({ data: priced, write: true, scopes: ['reports', 'write'] });
});
afterAll(() => served.close());

it.each([
  { what: 'reports', path: `/v3/reports/people?${QUARTER}`, method: 'GET' },
  { what: 'lists of records', path: '/v3/logged-time?per-page=200', method: 'GET' },
  { what: 'writes', path: '/v3/logged-time', method: 'POST' },
])(
  'a reader with many parallel requests for $what delays another by one turn, not by the whole queue',
  async ({ path, method }) => {
    const sendAs = async (authorization: string) => {
      const headers = { authorization };
      const reply = method === 'GET' ? await served.get(path, headers) : await served.post(path, HOUR, headers);
      return reply.status;
    };
    const { header: busy } = await served.token(['reports', 'write']);
    const { header: quiet } = await served.token(['reports', 'write']);
    for (const header of [busy, quiet]) {
      await expect.poll(() => sendAs(header)).toBeLessThan(300);
    }
    let isSending = true;
    let answered = 0;
    const sendMany = async () => {
      while (isSending) {
        if ((await sendAs(busy)) < 300) answered += 1;
      }
    };
    const senders = Array.from({ length: PARALLEL }, sendMany);
    const between: number[] = [];
    for (let count = 0; count < SEQUENTIAL; count += 1) {
      const before = answered;
      expect(await sendAs(quiet)).toBeLessThan(300);
      between.push(answered - before);
    }
    isSending = false;
    await Promise.all(senders);
    // In order of arrival, each request would wait for about PARALLEL others.
    const median = between.sort((one, other) => one - other)[SEQUENTIAL / 2] ?? Number.NaN;
    expect(median).toBeLessThan(PARALLEL / 4);
  },
);
