import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../../../src/records/resource/resource.ts';
import { resources } from '../../../src/records/resource/resources.ts';
import { servedResources } from '../../../src/store/record/served-resources.ts';
import { parseValue } from '../../../src/store/record/value.ts';
import { NEW_RECORDS } from '../../record/new-records.ts';
import { openService, type Service } from '../../record/service.ts';

/** One value of each JSON type, and texts and numbers that most fields refuse. */
const VALUES = [
  true,
  {},
  { a: 1 },
  [],
  [null],
  [[]],
  'x',
  "'; DROP TABLE source.people; --",
  '\u0000',
  '\ud800',
  -1,
  1.5,
  1e300,
  '1e3',
  '2026-02-30',
  '9'.repeat(400),
] as const;

/** Values that are never a list. */
const WRONG_LISTS = [true, 5, [true], [[[]]]] as const;

/** Values that are valid for some lists. */
const ODD_LISTS = [
  'x',
  {},
  { x: 1 },
  { add: 1, del: [{}] },
  { set: [true] },
  [{ people_id: 'x' }],
  [5.5],
  [null],
  ['\u0000'],
];

const creatable = resources.filter(({ methods }) => methods.includes('create'));

describe('every field with every wrong type', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 1, name: 'Ann' }],
      projects: [{ project_id: 1, name: 'Bridge' }],
    });
  });
  afterAll(() => service.close());

  const pathOf = ({ name }: Resource) => `/v3/${name.replaceAll('_', '-')}`;
  const send = async (method: string, path: string, body: object, name: string, isWrong: boolean) => {
    const { status, json, text } = await service.call(method, path, body);
    const what = `${method} ${path} ${JSON.stringify(body).slice(0, 200)} ${status} ${text}`;
    expect(status, what).toBeLessThan(500);
    if (!isWrong) return;
    expect(status, what).toBe(422);
    const fields = json.errors.map(({ field }: { field: string }) => field.split(/[.[]/)[0]);
    expect(fields, what).toContain(name);
  };

  it('covers every resource', () => {
    expect(creatable.map(({ name }) => name).sort()).toEqual(Object.keys(NEW_RECORDS).sort());
  });

  it.each(creatable.map((resource) => [resource.name, resource] as const))(
    'answers 422 with its name: %s',
    async (name, resource) => {
      const path = pathOf(resource);
      const body = NEW_RECORDS[name];
      const made = await service.call('POST', path, body);
      expect(made.status, made.text).toBe(201);
      const one = `${path}/${made.json[resource.id]}`;
      for (const [field, type] of Object.entries(resource.fields)) {
        if (resource.computed.includes(field)) continue;
        for (const value of VALUES) {
          const isWrong = !('value' in parseValue(type, value));
          await send('POST', path, { ...body, [field]: value }, field, isWrong);
          // A valid value could change the record for the next case.
          if (isWrong) await send('PATCH', one, { [field]: value }, field, true);
        }
      }
    },
  );

  it.each(
    creatable.flatMap((resource) =>
      Object.entries(resource.lists).flatMap(([list, { within }]) =>
        within ? [] : [[resource.name, list, resource] as const],
      ),
    ),
  )('lists: %s.%s', async (name, list, resource) => {
    const isOwn = servedResources.get(name)?.rules.own?.includes(list) ?? false;
    for (const value of WRONG_LISTS)
      await send('POST', pathOf(resource), { ...NEW_RECORDS[name], [list]: value }, list, !isOwn);
    for (const value of ODD_LISTS)
      await send('POST', pathOf(resource), { ...NEW_RECORDS[name], [list]: value }, list, false);
  });

  it.each(creatable.map((resource) => [resource.name, resource] as const))(
    'absent required fields: %s',
    async (name, resource) => {
      const names = resource.required.filter((field) => field in (NEW_RECORDS[name] ?? {}));
      for (const field of names) {
        for (const value of [undefined, null, ''])
          await send('POST', pathOf(resource), { ...NEW_RECORDS[name], [field]: value }, field, true);
      }
      const { status, json } = await service.call('POST', pathOf(resource), {});
      if (resource.required.length === 0) return;
      expect(status).toBe(422);
      expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(expect.arrayContaining([...names]));
    },
  );

  it('refuses unknown ids in references', async () => {
    for (const resource of creatable) {
      for (const [field, { refers }] of Object.entries(resource.fields)) {
        if (!refers || resource.computed.includes(field)) continue;
        await send('POST', pathOf(resource), { ...NEW_RECORDS[resource.name], [field]: 987654 }, field, true);
      }
    }
  });

  it('refuses bodies that are no object, and ignores unknown keys', async () => {
    for (const resource of creatable) {
      for (const body of [[], 'x', 5, null, true]) {
        const { status } = await service.call('POST', pathOf(resource), body);
        expect(status, `${resource.name} ${JSON.stringify(body)}`).toBe(400);
      }
      const { status, text } = await service.call('POST', pathOf(resource), {
        ...NEW_RECORDS[resource.name],
        // Two retainers of one project can't hold on one day.
        ...(resource.name === 'retainers' && { start_date: '2020-01-01', end_date: '2020-01-31' }),
        nothing: 1,
        constructor: 5,
        __proto__: { a: 1 },
        [resource.id]: 999_999,
        created: 'x',
      });
      expect(status, text).toBe(201);
    }
  });
});
