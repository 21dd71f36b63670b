import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summingReports } from '../../src/numbers/report/catalogue/definitions.ts';
import { additiveMeasures } from '../../src/numbers/report/catalogue/measure-digest.ts';
import { MAX_REFERENCED_BYTES } from '../../src/store/record/planned/answer-references.ts';
import { MAX_PREVIEW_CHANGES } from '../../src/store/record/planned/planned-change.ts';
import { eventually } from '../eventually.ts';
import { type Reply, type Served, serve } from '../http/served.ts';
import { catalogue } from '../sql/company.ts';
import { BRIDGE, COMPANY, W7 } from './w7.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, data: COMPANY, scopes: ['reports', 'rates', 'write'] });
});
afterAll(() => served.close());

const QUERY = new URLSearchParams(W7.parameters);

/** Sends a request with these changes instead of those of W7. */
const preview = (changes: unknown, more: object = {}, headers?: Record<string, string>): Promise<Reply> =>
  served.post('/v3/preview', { ...W7, ...more, changes }, headers);

const post = (path: string, body: object) => ({ method: 'POST', path, body });

it('answers a report before and after changes, and their bridge (W7)', { tags: ['slow'] }, async () => {
  const { status, json, text, headers } = await served.post('/v3/preview', W7);
  expect(status, text).toBe(200);
  const { preview: answer, meta } = json();
  expect(answer.before).toMatchObject([{ project_id: 501, forecast_cost: 7200 }]);
  expect(answer.after).toMatchObject([{ project_id: 501, forecast_cost: 4512 }]);
  expect(answer.changes).toEqual([expect.objectContaining(BRIDGE)]);
  const report = await served.get(`/v3/reports/projects?${QUERY}`);
  expect(answer.before).toEqual(report.json().projects);
  expect(headers.get('x-data-version')).toBe(report.headers.get('x-data-version'));
  expect(meta).toMatchObject({ report: 'projects', notes: [], data_version: headers.get('x-data-version') });
  expect(meta.bridge).toMatchObject({ from: { state: 'before' }, to: { state: 'after' } });
  expect(meta.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
});

it('bridges the forecast by default, and rows by period, too', { tags: ['slow'] }, async () => {
  const parameters = { ...W7.parameters, interval: 'month' };
  const { changes } = (await preview(W7.changes, { measures: undefined, parameters })).json().preview;
  const april = changes.filter(({ month }: Record<string, unknown>) => month === '2026-04-01');
  expect(
    april.map(({ measure, value_then, value_now }: Record<string, unknown>) => [measure, value_then, value_now]),
  ).toEqual([
    ['forecast_hours', 80, 32],
    ['forecast_cost', 4800, 2112],
    ['forecast_fees', 8000, 3200],
  ]);
});

it('bridges revenue by contract, which changes with an agreed fee', { tags: ['slow'] }, async () => {
  const budget = { budget_type: 2, budget_total: 5000, budget_priority: 0 };
  const changes = [{ method: 'PATCH', path: '/v3/projects/501', body: budget }];
  const measures = 'forecast_revenue,scheduled_revenue';
  const { status, json, text } = await preview(changes, { measures });
  expect(status, text).toBe(200);
  const { after, changes: bridge } = json().preview;
  const [row] = after;
  expect([row.forecast_revenue, row.scheduled_revenue]).toEqual([5000, 5000]);
  for (const each of bridge)
    expect([each.measure, each.budget + each.value_then]).toEqual([each.measure, each.value_now]);
  expect(bridge.map(({ measure }: { measure: string }) => measure)).toEqual(measures.split(','));
});

it('bridges each sum of lines, whatever it reads of the data before', { tags: ['slow'] }, async () => {
  const names = additiveMeasures(catalogue, 'changes').map(({ name }) => name);
  expect(names.length).toBeGreaterThan(40);
  const { status, text } = await preview(W7.changes, { measures: names.join(',') });
  expect(status, text.slice(0, 500)).toBe(200);
});

describe('bridges the rows of', () => {
  const values = (rows: Record<string, unknown>[], column: string) =>
    rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);

  it.each([
    ...summingReports(catalogue).map(({ name, rows }) => [name, rows ? {} : { group_by: 'role,billable' }] as const),
    ['pivot', { group_by: 'person,month,client', columns: 'month', measures: 'forecast_cost' }] as const,
    ['people', { active: '1', people_id: '101' }] as const,
    ['projects', { active: '0' }] as const,
  ])('%s with %j', { tags: ['slow'] }, async (report, more) => {
    const parameters = { ...W7.parameters, project_id: undefined, ...more };
    const { status, json, text } = await preview(W7.changes, { report, parameters });
    expect(status, text).toBe(200);
    const { before, after, changes } = json().preview;
    // The pipeline, timesheets and contracts have no forecast cost, and periods across have columns of their own.
    if (!['pipeline', 'timesheets', 'contracts'].includes(report) && !('columns' in more)) {
      expect(values(changes, 'value_then')).toBe(values(before, 'forecast_cost'));
      expect(values(changes, 'value_now')).toBe(values(after, 'forecast_cost'));
    }
    const isEmpty = 'active' in more && more.active === '0';
    expect(values(changes, 'difference')).toBe(isEmpty ? 0 : -2688);
  });
});

