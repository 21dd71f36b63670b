import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lists } from '../../src/pull/source-lists.ts';
import { recordShape } from '../../src/records/ingest/records/raw-fields.ts';
import { type Served, serve } from '../http/served.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({ write: true, inMemory: true });
});
afterAll(() => served.close());

describe('a server of this program', { tags: ['slow'] }, () => {
  it.each(lists)(
    'sends a sync of $resource.name no field that a load does not know',
    async ({ resource, paths, queries }) => {
      const known = [...recordShape(resource).keys, ...resource.counted];
      for (const query of queries) {
        const { status, text } = await served.get(
          `/v3/${paths[0]}?${new URLSearchParams({ ...query, 'per-page': '200' })}`,
        );
        expect([200, 204], text).toContain(status);
        const records = text === '' ? [] : (JSON.parse(text) as Record<string, unknown>[]);
        const sent = new Set(records.flatMap((record) => Object.keys(record)));
        expect([...sent].filter((field) => !known.includes(field))).toEqual([]);
      }
    },
  );

  it('links the other pages of a list', async () => {
    for (const name of ['P1', 'P2', 'P3']) await served.post('/v3/clients', { name });
    const linksOf = async (query: string) => (await served.get(`/v3/clients?${query}`)).headers.get('link');
    const link = (page: number, relation: string) =>
      `</v3/clients?per-page=1&name=P1%2CP2%2CP3&page=${page}>; rel="${relation}"`;
    expect(await linksOf('per-page=1&name=P1,P2,P3&page=2')).toBe(
      [link(1, 'first'), link(1, 'prev'), link(3, 'next'), link(3, 'last')].join(', '),
    );
    const [first, last] = ['first', 'last'].map((relation) => `</v3/clients?name=P1&page=1>; rel="${relation}"`);
    expect(await linksOf('name=P1')).toBe(`${first}, ${last}`);
  });
});
