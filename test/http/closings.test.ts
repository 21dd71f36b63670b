import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ClosableServer, serveClosable } from './closable-server.ts';
import type { Served } from './served.ts';

let served: Served;
/** A token without the scope to close. */
let reader: { authorization: string };
let send: ClosableServer['send'];

beforeAll(async () => {
  ({ served, send } = await serveClosable());
  reader = { authorization: (await served.token(['reports'])).header };
});
afterAll(() => served.close());

const FIELDS = 'kind,line_id,date,people_id,role_id,project_id,phase_id,task_meta_id,billable,hours,cost,fee';

/** Reads the actual and expense lines of March. */
async function linesOf(state: string): Promise<string[]> {
  const window = 'start_date=2026-03-01&end_date=2026-03-31&cutoff_date=2026-03-31';
  const { status, body } = await send('GET', `/v3/reports/lines.csv?${window}&fields=${FIELDS}${state}`);
  expect(status).toBe(200);
  const lines = body.split('\r\n').filter((line) => /^(actual|expense),/.test(line));
  expect(lines.length).toBeGreaterThan(2);
  return lines;
}

/** Opens a stream of events. @returns reads the closings that it has told so far. */
async function openEvents(): Promise<() => object[]> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { body } = await fetch(`${served.url}/v3/events`, { headers: reader, signal: stop.signal });
  let text = '';
  const follow = async () => {
    for await (const piece of body ?? []) text += Buffer.from(piece).toString();
  };
  void follow().catch(() => undefined);
  await expect.poll(() => text).toContain('event: data_version');
  return () => [...text.matchAll(/event: closing\ndata: (.*)\n/g)].map(([, data = '']) => JSON.parse(data) as object);
}

