import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../src/record/kinds.ts';
import { type Shape, shapes } from '../../src/record/shape.ts';
import { parseValue } from '../../src/record/value.ts';
import { openService, type Service } from './service.ts';

/** A record of each creatable resource, with references to loaded records. */
const BODIES: Readonly<Record<string, object>> = {
  departments: { name: 'Work' },
  clients: { name: 'Acme' },
  roles: { name: 'Digger' },
  people: { name: 'Ann' },
  project_stages: { name: 'Sale', status: 1 },
  projects: { name: 'Bridge' },
  phases: { project_id: 1, name: 'Design', start_date: '2026-01-05', end_date: '2026-01-09' },
  milestones: { project_id: 1, name: 'Start', date: '2026-01-05' },
  project_tasks: { project_id: 1, task_name: 'Travel' },
  tasks: { project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 },
  timeoffs: { people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09' },
  logged_time: { people_id: 1, date: '2026-01-05', hours: 8 },
  project_expenses: { name: 'Train', project_id: 1, date: '2026-01-05', cost: 10 },
  status: { people_id: 1, status_type_id: 1, start_date: '2026-01-05' },
  holidays: { name: 'Easter', date: '2026-04-05' },
  timeoff_types: { timeoff_type_name: 'Sick' },
};

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

const creatable = [...shapes.values()].filter(({ methods }) => methods.includes('create'));

describe('every field with every wrong type', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 1, name: 'Ann' }],
      projects: [{ project_id: 1, name: 'Bridge' }],
    });
  });
  afterAll(() => service.close());

  const pathOf = ({ resource }: Shape) => `/v3/${resource.name.replaceAll('_', '-')}`;
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
    expect(creatable.map(({ resource }) => resource.name).sort()).toEqual(Object.keys(BODIES).sort());
  });

  it.each(creatable.map((shape) => [shape.resource.name, shape] as const))(
    'answers 422 with its name: %s',
    async (name, shape) => {
      const path = pathOf(shape);
      const body = BODIES[name];
      const made = await service.call('POST', path, body);
      expect(made.status, made.text).toBe(201);
      const one = `${path}/${made.json[shape.id]}`;
      for (const [field, type] of Object.entries(shape.fields)) {
        if (shape.computed.includes(field)) continue;
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
    creatable.flatMap((shape) => Object.keys(shape.lists).map((list) => [shape.resource.name, list, shape] as const)),
  )('lists: %s.%s', async (name, list, shape) => {
    const isOwn = kinds.get(name)?.rules.own?.includes(list) ?? false;
    for (const value of WRONG_LISTS)
      await send('POST', pathOf(shape), { ...BODIES[name], [list]: value }, list, !isOwn);
    for (const value of ODD_LISTS) await send('POST', pathOf(shape), { ...BODIES[name], [list]: value }, list, false);
  });

  it.each(creatable.map((shape) => [shape.resource.name, shape] as const))(
    'absent required fields: %s',
    async (name, shape) => {
      const names = shape.required.filter((field) => field in (BODIES[name] ?? {}));
      for (const field of names) {
        for (const value of [undefined, null, ''])
          await send('POST', pathOf(shape), { ...BODIES[name], [field]: value }, field, true);
      }
      const { status, json } = await service.call('POST', pathOf(shape), {});
      if (shape.required.length === 0) return;
      expect(status).toBe(422);
      expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(expect.arrayContaining([...names]));
    },
  );

  it('refuses unknown ids in references', async () => {
    for (const shape of creatable) {
      for (const [field, { refers }] of Object.entries(shape.fields)) {
        if (!refers || shape.computed.includes(field)) continue;
        await send('POST', pathOf(shape), { ...BODIES[shape.resource.name], [field]: 987654 }, field, true);
      }
    }
  });

  it('refuses bodies that are no object, and ignores unknown keys', async () => {
    for (const shape of creatable) {
      for (const body of [[], 'x', 5, null, true]) {
        const { status } = await service.call('POST', pathOf(shape), body);
        expect(status, `${shape.resource.name} ${JSON.stringify(body)}`).toBe(400);
      }
      const { status, text } = await service.call('POST', pathOf(shape), {
        ...BODIES[shape.resource.name],
        nothing: 1,
        constructor: 5,
        __proto__: { a: 1 },
        [shape.id]: 999_999,
        created: 'x',
      });
      expect(status, text).toBe(201);
    }
  });
});
