import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../src/record/body.ts';
import { shapes } from '../../src/record/shape.ts';
import type { FieldType } from '../../src/resource/field.ts';
import { openService, type Service } from './service.ts';

/** Two values of types that have fields of several names. */
const VALUES: Readonly<Partial<Record<FieldType, readonly [string | number, string | number]>>> = {
  id: [1, 2],
  name: ['old', 'new'],
  date: ['2026-01-05', '2026-01-06'],
};

/** Every field that a body may name in several ways, with these. */
const MANY_NAMES = [...shapes.values()].flatMap((shape) =>
  Object.entries(shape.fields)
    .filter(([name, { from = [] }]) => from.length > 1 && !shape.computed.includes(name))
    .map(([name, { type, from = [] }]) => ({ shape, name, from, values: VALUES[type] ?? [] })),
);

/** A body in which a path has a value. */
function bodyOf(path: string, value: unknown): Record<string, unknown> {
  const [head = '', member] = path.split('.');
  return { [head]: member === undefined ? value : { [member]: value } };
}

/** Ways of clients written for the original API that no sentence of it asks for. */
describe('clients of the original API', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({ people: [{ people_id: 1, name: 'Ann' }] });
  });
  afterAll(() => service.close());

  it.each(['people?page=9', 'projects', 'deleted/tasks'])(
    'read pages until %s is two characters long',
    async (path) => {
      expect((await service.call('GET', `/v3/${path}`)).text).toBe('[]');
    },
  );

  it.each(
    MANY_NAMES.flatMap((field) =>
      field.from.map((changed) => ({ ...field, changed, table: field.shape.resource.name })),
    ),
  )(
    'send back all names of $table.$name with $changed changed',
    ({ shape, name, from, values: [old, fresh], changed }) => {
      const body = Object.assign({}, ...from.map((path) => bodyOf(path, path === changed ? fresh : old)));
      expect(readBody(shape, body, [], { [name]: old ?? null }).values).toEqual({ [name]: fresh });
      expect(readBody(shape, { ...body, ...bodyOf(changed, old) }, [], { [name]: old ?? null }).values).toEqual({
        [name]: old,
      });
    },
  );

  it('are told when two names of a field say different things that are both new', async () => {
    const body = { name: 'Bob', department_id: 1, department: { department_id: 2 } };
    expect((await service.call('POST', '/v3/people', body)).json.errors).toEqual([
      {
        field: 'department_id',
        message: 'department_id: department_id and department.department_id say different things; send one of them',
      },
    ]);
  });

  it('know the end of a repeated time off as repeat_end', async () => {
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
