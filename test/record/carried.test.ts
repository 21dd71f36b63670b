import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field, FieldType } from '../../src/records/resource/field.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { NEW_RECORDS } from './new-records.ts';
import { openService, type Service } from './service.ts';

/** A body for each resource; accounts are loaded. */
const BODIES: typeof NEW_RECORDS = { ...NEW_RECORDS, accounts: {} };

/** Fields with rules across several fields; other tests cover them. */
const RULED: Readonly<Record<string, readonly string[]>> = {
  people: ['cost_rate', 'effective_date', 'role_id', 'job_title', 'department_id', 'contractor', 'people_type_id'],
  projects: ['status', 'stage_id', 'tentative'],
  phases: ['project_id', 'status'],
  project_stages: ['status'],
  logged_time: ['task_name', 'locked', 'task_id', 'task_meta_id'],
  tasks: ['people_id'],
  holidays: ['date'],
  timeoffs: ['full_day', 'people_id', 'hours'],
  project_expenses: ['markup', 'billable'],
  progress: ['percent', 'remaining_hours'],
  retainers: ['project_id', 'start_date', 'end_date', 'expires_after'],
};

/** Two values of each type as sent and answered, and the filter that finds each. */
const VALUES: Readonly<Record<FieldType, readonly (readonly [sent: unknown, shown: unknown, filter: string])[]>> = {
  id: [
    [1, 1, '1'],
    ['1', 1, '1'],
  ],
  key: [
    ['Frame 7', 'Frame 7', 'Frame 7'],
    ['12', '12', '12'],
  ],
  name: [
    ['Ada, née "B"', 'Ada, née "B"', 'Ada%2C née "B"'],
    ['Ben', 'Ben', 'Ben'],
  ],
  text: [
    ['a; b', 'a; b', 'a; b'],
    ['c', 'c', 'c'],
  ],
  word: [],
  tag: [],
  boolean: [
    [1, 1, '1'],
    ['0', 0, '0'],
  ],
  integer: [
    [2, 2, '2'],
    ['1', 1, '1'],
  ],
  hours: [
    [7.5, 7.5, '7.5'],
    ['6', 6, '6'],
  ],
  effort: [],
  percent: [
    [40.25, 40.25, '40.25'],
    ['75', 75, '75'],
  ],
  week: [[[0, 8, 8, 8, 8, 8, 0], [0, 8, 8, 8, 8, 8, 0], '']],
  rate: [
    [80, '80.0000', '80'],
    ['90.5', '90.5000', '90.5'],
  ],
  amount: [
    [80, 80, '80'],
    ['90.5', 90.5, '90.5'],
  ],
  date: [
    ['2026-01-06', '2026-01-06', '2026-01-06'],
    ['2026-01-07', '2026-01-07', '2026-01-07'],
  ],
  timestamp: [],
  color: [
    ['#4a90d9', '4a90d9', '4a90d9'],
    ['FF0000', 'FF0000', 'FF0000'],
  ],
  ids: [
    [[3, '1'], [3, 1], '1'],
    [[], [], ''],
  ],
  json: [
    [{ view: [1, { a: null }], exact: '1' }, { view: [1, { a: null }], exact: '1' }, ''],
    [true, true, 'true'],
  ],
};

/** Values of an integer within its range or codes, or of the field's type. */
function valuesFor({ type, codes, words }: Field) {
  const [word, other] = Object.keys(words ?? {});
  if (word !== undefined && other !== undefined)
    return [
      [word.toUpperCase(), word, word],
      [other, other, ` ${other.toUpperCase()}`],
    ] as const;
  const [first, second] = Object.keys(codes ?? {});
  if (first === undefined || second === undefined) return VALUES[type];
  return [
    [Number(first), Number(first), first],
    [second, Number(second), second],
  ] as const;
}

const cases = resources
  .filter(({ name }) => name in BODIES)
  .flatMap((resource) =>
    Object.entries(resource.fields)
      .filter(([name]) => !resource.computed.includes(name) && !RULED[resource.name]?.includes(name))
      .map(([name, field]) => ({ resource, name, field })),
  );

describe('1.5 a stored value is read back unchanged', { tags: ['slow'] }, () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      departments: [{ department_id: 1 }],
      clients: [{ client_id: 1 }],
      roles: [{ role_id: 1, name: 'Cook' }],
      accounts: [{ account_id: 1, name: 'Owner' }],
      people: [{ people_id: 1, name: 'Ann' }],
      projects: [{ project_id: 1, name: 'Bridge' }],
      phases: [{ phase_id: 1, project_id: 1 }],
      project_tasks: [{ task_meta_id: 1, project_id: 1, task_name: 'Dig' }],
      tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 }],
      timeoffs: [{ timeoff_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', timeoff_type_id: 1 }],
    });
  });
  afterAll(() => service.close());

  it.each(cases)('$resource.name $name', async ({ resource, name, field }) => {
    const path = `/v3/${resource.name.replaceAll('_', '-')}`;
    const numbers = resource.decimalStrings.includes(name);
    let id: unknown = resource.name === 'accounts' ? 1 : undefined;
    for (const [sent, answered, filter] of valuesFor(field)) {
      const shown = numbers ? Number(answered).toFixed(4) : answered;
      const body = { ...(id === undefined ? BODIES[resource.name] : {}), [name]: sent };
      const made = await service.call(
        id === undefined ? 'POST' : 'PATCH',
        id === undefined ? path : `${path}/${id}`,
        body,
      );
      expect([made.status, made.json[name]], made.text).toEqual([id === undefined ? 201 : 200, shown]);
      id = made.json[resource.id];
      expect((await service.call('GET', `${path}/${id}`)).json[name]).toEqual(shown);
      expect((await service.call('GET', `${path}/${id}?fields=${name}`)).json).toEqual({ [name]: shown });
      if (filter === '') continue;
      // Filters on lists of days are windows.
      const found = await service.call('GET', `${path}?${name}=${filter.replaceAll(' ', '%20')}&per-page=200`);
      expect(found.status, found.text).toBe(200);
      const own = found.json.find((record: Record<string, unknown>) => record[resource.id] === id);
      expect(own?.[name], `${path}?${name}=${filter}`).toEqual(shown);
    }
    const emptied = resource.required.includes(name)
      ? undefined
      : await service.call('PATCH', `${path}/${id}`, { [name]: null });
    if (emptied) expect(emptied.status, emptied.text).toBe(200);
    // The record of the next case has the same days.
    if (resource.apart) await service.call('DELETE', `${path}/${id}`);
  });

  it('covers every resource', () => {
    expect(Object.keys(BODIES).sort()).toEqual(resources.map(({ name }) => name).sort());
  });

  it('the record of changes has every field', async () => {
    await service.call('PATCH', '/v3/accounts/1', { view_rights: { projects: [1] }, department_filter: [1] });
    const [row] = await service.rows(
      "SELECT after FROM service.changes WHERE resource = 'accounts' ORDER BY change_id DESC LIMIT 1",
    );
    expect(JSON.parse(String(row?.['after']))).toMatchObject({
      view_rights: { projects: [1] },
      department_filter: [1],
    });
  });
});
