import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { QUARTER, type Served, serve } from './served.ts';

let served: Served;
let reader: Record<string, string>;
let owner: Record<string, string>;
beforeAll(async () => {
  served = await serve({ scopes: ['reports', 'rates'] });
  owner = { authorization: (await served.token(['reports', 'rates'])).header };
  reader = { authorization: (await served.token(['reports'])).header };
  await eventually(async () => expect((await served.get('/v3/reports', reader)).status).toBe(200));
});
afterAll(() => served.close());

describe('6.1 links to the lines behind a number', () => {
  it('lead from a row over its lines, page by page, to their explanation', async () => {
    const { projects } = (await served.get(`/v3/reports/projects?${QUARTER}&links=1&decimals=string`)).json();
    const row = projects.find(({ actual_cost }: { actual_cost: string }) => actual_cost !== '0.00');
    const path = `${row._lines}&measure=actual_cost&limit=2&decimals=string`;
    const { lines, totals, meta } = (await served.get(path)).json();
    expect(lines).toHaveLength(2);
    expect(totals.contribution).toBe(row.actual_cost);
    expect(meta.row_count).toBeGreaterThan(2);
    const next = (await served.get(`${path}&cursor=${meta.next_cursor}`)).json();
    expect(next.lines[0].line_id).not.toBe(lines[0].line_id);
    const { explain } = (await served.get(`/v3/explain?line_id=${encodeURIComponent(lines[0].line_id)}`)).json();
    expect(explain.line.cost).toBe(lines[0].contribution);
  });
});

describe('GET /v3/explain', () => {
  const PROFIT = `/v3/explain?report=projects&measure=actual_profit&${QUARTER}`;

  it('explains a total, and each part by a link to its own lines', { tags: ['slow'] }, async () => {
    const { status, json, headers } = await served.get(PROFIT);
    expect(status).toBe(200);
    const { explain, meta } = json();
    expect(headers.get('x-data-version')).toBe(meta.data_version);
    const { totals } = (await served.get(`/v3/reports/projects?${QUARTER}&decimals=string`)).json();
    expect(explain.value).toBe(totals.actual_profit);
    const [person] = explain.parts.person;
    const lines = (await served.get(`${person.lines}&decimals=string&limit=1`)).json();
    expect(lines.totals.contribution).toBe(person.value);
    expect(lines.meta.row_count).toBe(person.line_count);
  });

  it('answers 304 to its ETag while nothing has changed', async () => {
    const etag = (await served.get(PROFIT)).headers.get('etag') ?? '';
    expect((await served.get(PROFIT, { ...owner, 'if-none-match': etag })).status).toBe(304);
    expect((await served.get(PROFIT, { ...reader, 'if-none-match': etag })).status).toBe(403);
  });

  it.each([
    ['no token', `/v3/explain?report=projects&measure=actual_hours&${QUARTER}`, { authorization: '' }, 401, 'token'],
    ['a hidden measure', PROFIT, undefined, 403, 'actual_profit'],
    ['no measure', `/v3/explain?report=projects&${QUARTER}`, undefined, 400, 'measure'],
    ['no window', '/v3/explain?report=projects&measure=actual_hours', undefined, 400, 'start_date is missing'],
    [
      'an unknown parameter',
      `/v3/explain?report=projects&measure=actual_hours&${QUARTER}&x=1`,
      undefined,
      400,
      'x is not',
    ],
    ['a line and a number', '/v3/explain?line_id=e:1&measure=actual_hours', undefined, 400, 'measure'],
    ['a line that is none', '/v3/explain?line_id=z', undefined, 400, 'is not the id of a line'],
    ['a line that is not there', '/v3/explain?line_id=e:999999', undefined, 404, 'e:999999'],
  ])('refuses %s', async (_, path, headers, expected, words) => {
    const { status, text } = await served.get(path, headers ?? reader);
    expect({ status, text }).toEqual({ status: expected, text: expect.stringContaining(words) });
  });

  it('shows no cost to a reader without the scope rates', { tags: ['slow'] }, async () => {
    const { lines } = (await served.get(`/v3/reports/lines?${QUARTER}&limit=40`)).json();
    for (const { line_id: id, cost, cost_rate: rate } of lines) {
      const { status, text } = await served.get(`/v3/explain?line_id=${encodeURIComponent(id)}`, reader);
      expect(status, id).toBe(200);
      expect(text).not.toMatch(/"cost"|"cost_rate"|"actual_cost"/);
      for (const secret of [cost, rate]) if (secret > 20) expect(text).not.toContain(`"${Number(secret).toFixed(2)}"`);
    }
  });
});
