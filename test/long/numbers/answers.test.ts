import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, QUARTER, type Served, serve } from '../../http/served.ts';
import { catalogue, REPORT_NAMES } from '../../sql/company.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const queryOf = (name: string) => `${QUARTER}${name === 'pivot' ? '&group_by=client,month' : ''}`;

describe('the list of reports', () => {
  it('lists every report with its parameters, columns, units and descriptions', async () => {
    const { reports } = (await served.get('/v3/reports')).json();
    expect(reports.map(({ name }: { name: string }) => name)).toEqual([...catalogue.reports.keys()]);
    const people = reports.find(({ name }: { name: string }) => name === 'people');
    expect(people.parameters.find(({ name }: { name: string }) => name === 'start_date')).toEqual({
      name: 'start_date',
      type: 'date',
      label: 'Start date',
      description: 'The first day of the window.',
      example: '2026-01-01',
      required: false,
    });
    expect(people.columns.find(({ name }: { name: string }) => name === 'actual_cost')).toMatchObject({
      unit: 'money',
      needs_rates: true,
    });
    expect(people.columns.find(({ name }: { name: string }) => name === 'period_start')).toMatchObject({
      when: 'interval',
    });
  });

  it('has an ETag, and answers 304 to it', async () => {
    const etag = (await served.get('/v3/reports')).headers.get('etag') ?? '';
    expect((await served.get('/v3/reports', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe.each(REPORT_NAMES)('the report %s', (name) => {
  it('answers {name: rows, totals, meta} and nothing else', async () => {
    const { status, headers, json } = await served.get(`/v3/reports/${name}?${queryOf(name)}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    const body = json();
    expect(Object.keys(body)).toEqual([name, 'totals', 'meta']);
    expect(body[name].length).toBeGreaterThan(0);
    expect(body.meta).toMatchObject({ report: name, currency: 'EUR', generated_at: '2026-06-15T12:00:00Z' });
    expect(body.meta.parameters).toMatchObject({ start_date: '2026-01-01', end_date: '2026-03-31' });
    expect(headers.get('x-data-version')).toBe(body.meta.data_version);
  });

  it('has the same values in JSON, NDJSON and CSV', async () => {
    const get = async (suffix: string) => (await served.get(`/v3/reports/${name}.${suffix}?${queryOf(name)}`)).text;
    // Compares digits as written: 12.50 is not 12.5.
    const digits = (text: string) => JSON.parse(text.replaceAll(/:(-?\d+(?:\.\d+)?)(?=[,}])/g, ':"$1"'));
    const [json, ndjson, csv] = [await get('json'), await get('ndjson'), await get('csv')];
    // Only JSON has the names that other clients read.
    const aliases = catalogue.reports.get(name)?.aliases ?? {};
    const rows = (digits(json)[name] as Record<string, unknown>[]).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !(column in aliases))),
    );
    expect(ndjson.trimEnd().split('\n').map(digits)).toEqual(rows);
    const [header = [], ...records] = parseCsv(csv);
    expect(header).toEqual(Object.keys(rows[0] ?? {}));
    const asText = (value: unknown) => (value === null ? '' : String(value));
    expect(records).toEqual(
      rows.map((row) =>
        Object.values(row)
          .map(asText)
          .map((text) => (/^[=+@]/.test(text) ? `'${text}` : text)),
      ),
    );
  });
});

describe('formats', () => {
  const projects = `/v3/reports/projects?${QUARTER}`;

  it.each([
    ['application/json', 'application/json'],
    ['text/csv', 'text/csv'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['*/*', 'application/json'],
    ['text/*', 'text/csv'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
    ['application/json;q=0, */*', 'text/csv'],
    [XLSX, XLSX],
    [`text/csv;q=0.3, ${XLSX};q=0.4`, XLSX],
    ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    [`application/json;q=0.8, application/vnd.apache.parquet;q=0.9`, 'application/vnd.apache.parquet'],
    ['application/vnd.apache.arrow.stream', 'application/vnd.apache.arrow.stream'],
    [`*/*;q=0.1, ${XLSX};q=0, application/vnd.apache.arrow.stream`, 'application/vnd.apache.arrow.stream'],
  ])('Accept: %s is answered %s', async (accept, type) => {
    const { headers, status } = await served.get(projects, { accept });
    expect(status).toBe(200);
    expect(headers.get('content-type')?.startsWith(type)).toBe(true);
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Authorization, Cookie, Origin');
  });

  it('a suffix takes precedence over Accept', async () => {
    const { headers } = await served.get(`/v3/reports/projects.csv?${QUARTER}`, { accept: 'application/json' });
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(headers.get('content-disposition')).toBe('attachment; filename="projects_2026-01-01_2026-03-31.csv"');
  });

  it('workbooks are complete and never paged', async () => {
    const { status, headers } = await served.get(`/v3/reports/projects.xlsx?${QUARTER}`, {}, 'HEAD');
    expect([status, headers.get('content-type')]).toEqual([200, XLSX]);
    const bytes = await served.bytes(`/v3/reports/projects.xlsx?${QUARTER}`);
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    // The end-of-archive record shows that nothing is missing.
    expect(bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')).toBe(bytes.length - 22);
    expect((await served.get(`/v3/reports/projects.xlsx?${QUARTER}&page=1`)).status).toBe(400);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const [get, head] = [await served.get(projects), await served.get(projects, {}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['etag', 'content-type', 'x-data-version'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect((await served.get(`/v3/reports/lines.csv?${QUARTER}`, {}, 'HEAD')).status).toBe(200);
    expect((await served.get('/v3/reports/projects', {}, 'HEAD')).status).toBe(400);
  });

  it('decimals are numbers with all their digits, or strings of the same digits', async () => {
    const path = `/v3/reports/projects.json?${QUARTER}&fields=project_id,actual_hours,actual_cost&sort=project_id&per-page=1`;
    const numbers = (await served.get(path)).text;
    const strings = (await served.get(`${path}&decimals=string`)).text;
    const [, hours, cost] = /"actual_hours":(-?\d+\.\d\d),"actual_cost":(-?\d+\.\d\d)/.exec(numbers) ?? [];
    expect(strings).toContain(`"actual_hours":"${hours}","actual_cost":"${cost}"`);
    expect(strings).toMatch(/"project_id":\d/);
    const ndjson = await served.get(`${path.replace('.json', '.ndjson')}&decimals=string`);
    expect(ndjson.json().actual_hours).toBe(hours);
  });
});

describe('pages', () => {
  const pagination = (headers: Headers) =>
    ['total-count', 'page-count', 'current-page', 'per-page'].map((name) => headers.get(`x-pagination-${name}`));

  it.each(['projects', 'lines', 'data-quality'])('%s has list headers only when a page is requested', async (name) => {
    const all = await served.get(`/v3/reports/${name}?${QUARTER}`);
    const count = all.json()[name].length;
    expect(pagination(all.headers)).toEqual([null, null, null, null]);
    const pages = Math.ceil(count / 7);
    const last = await served.get(`/v3/reports/${name}?${QUARTER}&page=${pages}&per-page=7`);
    expect(pagination(last.headers)).toEqual([count, pages, pages, count - (pages - 1) * 7].map(String));
    const past = await served.get(`/v3/reports/${name}?${QUARTER}&page=${pages + 1}&per-page=7`);
    expect(pagination(past.headers)).toEqual([String(count), String(pages), String(pages + 1), '0']);
    expect(past.json()[name]).toEqual([]);
  });

  it('lines send the next cursor in headers too, so CSV can be paged', async () => {
    const getPage = (format: string, cursor: string | null) =>
      served.get(
        `/v3/reports/lines.${format}?${QUARTER}&limit=400&fields=date,line_id${cursor ? `&cursor=${cursor}` : ''}`,
      );
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const { headers, text } = await getPage('csv', cursor);
      read.push(
        ...parseCsv(text)
          .slice(1)
          .map(([, id = '']) => id),
      );
      cursor = headers.get('x-pagination-next-cursor');
      expect(headers.get('x-pagination-has-more')).toBe(String(cursor !== null));
    } while (cursor);
    const all = (await served.get(`/v3/reports/lines?${QUARTER}`)).json().lines;
    expect(read).toEqual(all.map(({ line_id: id }: { line_id: string }) => id));
  });
});

describe('ETag', () => {
  const etagOf = async (query: string, headers = {}) =>
    (await served.get(`/v3/reports/projects${query}`, headers)).headers.get('etag');

  it('is strong, and 304 has the same headers without a body', async () => {
    const path = `/v3/reports/projects?${QUARTER}`;
    const first = await served.get(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const again = await served.get(path, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await served.get(path, { 'if-none-match': '*' })).status).toBe(304);
    expect((await served.get('/v3/reports/projects?start_date=soon', { 'if-none-match': '*' })).status).toBe(400);
    for (const name of ['etag', 'cache-control', 'vary']) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('and the format depend on the headers of the request itself, not on those of another', async () => {
    const path = `/v3/reports/projects?${QUARTER}&fields=name`;
    const [csv, json] = ['text/csv;q=0.5,', 'text/csv;q=0.5, application/json'];
    const typeOf = async (accept: string, coding: string) =>
      (await served.get(path, { accept, 'accept-encoding': coding })).headers.get('content-type');
    expect(await typeOf(csv, 'application/json gzip')).toMatch(/^text\/csv/);
    expect(await typeOf(json, 'gzip')).toMatch(/^application\/json/);
    const codingOf = async (accept: string, coding: string) => {
      const { headers } = await served.get(path, { accept, 'accept-encoding': coding });
      return [headers.get('content-encoding'), headers.get('etag')];
    };
    const [spoiled, gzip] = [await codingOf('text/csv gzip', 'x'), await codingOf('text/csv', 'gzip x, gzip')];
    expect([spoiled[0], gzip[0]]).toEqual([null, 'gzip']);
    expect(gzip[1]).not.toBe((await codingOf('text/csv', 'identity'))[1]);
  });

  it('is the same for equivalent queries, and different for all others', async () => {
    const etag = await etagOf(`?${QUARTER}`);
    const same = [`?end_date=2026-03-31&start_date=2026-01-01`, `?${QUARTER}&status=confirmed,completed`];
    for (const query of same) expect(await etagOf(query)).toBe(etag);
    const others = [
      `.csv?${QUARTER}`,
      `?${QUARTER}&decimals=string`,
      `?${QUARTER}&cutoff_date=2026-06-14`,
      // The day of the default, but for another reason, which meta tells.
      `?${QUARTER}&cutoff_date=2026-05-30`,
      `?${QUARTER}&fields=name`,
      `?${QUARTER}&fields=name&per-page=3`,
    ];
    const etags = await Promise.all(others.map((query) => etagOf(query)));
    expect(new Set([etag, ...etags]).size).toBe(others.length + 1);
  });

  it('changes at the company’s midnight, because the default cutoff and future hours depend on today', async () => {
    let now = new Date('2026-06-15T21:00:00Z');
    const night = await serve({ now: () => now });
    const read = async () => (await night.get(`/v3/reports/projects?${QUARTER}`)).headers.get('etag');
    const evening = await read();
    now = new Date('2026-06-16T12:00:00Z');
    expect(await read()).not.toBe(evening);
    await night.close();
  });
});

describe('every request', () => {
  it('gets an id in its answer: its own if it is well formed', async () => {
    const idOf = async (id: string) =>
      (await served.get('/healthz', { 'x-request-id': id })).headers.get('x-request-id');
    expect(await idOf('trace-1.2:3')).toBe('trace-1.2:3');
    expect(await idOf('a b"c')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('leaves a line in the log without its query', async () => {
    await served.get(`/v3/reports/projects?${QUARTER}&client_id=31415`, { 'x-request-id': 'look-here' });
    await expect.poll(() => served.log()).toContain('"request":"look-here"');
    const line = JSON.parse(
      served
        .log()
        .split('\n')
        .find((text) => text.includes('look-here')) ?? '',
    );
    expect(line).toMatchObject({
      method: 'GET',
      path: '/v3/reports/projects',
      route: '/v3/reports/:name',
      status: 200,
    });
    // Not the number: a time of the log may hold its digits.
    expect(served.log()).not.toContain('client_id');
  });

  it('gets headers that keep browsers from running its answer', async () => {
    const { headers } = await served.get(`/v3/reports/projects?${QUARTER}`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
