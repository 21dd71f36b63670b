import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseXml } from '../../../src/doors/http/protocol/xml-body.ts';
import { servedResources } from '../../../src/store/record/served-resources.ts';
import { fetchReply, type Served, serve } from '../../http/served.ts';

/** Records sent back per resource; all others are only read back. */
const SENT_BACK = 10;

let served: Served;
beforeAll(async () => {
  served = await serve({ write: true, inMemory: true });
  const [{ people_id }] = (await served.get('/v3/people?per-page=1')).json();
  await served.post('/v3/status', { people_id, status_type_id: 1, start_date: '2026-01-05', end_date: '2026-01-09' });
});
afterAll(() => served.close());

const xml = { accept: 'application/xml' };

/** Converts a value to its XML form: plain values are texts, empty lists and objects are null. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plain);
  if (typeof value !== 'object' || value === null) return value === null ? null : String(value);
  const entries = Object.entries(value).map(([name, member]) => [name, plain(member)]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

it.each([...servedResources.values()])('XML keeps every record of the company: $name', async (resource) => {
  const path = `/v3/${resource.name}`;
  const expand = [...resource.expanded, ...Object.keys(resource.rules.expands ?? {})];
  for (let page = 1, count = 1; count > 0; page += 1) {
    const query = `?per-page=200&page=${page}${expand.length > 0 ? `&expand=${expand}` : ''}`;
    const reply = await served.get(`${path}${query}`);
    // An empty list of statuses has no body.
    const records = reply.status === 204 ? [] : reply.json();
    count = records.length;
    const answer = parseXml((await served.get(`${path}${query}`, xml)).text || '<response/>') ?? [];
    expect(answer).toEqual(count === 0 ? [] : plain(records));
  }
});

it.each([...servedResources.values()].filter(({ methods }) => methods.includes('update')))(
  'a record sent back as XML has the same effect as one sent back as JSON: $name',
  async (resource) => {
    const path = `/v3/${resource.name}`;
    for (const record of (await served.get(`${path}?per-page=${SENT_BACK}`)).json()) {
      const one = new URL(`${path}/${record[resource.id]}`, served.url);
      const send = (type: string, text: string) =>
        fetchReply(one, { 'content-type': type, prefer: 'handling=strict' }, 'PUT', text);
      const { text } = await fetchReply(one, xml);
      const asJson = await send('application/json', JSON.stringify(record));
      const asXml = await send('application/xml', text);
      // Both forms refuse a loaded record with a reference to a missing person (1.3).
      expect([200, 422], asJson.text).toContain(asJson.status);
      expect([asXml.status, asXml.json()]).toEqual([asJson.status, asJson.json()]);
    }
  },
);