describe('closings of a server that takes changes', { tags: ['slow'] }, () => {
  it('wants the scope, a period that exists, and known fields', async () => {
    // The server follows its file of tokens.
    await expect.poll(async () => (await served.get('/v3/closings', reader)).status).toBe(200);
    const { headers, json } = await served.get('/v3/closings', reader);
    expect(json().today).toBe('2026-06-15');
    const held = { ...reader, 'if-none-match': headers.get('etag') ?? '' };
    expect((await served.get('/v3/closings', held)).status).toBe(304);
    const answer = await served.post('/v3/closings', { period: '2026-03' }, reader);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('no scope \\"close\\"')]);
    for (const [body, field] of [
      [{}, 'period'],
      [{ period: '2026-03', kinds: 'hard' }, 'kinds'],
      [{ period: '2026-03', kind: 'firm' }, 'kind'],
      [{ period: '2026-03', files: ['projects.doc'] }, 'files'],
      [{ name: 'plan', kind: 'hard' }, 'kind'],
      [{ name: 'Plan' }, 'name'],
    ] as const) {
      const refused = await send('POST', '/v3/closings', body);
      expect([refused.status, JSON.parse(refused.body).errors]).toEqual([400, [expect.objectContaining({ field })]]);
    }
    expect((await send('POST', '/v3/closings', { period: '2026-13' })).status).toBe(400);
    expect((await send('POST', '/v3/closings/2026-03/reopen', { reason: 'x' })).status).toBe(404);
  });

  it('closes with every answered change, files reports, and names who did it', async () => {
    const logged = await send('POST', '/v3/logged-time', { people_id: 1, project_id: 1, date: '2026-03-09', hours: 3 });
    expect(logged.status).toBe(201);
    const ready = JSON.parse((await send('GET', '/v3/closings/readiness?period=2026-03')).body).readiness;
    expect(ready).toMatchObject({ name: '2026-03', end_date: '2026-03-31', day: '2026-06-15' });
    expect(ready.warnings).toEqual([expect.objectContaining({ name: 'missing_hours', hours: '18.0000' })]);

    const refused = await send('POST', '/v3/closings', { period: '2026-03', kind: 'hard' });
    expect([refused.status, JSON.parse(refused.body).errors]).toEqual([
      422,
      [expect.objectContaining({ field: 'missing_hours' })],
    ]);
    const made = await send('POST', '/v3/closings', {
      period: '2026-03',
      kind: 'hard',
      label: 'March',
      files: ['projects.xlsx', 'projects.csv'],
      confirm: true,
    });
    expect([made.status, JSON.parse(made.body).closing]).toMatchObject([
      201,
      {
        name: '2026-03',
        number: 1,
        kind: 'hard',
        status: 'closed',
        closed_by: 'test',
        day: '2026-06-15',
        files: [{ name: 'projects.xlsx' }, { name: 'projects.csv' }],
      },
    ]);
    expect(await linesOf('&as_of=2026-03')).toEqual(await linesOf(''));
    const file = await send('GET', '/v3/closings/2026-03/files/projects.csv');
    expect(file.body).toBe((await send('GET', '/v3/reports/projects.csv?as_of=2026-03')).body);
    const finance = { authorization: (await served.token(['reports', 'rates'])).header };
    const readFile = (headers = {}) =>
      served.get('/v3/closings/2026-03/files/projects.csv', { ...finance, ...headers });
    await expect.poll(async () => (await readFile()).status).toBe(200);
    const etag = (await readFile()).headers.get('etag') ?? '';
    expect((await readFile({ 'if-none-match': etag })).status).toBe(304);
    expect((await send('GET', '/v3/closings/2026-03/files/people.csv')).status).toBe(404);
    expect((await served.get('/v3/closings/2026-03/files/projects.csv', reader)).status).toBe(403);
    const memo = await served.get('/v3/closings/2026-03/memo.xlsx', finance);
    expect([memo.status, memo.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="memo-2026-03@1.xlsx"',
    ]);
    expect((await served.get('/v3/closings/2026-03/memo.xlsx', reader)).status).toBe(403);
    expect((await served.get('/v3/closings/2026-04/memo.xlsx', finance)).status).toBe(404);
    expect(JSON.parse((await send('GET', '/v3/closings')).body).hard_closed).toEqual([
      { start_date: '2026-03-01', end_date: '2026-03-31' },
    ]);
    const again = await send('POST', '/v3/closings', { period: '2026-03' });
    expect([again.status, again.body]).toEqual([409, expect.stringContaining('2026-03@1 is closed hard already')]);
  });

  it.each([
    [
      'POST',
      '/v3/logged-time',
      { people_id: 1, project_id: 1, date: '2026-03-20', hours: 1 },
      'logged time of 2026-03-20',
    ],
    ['PATCH', '/v3/logged-time/a', { hours: 7 }, '2026-03 is closed hard by test'],
    ['PATCH', '/v3/logged-time/a', { date: '2026-04-02' }, 'logged time of 2026-03-05'],
    ['PATCH', '/v3/logged-time/c', { date: '2026-03-31' }, 'logged time of 2026-03-31'],
    ['PATCH', '/v3/logged-time/a', { project_id: 2 }, 'would change the project of 1 line of 2026-03'],
    ['DELETE', '/v3/logged-time/a', undefined, 'logged time of 2026-03-05'],
    ['PATCH', '/v3/project-expenses/1', { cost: 51 }, 'an expense of 2026-03-10'],
    [
      'PATCH',
      '/v3/people/1',
      { cost_rate: 66, effective_date: '2026-03-06' },
      'would change the cost of 2 lines of 2026-03, closed hard by test; give an effective_date from 2026-04-01 on, or reopen 2026-03',
    ],
    [
      'PATCH',
      '/v3/projects/1',
      { default_hourly_rate: 110 },
      'would change the fee of 3 lines of 2026-03, closed hard by test; give an effective_date from 2026-04-01 on, or reopen 2026-03',
    ],
    [
      'PATCH',
      '/v3/projects/1',
      { default_hourly_rate: 110, effective_date: '2026-03-06' },
      'would change the fee of 2 lines of 2026-03, closed hard by test; give an effective_date from 2026-04-01 on',
    ],
    [
      'PATCH',
      '/v3/projects/1',
      {
        project_team: {
          add: [
            {
              people_id: 1,
              rates: [
                { rate: 120, effective_date: '2026-03-31' },
                { rate: 1, effective_date: '2026-03-06' },
              ],
            },
          ],
        },
      },
      'would change the fee of 2 lines of 2026-03',
    ],
    ['PATCH', '/v3/projects/1', { non_billable: 1 }, 'would change the fee, billable flag of 3 lines of 2026-03'],
    ['PATCH', '/v3/tasks/1', { project_id: 2 }, 'would change the project of 1 line of 2026-03'],
    ['DELETE', '/v3/people/1', undefined, 'logged time of 2026-03-'],
  ])('refuses %s %s %j, which would change lines', async (method, path, body, sentence) => {
    const answer = await send(method, path, body);
    expect([answer.status, answer.body]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await linesOf('')).toEqual(await linesOf('&as_of=2026-03'));
  });

  it.each([
    ['POST', '/v3/logged-time', { people_id: 1, project_id: 1, date: '2026-04-20', hours: 1 }, 201],
    ['PATCH', '/v3/logged-time/a', { notes: 'checked' }, 200],
    ['PATCH', '/v3/people/1', { cost_rate: 66, effective_date: '2026-04-01' }, 200],
    ['PATCH', '/v3/projects/1', { default_hourly_rate: 110, effective_date: '2026-04-01' }, 200],
    ['PATCH', '/v3/people/1', { name: 'Ada L.' }, 200],
    ['POST', '/v3/people', { name: 'Ben' }, 201],
    ['PATCH', '/v3/projects/1', { status: 4 }, 200],
    ['PATCH', '/v3/tasks/1', { end_date: '2026-03-07' }, 200],
    ['DELETE', '/v3/tasks/1', undefined, 204],
    [
      'POST',
      '/v3/timeoffs',
      { people_ids: [1], start_date: '2026-03-05', end_date: '2026-03-05', timeoff_type_id: 1 },
      201,
    ],
  ])('takes %s %s %j, which changes none', async (method, path, body, status) => {
    const answer = await send(method, path, body);
    expect([answer.status, answer.body]).toEqual([status, expect.any(String)]);
    expect(await linesOf('')).toEqual(await linesOf('&as_of=2026-03'));
  });

  it('shows logged time of closed days as locked, which no request undoes', async () => {
    const lockedOf = async (id: string) => JSON.parse((await send('GET', `/v3/logged-time/${id}`)).body).locked;
    expect([await lockedOf('a'), await lockedOf('c')]).toEqual([1, 0]);
    expect(JSON.parse((await send('PATCH', '/v3/logged-time/a', { locked: 0 })).body).locked).toBe(1);
    expect((await send('PATCH', '/v3/logged-time/a', { hours: 7 })).status).toBe(422);
    expect((await send('GET', '/v3/logged-time?fields=logged_time_id,locked&sort=logged_time_id')).body).toContain(
      '"locked":1',
    );
  });

  it('gives refused writes no id, and shows taken ones in the next report', async () => {
    const [ben] = JSON.parse((await send('GET', '/v3/people?name=Ben')).body);
    const next = JSON.parse((await send('POST', '/v3/people', { name: 'Cy', cost_rate: 10 })).body);
    expect(next.people_id).toBe(ben.people_id + 1);
    const april =
      '/v3/reports/people.csv?start_date=2026-04-01&end_date=2026-04-30&cutoff_date=2026-04-30&fields=actual_cost';
    expect((await send('GET', april)).body).toContain('198.00');
  });

  it('takes changes again after it is reopened, and closes as number 2', async () => {
    const told = await openEvents();
    const reopened = await send('POST', '/v3/closings/2026-03/reopen', { reason: 'hours were missing' });
    expect([reopened.status, JSON.parse(reopened.body).closing.status]).toEqual([200, 'reopened']);
    expect((await send('POST', '/v3/closings/2026-03/reopen', { reason: 'again' })).status).toBe(409);
    expect((await send('PATCH', '/v3/logged-time/a', { hours: 7 })).status).toBe(200);
    const changed = {
      ...{ actual_hours: '-1.0000', actual_fees: '-100.00', expense_fees: '0.00' },
      actual_revenue: '-100.00',
    };
    const { since } = JSON.parse((await send('GET', '/v3/closings/2026-03')).body).closing;
    expect(since.differences).toEqual({ ...changed, actual_cost: '-60.00', expense_cost: '0.00' });
    expect(since.lines).toEqual({ hours: 1 });
    const seen = (await served.get('/v3/closings/2026-03', reader)).json().closing.since;
    expect(seen.differences).toEqual({ ...changed, actual_cost: null, expense_cost: null });
    const [one, other] = await Promise.all([
      send('POST', '/v3/closings', { period: '2026-03' }),
      send('POST', '/v3/closings', { name: 'plan' }),
    ]);
    expect(JSON.parse(one.body).closing).toMatchObject({ number: 2, kind: 'soft' });
    expect(JSON.parse(other.body).closing).toMatchObject({ name: 'plan', kind: 'kept' });
    expect(await linesOf('&as_of=2026-03')).toEqual(await linesOf(''));
    await expect
      .poll(told)
      .toEqual([
        expect.objectContaining({ event: 'reopened', name: '2026-03', number: 1, reason: 'hours were missing' }),
        expect.objectContaining({ event: 'closed', name: '2026-03', number: 2, by: 'test' }),
      ]);
    expect(await linesOf('&as_of=2026-03@1')).not.toEqual(await linesOf(''));
  });
});