it('resolves what answers of earlier changes have', { tags: ['slow'] }, async () => {
  const changes = [
    post('/v3/projects', { name: 'Tower', project_team: [{ people_id: 101 }] }),
    post('/v3/project-tasks', { project_id: '$1.project_id', task_names: ['Walls'] }),
    post('/v3/tasks', {
      project_id: '$1.project_id',
      people_id: 101,
      start_date: '2026-04-06',
      end_date: '2026-04-07',
      hours: 4,
    }),
    { method: 'PATCH', path: '/v3/tasks/$3.task_id', body: { hours: 5 } },
  ];
  const { status, json, text } = await preview(changes, { parameters: { ...W7.parameters, project_id: undefined } });
  expect(status, text).toBe(200);
  expect(json().preview.after).toMatchObject([{ project_id: 501 }, { name: 'Tower', forecast_hours: 10 }]);
  const kinds = json().preview.changes.map((row: Record<string, unknown>) => [row['project'], row['new'], row['late']]);
  expect(kinds).toEqual([
    ['Harbor', 0, 0],
    ['Tower', 0, 600],
  ]);
});

describe('names the change that is refused', () => {
  const first = W7.changes[0];

  it.each([
    [404, { method: 'PATCH', path: '/v3/tasks/78', body: {} }, 'There is no record 78 in tasks', undefined],
    [
      422,
      post('/v3/logged-time', { people_id: 101, project_id: 9, date: '2026-03-09', hours: 1 }),
      'there is no record 9',
      'changes[2].project_id',
    ],
    [422, post('/v3/tasks', { project_id: 501 }), 'missing', 'changes[2].start_date'],
    [
      400,
      { method: 'DELETE', path: '/v3/tasks/$2.task_id' },
      '$2.task_id names the change itself; references go back, never in a circle',
      'changes[2].path',
    ],
    [
      400,
      { method: 'PATCH', path: '/v3/tasks/77', body: { tags: [{ name: '$3.name' }] } },
      '$3.name names none of the 1 changes before it; references go back',
      'changes[2].name',
    ],
    [
      400,
      { method: 'PATCH', path: '/v3/tasks/77', body: { notes: '$0.name' } },
      '$0.name names none of the 1 changes before it',
      'changes[2].notes',
    ],
    [
      400,
      { method: 'PATCH', path: '/v3/tasks/77', body: { notes: '$1.nothing' } },
      'names no field of the answer of change 1, which has people_id',
      'changes[2].notes',
    ],
  ])('%i for %j', async (status, change, sentence, field) => {
    const reply = await preview([first, change]);
    expect([reply.status, reply.json().message]).toEqual([status, expect.stringContaining('Change 2, ')]);
    expect(reply.text).toContain(sentence);
    if (field !== undefined) expect(reply.json().errors).toContainEqual(expect.objectContaining({ field }));
  });

  it('with 400 if it is none of records', async () => {
    const wrong = [
      post('/v3/closings', { period: '2026-03' }),
      post('/v3/preview', W7),
      { method: 'PATCH', path: '/v3/people', body: {} },
      post('/v3/people?fields=name', { name: 'Ben' }),
      post('/v3/accounts', { name: 'Ben' }),
    ];
    const { status, json } = await preview([first, ...wrong]);
    expect(status).toBe(400);
    expect(json().errors.map(({ field }: { field: string }) => field)).toEqual(
      wrong.map((_, index) => `changes[${index + 2}]`),
    );
    expect(json().errors.map(({ message }: { message: string }) => message.replace(/^.*?: /, ''))).toEqual([
      'path /v3/closings is none of records, such as /v3/tasks/77',
      'path /v3/preview is none of records, such as /v3/tasks/77',
      'PATCH is not allowed at /v3/people',
      'path /v3/people?fields=name has a query, and nothing is shown of the record',
      'POST is not allowed at /v3/accounts',
    ]);
  });

  it('with 400 if it is no request for a change', async () => {
    const wrong = [
      { method: 'GET', path: '/v3/people/101' },
      { method: 'POST', path: '/v3/people', headers: {} },
      { method: 'PUT' },
      post('/v3/projects', [] as unknown as object),
      null,
    ];
    const { status, json } = await preview([first, ...wrong]);
    expect([status, json().errors]).toEqual([
      400,
      [
        'changes[2].method: "GET" is not one of POST, PATCH, PUT, DELETE',
        'changes[3].headers: there is no such field; the fields are method, path, body',
        'changes[4].path is missing; give one such as /v3/tasks/77',
        'changes[5].body: [] is not an object',
        'changes[6]: null is not an object with the fields method, path, body',
      ].map((message) => ({ field: message.split(/: | is missing/)[0], message })),
    ]);
  });

  it('with 403 without the scope to try or write, and for what needs another', { tags: ['slow'] }, async () => {
    const reader = { authorization: (await served.token(['reports'])).header };
    const writer = { authorization: (await served.token(['reports', 'write'])).header };
    await eventually(async () => expect((await served.get('/v3/reports', writer)).status).toBe(200));
    const refused = await preview([first], {}, reader);
    expect([refused.status, refused.json().message]).toEqual([
      403,
      expect.stringMatching(/^Change 1, PATCH \/v3\/people\/101: .* no scope "preview"/),
    ]);
    const trying = { authorization: (await served.token(['reports', 'preview'])).header };
    await eventually(async () => expect((await served.get('/v3/reports', trying)).status).toBe(200));
    expect((await preview([W7.changes[1]], { measures: undefined }, trying)).status).toBe(200);
    expect((await served.post('/v3/people', { name: 'Eve' }, trying)).status).toBe(403);
    const costly = await preview([W7.changes[1], first], { measures: undefined }, writer);
    expect([costly.status, costly.json().message]).toEqual([403, expect.stringMatching(/^Change 2, .* cost_rate: /)]);
    expect((await preview([W7.changes[1]], {}, writer)).status).toBe(403);
    const answer = await preview([W7.changes[1]], { measures: undefined }, writer);
    expect(answer.json().preview.changes.map(({ measure }: { measure: string }) => measure)).toEqual([
      'forecast_hours',
      'forecast_fees',
    ]);
  });
});

