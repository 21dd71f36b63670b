import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldType } from '../../src/records/resource/field.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { readBody } from '../../src/store/record/body.ts';
import { openService, type Service } from './service.ts';

/** Two values of the types whose fields can have several names. */
const VALUES: Readonly<Partial<Record<FieldType, readonly [string | number, string | number]>>> = {
  id: [1, 2],
  name: ['old', 'new'],
  date: ['2026-01-05', '2026-01-06'],
};

/** Fields with several names in a body, of the types above. Objects with an id are left out. */
const MANY_NAMES = resources.flatMap((resource) =>
  Object.entries(resource.fields)
    .map(([name, { type, from = [] }]) => ({ resource, name, type, from: from.filter((path) => !isOuter(path, from)) }))
    .filter(({ name, from }) => from.length > 1 && !resource.computed.includes(name))
    .map(({ type, ...field }) => ({ ...field, values: VALUES[type] ?? [] })),
);

function isOuter(path: string, paths: readonly string[]): boolean {
  return paths.some((other) => other.startsWith(`${path}.`));
}

function bodyOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const body: Record<string, Record<string, unknown> | unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [head = '', member] = path.split('.');
    body[head] = member === undefined ? value : { ...(body[head] as object | undefined), [member]: value };
  }
  return body;
}

/** Habits of clients of the original API that its description doesn't mention. */
describe('clients of the original API', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({ people: [{ people_id: 1, name: 'Ann' }] });
  });
  afterAll(() => service.close());

  it.each(['people?page=9', 'projects', 'deleted/tasks'])('read pages until %s returns []', async (path) => {
    expect((await service.call('GET', `/v3/${path}`)).text).toBe('[]');
  });

  it.each(
    MANY_NAMES.flatMap((field) => field.from.map((changed) => ({ ...field, changed, table: field.resource.name }))),
  )(
    'send back all names of $name of $table with only $changed changed',
    ({ resource, name, from, values: [old, fresh], changed }) => {
      const unchanged = Object.fromEntries(from.map((path) => [path, old]));
      const others = Object.keys(resource.fields).filter((each) => each !== name);
      const read = (sent: Readonly<Record<string, unknown>>) =>
        readBody(resource, bodyOf(sent), others, { [name]: old ?? null }).values[name];
      expect([read(unchanged), read({ ...unchanged, [changed]: fresh })]).toEqual([old, fresh]);
    },
  );

  it.each(resources.map(({ name }) => name))(
    'read %s from the most recent on, and changes since a day',
    async (table) => {
      const path = table.replaceAll('_', '-');
      const { status, headers } = await service.call(
        'GET',
        `/v3/${path}?modified_since=1970-01-01&sort=created,-modified`,
      );
      expect({ status, ignored: headers['x-ignored-parameters'] }).toEqual({
        // An empty list of statuses has no body.
        status: table === 'status' ? 204 : 200,
        ignored: undefined,
      });
    },
  );

  it.each([
    [{ region_id: 3, region: { name: 'Bavaria' } }, 201, 3],
    [{ region: { id: 4, name: 'Bavaria' } }, 201, 4],
    [{ region: 5 }, 201, 5],
    [{ region: { name: 'Bavaria' } }, 422, undefined],
  ])('name the region of a holiday as %j', async (region, status, id) => {
    const reply = await service.call('POST', '/v3/holidays', { name: 'Epiphany', date: '2027-01-06', ...region });
    expect([reply.status, reply.json.region_id]).toEqual([status, id]);
  });

  it('get an error when two names of a field have different new values', async () => {
    const body = { name: 'Bob', department_id: 1, department: { department_id: 2 } };
    expect((await service.call('POST', '/v3/people', body)).json.errors).toEqual([
      {
        field: 'department_id',
        message:
          'department_id: department_id and department.department_id have different values; send only one of them',
      },
    ]);
  });

  it('use repeat_end as the end of a repeated time off', async () => {
    const off = { people_ids: [1], start_date: '2026-03-02', end_date: '2026-03-02', repeat_state: 1 };
    const { json } = await service.call('POST', '/v3/timeoffs', { ...off, repeat_end: '2026-03-09' });
    expect(json).toMatchObject({ repeat_end: '2026-03-09', repeat_end_date: '2026-03-09' });
    const sentBack = { ...json, repeat_end: '2026-03-16' };
    expect((await service.call('PATCH', `/v3/timeoffs/${json.timeoff_id}?fields=repeat_end`, sentBack)).json).toEqual({
      repeat_end: '2026-03-16',
    });
    const { json: found } = await service.call('GET', '/v3/timeoffs?repeat_end=2026-03-16&sort=-repeat_end');
    expect(found).toMatchObject([{ timeoff_id: json.timeoff_id }]);
  });
});
