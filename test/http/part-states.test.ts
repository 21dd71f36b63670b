import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptDatabase, stateFolder } from '../../src/store/history/history-files.ts';
import { eventually } from '../eventually.ts';
import { type ClosableServer, serveClosable } from './closable-server.ts';

const MARCH = 'start_date=2026-03-01&end_date=2026-03-31&cutoff_date=2026-03-31';

/** Two people on a project, one of whom works on another, too: hours and costs by person. */
const RECORDS = [
  ['/v3/people', { name: 'Grace', cost_rate: '70.00', start_date: '2026-01-01' }],
  ['/v3/logged-time', { project_id: 1, people_id: 2, date: '2026-03-10', hours: 3 }],
  ['/v3/logged-time', { project_id: 2, people_id: 2, date: '2026-03-11', hours: 5 }],
] as const;

const ASK = 'Ask those who keep states for a name: no list of them is in your part of the data.';

let server: ClosableServer;
/** The readers of Ada's part, and of the project Tower. */
let ada: string;
let tower: string;

beforeAll(async () => {
  server = await serveClosable();
  for (const [path, body] of RECORDS) expect((await server.send('POST', path, body)).status).toBeLessThan(300);
  const budget = { budget_type: 1, budget_total: 100 };
  expect((await server.send('PATCH', '/v3/projects/1', budget)).status).toBe(200);
  const { served } = server;
  ada = (await served.tokenOfPart({ people_id: [1] })).header;
  tower = (await served.tokenOfPart({ project_id: [2] })).header;
  await eventually(async () => expect((await served.get('/v3/reports', { authorization: tower })).status).toBe(200));
});
afterAll(() => server.served.close());

async function read(reader: string, path: string): Promise<Record<string, unknown>[]> {
  const { status, text } = await server.served.get(`/v3/reports/${path}`, { authorization: reader });
  expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
  return Object.values(JSON.parse(text))[0] as Record<string, unknown>[];
}

const projects = (reader: string, more = '') =>
  read(reader, `projects?${MARCH}&fields=name,actual_hours,actual_cost${more}`);