it.each([
  ['body', []],
  ['changes', { ...W7, changes: [] }],
  ['changes', { ...W7, changes: undefined }],
  ['change', { ...W7, change: [] }],
  ['report', { ...W7, report: undefined }],
  ['report', { ...W7, report: 'lines' }],
  ['report', { ...W7, report: 'changes' }],
  ['subtotal', { ...W7, parameters: { ...W7.parameters, subtotal: 1 } }],
  ['parameters', { ...W7, parameters: [] }],
  ['measures', { ...W7, measures: 'nothing' }],
  ['as_of', { ...W7, parameters: { ...W7.parameters, as_of: 'march' } }],
  ['baseline', { ...W7, parameters: { ...W7.parameters, baseline: 'march' } }],
  ['subtotals', { ...W7, report: 'pivot', parameters: { ...W7.parameters, group_by: 'project,phase', subtotals: 1 } }],
])('names the wrong field %s', async (field, body) => {
  const { status, json } = await served.post('/v3/preview', body);
  expect([status, json().errors[0].field]).toEqual([400, field]);
});

it('refuses too many changes, and a report that is not there', async () => {
  const many = await preview(Array.from({ length: MAX_PREVIEW_CHANGES + 1 }, () => W7.changes[0]));
  expect([many.status, many.json().message]).toEqual([
    422,
    'changes: there are 101; at most 100 are taken; give fewer',
  ]);
  expect((await served.post('/v3/preview', { ...W7, report: 'nothing' })).status).toBe(404);
});

