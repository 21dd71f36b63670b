import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi, readNames } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await openApi({ people: [{ people_id: 1, name: 'Ann' }] });
});
afterAll(() => api.close());

const STRICT = { headers: { prefer: 'handling=strict' } };
const PARAMETERS = 'X-Ignored-Parameters';
const FIELDS = 'X-Ignored-Fields';

/** Requests with an unknown name: ids, method, path, body, and the header that names it. */
const unknown = [
  ['S 4.1-24', 'GET', 'people?colour=red', undefined, 200, PARAMETERS, ['colour']],
  ['S 4.1-24', 'GET', 'people/1?colour=red&shape=round', undefined, 200, PARAMETERS, ['colour', 'shape']],
  ['S 4.1-24', 'POST', 'people?colour=red', { name: 'Eve' }, 201, PARAMETERS, ['colour']],
  ['S 4.1-24', 'PATCH', 'people/1?colour=red', { name: 'Ann' }, 200, PARAMETERS, ['colour']],
  ['S 4.1-25', 'GET', 'people?fields=name,colour', undefined, 200, PARAMETERS, ['colour']],
  ['S 4.1-25', 'GET', 'people/1?expand=colour', undefined, 200, PARAMETERS, ['colour']],
  [
    'S 4.1-25',
    'PATCH',
    'people/1?fields=name,colour&expand=shape',
    { name: 'Ann' },
    200,
    PARAMETERS,
    ['colour', 'shape'],
  ],
  ['S 4.1-26, IN 1.5-7', 'POST', 'people', { name: 'Eve', colour: 'red' }, 201, FIELDS, ['colour']],
  ['S 4.1-26, IN 1.5-7', 'PATCH', 'people/1', { colour: 'red', shape: 'round' }, 200, FIELDS, ['colour', 'shape']],
] as const;

describe('unknown names are ignored and reported', () => {
  it.each(unknown)(
    '%s: %s %s is answered, and the header names the unknown names',
    async (_id, method, path, body, status, header, names) => {
      const reply = await api.send(method, path, body);
      expect(reply.status, reply.text).toBe(status);
      expect(
        readNames(reply, header)
          .map((name) => names.find((each) => name.includes(each)) ?? name)
          .sort(),
      ).toEqual([...names]);
    },
  );

  it.each(unknown)(
    'S 4.1-27, %s: with Prefer: handling=strict %s %s is 400 and names it',
    async (_id, method, path, body, _status, _header, names) => {
      const reply = await api.send(method, path, body, STRICT);
      expect(reply.status, reply.text).toBe(400);
      for (const name of names) expect(reply.text).toContain(name);
    },
  );

  it('S 4.1-24: the header is absent if all names are known', async () => {
    const reply = await api.send('GET', 'people?name=Ann&fields=name&expand=contracts');
    expect([reply.status, reply.headers.get(PARAMETERS), reply.headers.get(FIELDS)]).toEqual([200, null, null]);
  });

  it('S 4.1-27: a strict refusal writes nothing', async () => {
    await api.send('PATCH', 'people/1', { name: 'Zoe', colour: 'red' }, STRICT);
    expect((await api.read('people/1')).name).toBe('Ann');
  });

  it('S 4.1-26: an unknown field is not stored', async () => {
    await api.change('people/1', { colour: 'red' });
    expect(await api.read('people/1')).not.toHaveProperty('colour');
  });
});

it.each(['colour=red', 'fields=colour'])('S 4.1-28: a report with %s is 400', async (query) => {
  const { status, text } = await api.send('GET', `reports/people?start_date=2026-01-01&end_date=2026-01-31&${query}`);
  expect([status, text]).toEqual([400, expect.stringContaining('colour')]);
});