it('is read from live data, with each write, in all states that a report names', { tags: ['slow'] }, async () => {
  expect(await projects(ada)).toEqual([{ name: 'Bridge', actual_hours: 12, actual_cost: 720 }]);
  expect(await projects(tower)).toEqual([{ name: 'Tower', actual_hours: 5, actual_cost: 350 }]);

  expect((await server.send('POST', '/v3/closings', { period: '2026-03' })).status).toBe(201);
  for (const [id, hours] of [
    ['a', 7],
    ['b', 6],
  ])
    expect((await server.send('PATCH', `/v3/logged-time/${id}`, { hours })).status).toBe(200);
  expect(await projects(ada)).toEqual([{ name: 'Bridge', actual_hours: 13, actual_cost: 780 }]);
  expect(await projects(tower)).toEqual([{ name: 'Tower', actual_hours: 5, actual_cost: 350 }]);
  expect(await projects(ada, '&as_of=2026-03')).toEqual([{ name: 'Bridge', actual_hours: 12, actual_cost: 720 }]);

  // No door tells the names of other states.
  for (const path of [
    `/v3/reports/projects?${MARCH}&as_of=2026-30`,
    `/v3/reports/projects?${MARCH}&baseline=2026-30`,
    '/v3/reports/changes?from=2026-30',
    `/v3/explain?report=projects&project_id=1&measure=actual_hours&${MARCH}&as_of=2026-30`,
    "/odata/v4/report_projects(start_date=2026-03-01,end_date=2026-03-31,as_of='2026-30')",
  ]) {
    const { status, text } = await server.served.get(path, { authorization: tower });
    expect([path, status, text]).toEqual([path, 404, expect.stringContaining('Ask those who keep states')]);
    expect(text.replaceAll(/2026-30/g, '')).not.toMatch(/2026-03/);
  }

  // A project is of the part from the first line on it.
  const first = { project_id: 2, people_id: 1, date: '2026-03-12', hours: 1 };
  const { status, body } = await server.send('POST', '/v3/logged-time', first);
  expect(status).toBe(201);
  expect(await projects(ada, '&sort=name')).toEqual([
    { name: 'Bridge', actual_hours: 13, actual_cost: 780 },
    { name: 'Tower', actual_hours: 1, actual_cost: 60 },
  ]);
  expect((await server.send('DELETE', `/v3/logged-time/${JSON.parse(body).logged_time_id}`)).status).toBeLessThan(300);
  expect(await projects(ada)).toEqual([{ name: 'Bridge', actual_hours: 13, actual_cost: 780 }]);

  const changes = (reader: string) =>
    read(reader, `changes?from=2026-03&group_by=project&measures=actual_hours&fields=project,value_then,value_now`);
  expect(await changes(ada)).toEqual([{ project: 'Bridge', value_then: 12, value_now: 13 }]);
  expect((await changes(tower)).filter(({ value_then, value_now }) => value_then !== value_now)).toEqual([]);
  // Grace works on Bridge, too: neither the use of its budget is of the part nor what has changed it.
  const budgets = 'changes?from=2026-03&group_by=project&measures=budget_used,budget_forecast&only_changed=0';
  const { body: all } = await server.send('GET', `/v3/reports/${budgets}&project_id=1`);
  // Then has the cutoff of the closing, the last day of its period, and now that of today.
  expect(JSON.parse(all).changes[0]).toMatchObject({ difference: 3, hours: 1, cutoff: 2 });
  const blank = { value_then: null, value_now: null, difference: null, hours: null, budget: null };
  expect(await read(ada, `${budgets}&project_id=1`)).toMatchObject([blank, blank]);
  for (const measure of ['budget_used', 'budget_forecast']) {
    const path = `/v3/reports/changed-lines?from=2026-03&measure=${measure}&project_id=1`;
    const { text } = await server.served.get(path, { authorization: ada });
    const { totals, meta, 'changed-lines': lines } = JSON.parse(text);
    const shown = lines.flatMap((line: Record<string, unknown>) => [
      line['amount_then'],
      line['amount_now'],
      line['contribution'],
    ]);
    expect([measure, new Set(shown), totals.contribution]).toEqual([measure, new Set([null]), null]);
    expect(meta.notes.join(' ')).not.toMatch(/of the difference/);
  }
  const lines = await read(ada, 'changed-lines?from=2026-03&measure=actual_hours&fields=line_id_now,changed_by');
  // The names of writers are not of the part.
  expect(lines).toEqual(['a:a', 'a:b'].map((line_id_now) => ({ line_id_now, changed_by: null })));

  const planned = await read(ada, `projects?${MARCH}&baseline=2026-03&fields=name,scheduled_hours`);
  expect(planned).toEqual([{ name: 'Bridge', scheduled_hours: 30 }]);
  expect(await read(tower, `projects?${MARCH}&baseline=2026-03&fields=name,scheduled_hours`)).toEqual([
    { name: 'Tower', scheduled_hours: 0 },
  ]);

  // No door tells what people called the states that a day, or closings, found.
  const named = { period: '2026-02', name: 'hamburg', label: 'The Hamburg deal' };
  expect((await server.send('POST', '/v3/closings', named)).status).toBe(201);
  const late = { project_id: 1, people_id: 1, date: '2026-02-10', hours: 1 };
  expect((await server.send('POST', '/v3/logged-time', late)).status).toBe(201);
  for (const path of [
    `/v3/reports/projects?${MARCH}&as_of=2026-06-30`,
    `/v3/reports/projects?${MARCH}&as_of=2026-06-30&links=1`,
    `/v3/reports/projects?${MARCH}&baseline=2026-06-30`,
    `/v3/explain?report=projects&project_id=2&measure=actual_hours&${MARCH}&as_of=2026-06-30`,
    '/v3/reports/changes?from=2026-06-30&group_by=project&measures=actual_hours',
    '/v3/reports/changes?from=closings&group_by=project&measures=actual_hours',
    '/v3/reports/changes?from=2026-03&to=2026-06-30&group_by=project&measures=actual_hours',
    '/v3/reports/changed-lines?from=closings&measure=actual_hours',
    `/odata/v4/report_projects(start_date=2026-03-01,end_date=2026-03-31,as_of='2026-06-30')`,
  ]) {
    const { status, text } = await server.served.get(path, { authorization: ada });
    expect([path, status, text.match(/.{0,40}hamburg.{0,40}/i)]).toEqual([path, 200, null]);
  }

  // No door tells which state is damaged, where it is and why.
  for (const name of ['2026-03', 'hamburg'])
    appendFileSync(keptDatabase(stateFolder(server.served.database, { name, number: 1 })), 'x');
  for (const [field, path] of [
    ['from', '/v3/reports/changes?from=closings&group_by=project&measures=actual_hours'],
    ['from', '/v3/reports/changed-lines?from=closings&measure=actual_hours'],
    ['as_of', `/v3/reports/projects?${MARCH}&as_of=2026-06-30`],
    ['baseline', `/v3/reports/projects?${MARCH}&baseline=2026-06-30`],
    ['as_of', `/v3/explain?report=projects&project_id=1&measure=actual_hours&${MARCH}&as_of=2026-06-30`],
    ['from', "/odata/v4/report_changes(from='closings',group_by='project',measures='actual_hours')"],
  ] as const) {
    const { status, text } = await server.served.get(path, { authorization: tower });
    const { message } = JSON.parse(text).error ?? JSON.parse(text);
    expect([path, status, message]).toEqual([path, 503, `${field}: The kept state can't be read. ${ASK}`]);
  }
});

it('is told by a note, with the measures that are blank', { tags: ['slow'] }, async () => {
  const { text } = await server.served.get(`/v3/reports/people?${MARCH}`, { authorization: tower });
  const { notes, part } = JSON.parse(text).meta as { notes: string[]; part: string[] };
  expect(part).toEqual(['Tower']);
  expect(notes).toContain('You see a part of the data; rows, totals and notes are of that part.');
  expect(notes.some((note) => /^Capacity.*blank, as they are of all work of a person/.test(note))).toBe(true);
});