describe('references stand for as much as a request may send', () => {
  const setNotes = { method: 'PATCH', path: '/v3/projects/501', body: { notes: 'x'.repeat(MAX_REFERENCED_BYTES / 4) } };
  const setRights = (view_rights: object) => ({ method: 'PATCH', path: '/v3/accounts/1', body: { view_rights } });
  const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);
  const readMessage = async (changes: readonly object[]) => {
    const { status, json } = await preview(changes);
    return [status, json().message];
  };

  it.each([
    ['in a list', [setNotes, setRights({ a: times(200, '$1.notes') })], 2],
    ['in lists of lists', [setNotes, setRights({ a: times(20, times(20, '$1.notes')) })], 2],
    [
      'in lists of lists of references to them',
      [
        setNotes,
        setRights({ a: times(2, '$1.notes') }),
        { method: 'PATCH', path: '/v3/accounts/1', body: { view_rights: { b: times(2, '$2.view_rights') } } },
      ],
      3,
    ],
    ['a little in each change', [setNotes, ...times(98, { ...setNotes, body: { notes: '$1.notes' } })], 5],
  ])('%s', async (_title, changes, refused) => {
    const [status, message] = await readMessage(changes as object[]);
    expect([status, message]).toEqual([422, expect.stringMatching(new RegExp(`^Change ${refused}, `))]);
    expect(message).toContain('and those before it stand for more than 1048576 bytes');
  });

  it('also in their depth', async () => {
    const deeper = (position: number) =>
      setRights({ a: JSON.parse(`${'['.repeat(20)}"$${position}.view_rights"${']'.repeat(20)}`) });
    expect(await readMessage([setRights({}), deeper(1), deeper(2)])).toEqual([
      422,
      expect.stringMatching(/^Change 3, .* references nest lists and objects more than 32 levels deep/),
    ]);
  });
});

it('refuses a circle of references, and a thousand changes in one', async () => {
  const circle = (length: number) =>
    Array.from({ length }, (_, index) => ({
      method: 'PATCH',
      path: '/v3/projects/501',
      body: { notes: `$${((index + 1) % length) + 1}.notes` },
    }));
  const { status, json } = await preview(circle(MAX_PREVIEW_CHANGES));
  expect([status, json().message]).toEqual([
    400,
    'Change 1, PATCH /v3/projects/501: notes: $2.notes names none of the 0 changes before it; references go back, never in a circle',
  ]);
  const many = await preview(circle(1000));
  expect([many.status, many.json().message]).toEqual([422, expect.stringContaining('there are 1000; at most 100')]);
});

it('tells which fields are ignored', async () => {
  const { meta } = (await preview([{ method: 'PATCH', path: '/v3/tasks/77', body: { ours: 8, hours: 7 } }])).json();
  expect(meta.notes).toEqual(['Change 1, PATCH /v3/tasks/77, has fields that are ignored: ours.']);
});

it('moves the cutoff as the changes would', async () => {
  const { cutoff_date: _, ...parameters } = W7.parameters;
  const logged = post('/v3/logged-time', { people_id: 101, project_id: 501, date: '2026-04-15', hours: 2 });
  const { preview: answer, meta } = (await preview([logged], { parameters, measures: 'forecast_hours' })).json();
  // The days up to 15 April count as done: 2 h instead of 8 h on three days.
  expect(answer.changes).toMatchObject([{ value_then: 120, value_now: 98, late: 0, cutoff: -22 }]);
  expect(answer.after[0].forecast_hours).toBe(98);
  expect([meta.bridge.from.cutoff_date, meta.bridge.to.cutoff_date]).toEqual(['2026-03-08', '2026-04-15']);
});

it('is as if it had never run: the next ids, the changes and the deletions', { tags: ['slow'] }, async () => {
  const { json } = await preview([
    post('/v3/projects', { name: 'Tower' }),
    post('/v3/logged-time', { people_id: 101, project_id: '$1.project_id', date: '2026-03-09', hours: 1 }),
    { method: 'DELETE', path: '/v3/tasks/77' },
  ]);
  expect(json().preview.after).toMatchObject([{ forecast_hours: 40 }]);
  expect((await served.get('/v3/tasks/77')).status).toBe(200);
  expect((await served.get('/v3/deleted/tasks')).json()).toEqual([]);
  const made = await served.post('/v3/projects', { name: 'First' });
  expect(made.json().project_id).toBe(502);
  // The version of the data ends with the number of the last change.
  const { headers } = await served.get(`/v3/reports/projects?${QUERY}`);
  expect(headers.get('x-data-version')).toMatch(/\.1$/);
});

it('a server that takes no changes has none to try', { tags: ['slow'] }, async () => {
  const readOnly = await serve({ data: COMPANY });
  const { status, json } = await readOnly.post('/v3/preview', W7).finally(() => readOnly.close());
  expect([status, json().message]).toEqual([405, expect.stringContaining('can only be read here')]);
});
