// @module-tag slow
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { xml2json } from 'odata-csdl';
import schema from 'odata-csdl/schemas/csdl.schema.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import type { Scope } from '../../src/doors/identity/tokens.ts';
import { companyFiles, writeFiles } from '../errors/gallery.ts';
import { eventually } from '../eventually.ts';
import { REVEALS_COST } from '../sql/company.ts';
import { fetchReply, NOW, QUARTER, type Reply, type Served, serve } from './served.ts';

const WINDOW = 'start_date=2026-01-01,end_date=2026-03-31';

let served: Served;
beforeAll(async () => {
  served = await serve({ scopes: ['reports', 'rates', 'sql'] });
});
afterAll(() => served.close());

const get = (path: string, headers?: Record<string, string>) =>
  served.get(`/odata/v4/${path}`, headers && { ...headers, authorization: own() });

/** Returns the header of the token with all scopes. */
let authorization: string;
beforeAll(async () => {
  ({ header: authorization } = await served.token(['reports', 'rates', 'sql']));
  await eventually(async () => expect((await served.get('/odata/v4/', { authorization })).status).toBe(200));
});
const own = () => authorization;

/** Makes a client with a new token of these scopes, once the server accepts it. */
async function asReader(...scopes: Scope[]) {
  const { header } = await served.token(scopes);
  const headers = { authorization: header };
  await eventually(async () => expect((await served.get('/odata/v4/', headers)).status).not.toBe(401));
  return (path: string) => served.get(`/odata/v4/${path}`, headers);
}

/** Reads all pages from a path, by their links. */
async function readPages(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ pages: Reply[]; rows: Record<string, unknown>[] }> {
  const pages = [await get(path, headers)];
  for (;;) {
    const link = pages.at(-1)?.json()['@odata.nextLink'];
    if (link === undefined) return { pages, rows: pages.flatMap((page) => page.json().value) };
    pages.push(await served.get(link, { ...headers, authorization }));
  }
}

describe('$metadata', () => {
  it('is CSDL 4.0 by the schema of OASIS, as XML whatever Accept says', { tags: ['slow'] }, async () => {
    for (const accept of ['application/xml', 'application/json', '*/*']) {
      const { status, headers, text } = await get('$metadata', { accept });
      expect([status, headers.get('content-type'), headers.get('odata-version')]).toEqual([
        200,
        'application/xml; charset=utf-8',
        '4.0',
      ]);
      const messages: unknown[] = [];
      const model = xml2json(text, { strict: true, annotations: true, messages });
      expect(messages).toEqual([]);
      const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
      validate(model);
      expect(validate.errors).toBeNull();
    }
  });

  it('refers to vocabularies that the server has, for everybody, with every term of the model', async () => {
    const { text } = await get('$metadata');
    const aliases = new Map<string, string[]>();
    for (const [, uri = '', namespace = '', alias = ''] of text.matchAll(
      /<edmx:Reference Uri="([^"]+)"><edmx:Include Namespace="([^"]+)" Alias="([^"]+)"/g,
    )) {
      const { status, text: declared } = await served.get(uri, {});
      expect(status, uri).toBe(200);
      const messages: unknown[] = [];
      expect(Object.keys(xml2json(declared, { strict: true, messages }))).toContain(namespace);
      expect(messages).toEqual([]);
      aliases.set(
        alias,
        [...declared.matchAll(/<Term Name="(\w+)"/g)].map(([, term = '']) => `${alias}.${term}`),
      );
    }
    const used = new Set([...text.matchAll(/ Term="([^"]+)"/g)].map(([, term]) => term));
    expect([...used].toSorted()).toEqual([...aliases.values()].flat().toSorted());
    const unknown = await get('vocabularies/Org.OData.Other.V1.xml');
    expect([unknown.status, unknown.json().error.message]).toEqual([
      404,
      'There is no vocabulary "Org.OData.Other.V1.xml"',
    ]);
  });

  it('gives each column its type, and describes it', async () => {
    const { Plumbline: model } = xml2json((await get('$metadata')).text);
    expect(model.lines_row.$Key).toEqual(['line_id']);
    expect(model.lines_row.fee).toEqual({
      $Type: 'Edm.Decimal',
      $Nullable: true,
      $Precision: 18,
      $Scale: 4,
      '@Core.Description': expect.stringContaining('Hours x bill rate'),
    });
    expect(model.lines_row.date).toMatchObject({ $Type: 'Edm.Date' });
    expect(model.lines_row.people_id).toMatchObject({ $Type: 'Edm.Int64' });
    expect(model.people_row.people_type_id).toMatchObject({ $Type: 'Edm.Int32' });
    const [report] = model.report_projects;
    expect(report.$Parameter.slice(0, 2)).toMatchObject([
      { $Name: 'start_date', $Type: 'Edm.Date' },
      { $Name: 'end_date' },
    ]);
    expect(report.$ReturnType).toMatchObject({ $Collection: true, $Type: 'Plumbline.report_projects_row' });
  });

  it('has what the scopes allow: marts for sql, reports for reports, costs for rates', { tags: ['slow'] }, async () => {
    for (const [scopes, lines, projects, costs] of [
      [['sql'], true, false, false],
      [['reports'], false, true, false],
      [['reports', 'sql'], true, true, false],
      [['reports', 'sql', 'rates'], true, true, true],
    ] as const) {
      const read = await asReader(...scopes);
      const { Plumbline: model } = xml2json((await read('$metadata')).text);
      const names = Object.entries<object>(model).flatMap(([type, body]) =>
        Object.keys(body).map((name) => `${type}.${name}`),
      );
      expect([scopes, 'lines_row' in model, 'report_projects_row' in model]).toEqual([scopes, lines, projects]);
      expect(
        names.some((name) => REVEALS_COST.test(name)),
        String(scopes),
      ).toBe(costs);
      expect((await read('lines?$top=1')).status).toBe(lines ? 200 : 403);
      expect((await read(`report_people(${WINDOW})?$top=1`)).status).toBe(projects ? 200 : 403);
      if (lines) expect((await read('lines?$select=cost')).status).toBe(costs ? 200 : 400);
      if (projects)
        expect((await read(`report_projects(${WINDOW})?$select=actual_cost`)).status).toBe(costs ? 200 : 400);
    }
    const none = await asReader('write');
    expect([(await none('')).status, (await none('lines')).status]).toEqual([403, 403]);
  });
});

describe('what Excel and Power BI ask', () => {
  const ACCEPT =
    'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/json;q=0.7,text/plain;q=0.7';
  const HEADERS = {
    'odata-maxversion': '4.0',
    maxdataserviceversion: '3.0',
    accept: ACCEPT,
    'user-agent': 'Microsoft.Data.Mashup',
  };

  it('is challenged for Basic authentication, and takes the token as the password', async () => {
    const { status, headers } = await served.get('/odata/v4/', HEADERS);
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic realm="plumbline"'),
    ]);
    const { token } = await served.token(['sql']);
    const basic = { ...HEADERS, authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}` };
    await eventually(async () => expect((await served.get('/odata/v4/', basic)).status).toBe(200));
  });

  it('reads the service document, the model, a preview and then all pages', { tags: ['slow'] }, async () => {
    const service = await get('', HEADERS);
    expect(service.headers.get('content-type')).toContain('application/json;odata.metadata=minimal');
    expect(service.json()).toMatchObject({
      '@odata.context': `${served.url}/odata/v4/$metadata`,
      value: expect.arrayContaining([{ name: 'lines', kind: 'EntitySet', url: 'lines' }]),
    });
    expect((await get('$metadata', { ...HEADERS, accept: 'application/xml' })).status).toBe(200);
    const preview = await get('capacity?$top=1000', HEADERS);
    expect(preview.json().value).toHaveLength(1000);
    expect(preview.json()['@odata.nextLink']).toBeUndefined();
    const { pages, rows } = await readPages('capacity', HEADERS);
    expect(pages.length).toBeGreaterThan(2);
    expect(String(rows.length)).toBe((await get('capacity/$count')).text);
    expect(new Set(rows.map((row) => `${row['date']} ${row['people_id']}`)).size).toBe(rows.length);
  });

  it('sends conditions, orders and choices of columns in its own spelling', { tags: ['slow'] }, async () => {
    const query =
      '$filter=kind%20eq%20%27actual%27%20and%20date%20ge%202026-01-01&$select=line_id%2Cdate%2Chours&$orderby=hours%20desc&$top=5';
    const rows = (await get(`lines?${query}`, HEADERS)).json().value;
    const { rows: expected } = (
      await served.post('/v3/sql', {
        sql: "SELECT line_id, date, hours FROM marts.lines WHERE kind = 'actual' AND date >= '2026-01-01' ORDER BY hours DESC, date, line_id LIMIT 5",
      })
    ).json();
    expect(rows).toEqual(expected);
  });
});

describe('pages', () => {
  it('of any preferred size are all rows, and carry $select, $filter, $orderby, $count and $top on', {
    tags: ['slow'],
  }, async () => {
    const options = "$select=line_id,fee&$filter=contains(project,'a')&$orderby=fee desc,person&$top=3000&$count=true";
    const whole = (await get(`lines?${options}`)).json();
    const { pages, rows } = await readPages(`lines?${options}`, { prefer: 'odata.maxpagesize=700' });
    expect(pages.map((page) => page.json().value.length)).toEqual([700, 700, 700, 700, 200]);
    expect(pages.map((page) => page.headers.get('preference-applied'))).toEqual(
      pages.map(() => 'odata.maxpagesize=700'),
    );
    expect(new Set(pages.map((page) => page.json()['@odata.count']))).toEqual(new Set([whole['@odata.count']]));
    expect(rows).toEqual(whole.value);
  });

  it('of a function are all its rows', { tags: ['slow'] }, async () => {
    const path = `report_tasks(${WINDOW},interval='month')`;
    const whole = (await get(path)).json();
    const { pages, rows } = await readPages(path, { prefer: 'maxpagesize=10' });
    expect(pages.length).toBeGreaterThan(3);
    expect(rows).toEqual(whole.value);
  });

  it('of data that are gone are refused with 410, and a sentence', { tags: ['slow'] }, async () => {
    let now = NOW;
    const other = await serve({ scopes: ['reports', 'sql'], now: () => now });
    const prefer = { prefer: 'odata.maxpagesize=2' };
    const { header } = await other.token(['reports', 'sql']);
    const headers = { ...prefer, authorization: header };
    await eventually(async () => expect((await other.get('/odata/v4/', headers)).status).toBe(200));
    const paths = ['/odata/v4/people', `/odata/v4/report_people(${WINDOW})`];
    const links = await Promise.all(
      paths.map(async (path) => (await other.get(path, headers)).json()['@odata.nextLink']),
    );
    const statuses = () => Promise.all(links.map(async (link) => (await other.get(link, headers)).status));
    expect(await statuses()).toEqual([200, 200]);
    now = new Date(NOW.getTime() + 86_400_000);
    expect(await statuses(), 'the next day').toEqual([200, 410]);
    const folder = join(other.database, '..', 'next');
    await writeFiles(folder, companyFiles('.'));
    await loadDataset(folder, other.database, { acceptsShrink: true });
    for (const link of links) {
      await expect.poll(async () => (await other.get(link, headers)).status).toBe(410);
      const { error } = (await other.get(link, headers)).json();
      expect(error).toMatchObject({
        code: 'gone',
        message: expect.stringContaining('read all pages again from the first'),
      });
    }
    await other.close();
  });
});

describe('rows', () => {
  it('have exact decimals: as numbers with all digits, or as strings with IEEE754Compatible=true', async () => {
    const { rows } = (
      await served.post('/v3/sql', {
        sql: 'SELECT CAST(fee AS VARCHAR) AS fee FROM marts.lines ORDER BY date, line_id LIMIT 20',
      })
    ).json();
    const fees = rows.map(({ fee }: { fee: string | null }) => fee);
    const plain = await get('lines?$top=20&$select=fee');
    expect([...plain.text.matchAll(/"fee":([^,}]+)/g)].map(([, fee]) => fee)).toEqual(fees.map(String));
    const compatible = await get('lines?$top=20&$select=fee,people_id', {
      accept: 'application/json;IEEE754Compatible=true',
    });
    expect(compatible.headers.get('content-type')).toContain('IEEE754Compatible=true');
    expect(compatible.json().value.map(({ fee }: { fee: string }) => fee)).toEqual(fees);
    expect(typeof compatible.json().value[0].people_id).toBe('string');
  });

  it('say as much of themselves as odata.metadata asks', async () => {
    const form = async (metadata: string) =>
      (
        await get(
          `people?$filter=is_known&$top=1&$select=people_id,start_date&$format=application/json;odata.metadata=${metadata}`,
        )
      ).json();
    const context = expect.stringMatching(/^http:.*\/odata\/v4\/\$metadata#people\(people_id,start_date\)$/);
    const row = { people_id: expect.any(Number), start_date: expect.any(String) };
    expect(await form('none')).toEqual({ value: [row] });
    expect(await form('minimal')).toEqual({ '@odata.context': context, value: [row] });
    const [full] = (await form('full')).value;
    expect(full).toMatchObject({
      '@odata.type': '#Plumbline.people_row',
      'people_id@odata.type': '#Int64',
      'start_date@odata.type': '#Date',
    });
    expect((await served.get(full['@odata.id'], { authorization })).json()).toMatchObject({
      people_id: full.people_id,
    });
    const [keyless] = (await get('people?$top=1&$select=person')).json().value;
    expect(keyless['@odata.id']).toMatch(/\/people\(\d+\)$/);
  });

  it('are found by their keys', async () => {
    for (const [set, key] of [
      ['lines', 'line_id'],
      ['capacity', 'date'],
      ['people_tags', 'people_tag'],
      ['data_quality', 'row_number'],
    ]) {
      const [row] = (await get(`${set}?$top=1&$skip=3&$format=application/json;odata.metadata=full`)).json().value;
      const { status, json } = await served.get(row['@odata.id'], { authorization });
      expect([status, json()['@odata.context'], json()[key as string]]).toEqual([
        200,
        expect.stringContaining(`#${set}/$entity`),
        row[key as string],
      ]);
    }
    expect((await get("lines('none')")).status).toBe(404);
    for (const path of ['lines(1)', "capacity('x')", 'people()', 'people(people_id=1,person=2)', 'people(1,2)'])
      expect([path, (await get(path)).status]).toEqual([path, 400]);
  });

  it('are counted', async () => {
    const [{ count }] = (
      await served.post('/v3/sql', { sql: "SELECT COUNT(*) AS count FROM marts.lines WHERE kind = 'expense'" })
    ).json().rows;
    const { text, headers } = await get("lines/$count?$filter=kind eq 'expense'");
    expect([text, headers.get('content-type')]).toEqual([String(count), 'text/plain;charset=utf-8']);
    expect((await get(`report_people(${WINDOW})/$count`)).text).toBe(
      String((await served.get(`/v3/reports/people?${QUARTER}`)).json().people.length),
    );
    expect((await get('lines/$count?$top=1')).status).toBe(400);
  });

  it.each([
    ['text/plain', 200],
    ['text/plain;charset=utf-8', 200],
    ['text/*;q=0.5', 200],
    ['application/json', 200],
    ['*/*', 200],
    ['application/xml', 406],
    ['text/plain;q=0', 406],
  ])('are counted for Accept: %s with status %i', async (accept, status) => {
    for (const path of ['people/$count', `report_people(${WINDOW})/$count`])
      expect((await get(path, { accept })).status, path).toBe(status);
  });

  it.each(['lines', `report_lines(${WINDOW})`])(
    'of %s begin at no forged place that fails the server',
    { tags: ['slow'] },
    async (path) => {
      const odd = {
        hours: ['9'.repeat(38), `-${'9'.repeat(38)}`, `0.${'9'.repeat(38)}`, `${'9'.repeat(38)}.${'9'.repeat(38)}`],
        project_id: ['9'.repeat(38), '-1.5', '9223372036854775808'],
        date: ['0001-01-01', '9999-12-31', '0000-00-00'],
        billable: ['true', 'TRUE', '2'],
        project: ["'", '\0', 'x'.repeat(1_000), '\ud83d'],
      };
      for (const [column, values] of Object.entries(odd)) {
        for (const order of ['asc', 'desc']) {
          const query = `${path}?$orderby=${column} ${order},hours desc`;
          const link = (await get(query, { prefer: 'odata.maxpagesize=1' })).json()['@odata.nextLink'];
          const token = new URL(link).searchParams.get('$skiptoken') ?? '';
          const [version, left, count, after] = JSON.parse(Buffer.from(token, 'base64url').toString());
          for (const value of [...values, null]) {
            const place = JSON.stringify([version, left, count, [value, ...after.slice(1)]]);
            const forged = `${query}&$skiptoken=${Buffer.from(place).toString('base64url')}`;
            const { status, text } = await get(forged, { prefer: 'odata.maxpagesize=1' });
            expect([200, 400], `${column} ${order} ${value} ${text}`).toContain(status);
          }
        }
      }
    },
  );
});

describe('functions', () => {
  it.each(['projects', 'phases', 'tasks', 'people', 'data-quality'])(
    'report_%s has the rows of the report, in its order',
    async (name) => {
      const rows = (await served.get(`/v3/reports/${name}?${QUARTER}`)).json()[name];
      const called = (await get(`report_${name.replace('-', '_')}(${WINDOW})`)).json();
      const names = Object.keys(called.value[0]);
      const plain = rows.map((row: Record<string, unknown>) =>
        Object.fromEntries(names.map((column) => [column, row[column]])),
      );
      expect(called.value).toEqual(plain);
      expect(rows.length).toBeGreaterThan(0);
    },
  );

  it('take typed parameters, null for the default, and @names', async () => {
    const query = `${QUARTER}&status=tentative,confirmed&include_empty=1&billable=1`;
    const { people } = (await served.get(`/v3/reports/people?${query}`)).json();
    const ids = people.map(({ people_id }: { people_id: number }) => people_id);
    const call =
      "report_people(start_date=@s,end_date=2026-03-31,status='tentative,confirmed',include_empty=true,billable='1',tag=null)";
    const { value } = (await get(`${call}?@s=2026-01-01&$select=people_id`)).json();
    expect(value.map(({ people_id }: { people_id: number }) => people_id)).toEqual(ids);
  });

  it('are filtered, ordered and cut like sets', async () => {
    const call = `report_pivot(${WINDOW},group_by='client,month',measures='actual_hours,actual_fees')`;
    const { value } = (await get(call)).json();
    const options =
      '$filter=actual_hours gt 100 and month eq 2026-02-01&$orderby=actual_fees desc&$top=3&$select=client,actual_fees&$count=true';
    const few = (await get(`${call}?${options}`)).json();
    const expected = value
      .filter(
        ({ actual_hours: hours, month }: { actual_hours: number; month: string }) =>
          hours > 100 && month === '2026-02-01',
      )
      .sort((a: { actual_fees: number }, b: { actual_fees: number }) => b.actual_fees - a.actual_fees);
    expect(few['@odata.count']).toBe(expected.length);
    expect(few.value).toEqual(
      expected.slice(0, 3).map(({ client, actual_fees }: Record<string, unknown>) => ({ client, actual_fees })),
    );
  });

  it.each([
    ['report_people', 'call it as report_people(NAME=VALUE,...)', undefined],
    ['report_people()', 'start_date is missing; give the first day as YYYY-MM-DD, or a period instead', undefined],
    [
      "report_people(start_date='2026-01-01',end_date=2026-03-31)",
      "start_date: '2026-01-01' is not an Edm.Date; write it without quotes, such as 2026-01-31",
      'start_date',
    ],
    [
      `report_people(${WINDOW},project_id=501)`,
      "project_id: 501 is not an Edm.String; write it in quotes: '501'",
      'project_id',
    ],
    [`report_people(${WINDOW},project_id='x')`, 'project_id: "x" is not allowed', 'project_id'],
    [`report_people(${WINDOW},wages=1)`, 'report_people has no parameter wages', 'wages'],
    [
      'report_pivot(start_date=2026-01-01,end_date=2026-03-31)',
      'report_pivot needs the parameter group_by',
      'group_by',
    ],
  ])('refuse %s', async (path, message, target) => {
    const { status, json } = await get(path);
    expect([status, json().error.target]).toEqual([400, target]);
    expect(json().error.message).toContain(message);
  });
});

describe('what is not there', () => {
  it('is refused in the form of OData, with its version', async () => {
    for (const [path, status, code] of [
      ['nothing', 404, 'not_found'],
      ['lines?$filter=wages gt 1', 400, 'bad_request'],
      ['lines?wages=1', 400, 'bad_request'],
      ['lines?$top=%', 400, 'bad_request'],
      ['lines?$expand=people', 501, 'not_implemented'],
      ['lines?$apply=aggregate(fee with sum as fee)', 501, 'not_implemented'],
      ['$crossjoin(lines,people)', 501, 'not_implemented'],
      ["lines('x')/fee", 501, 'not_implemented'],
      ['lines?$format=atom', 406, 'not_acceptable'],
      ['lines?$format=application/json;odata.metadata=some', 406, 'not_acceptable'],
      ['__proto__', 404, 'not_found'],
    ] as const) {
      const { status: found, headers, json } = await get(path);
      expect([path, found, json().error.code, headers.get('odata-version')]).toEqual([path, status, code, '4.0']);
      expect(json().error.message).toMatch(/^.{10,}/);
    }
  });

  it('are writes: 501, whatever their body', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['lines', "lines('a')"]) {
        const headers = { authorization, 'content-type': 'multipart/mixed;boundary=b' };
        const { status, json } = await fetchReply(new URL(`/odata/v4/${path}`, served.url), headers, method, '--b--');
        expect([method, path, status, json().error.code]).toEqual([method, path, 501, 'not_implemented']);
      }
    }
  });

  it('is another version, or another form', async () => {
    const status = async (headers: Record<string, string>) => (await get('people?$top=1', headers)).status;
    expect(await status({ 'odata-version': '4.0', 'odata-maxversion': '4.01' })).toBe(200);
    expect(await status({ 'odata-version': '3.0' })).toBe(400);
    expect(await status({ 'odata-maxversion': '3.0' })).toBe(400);
    expect(await status({ accept: 'application/atom+xml' })).toBe(406);
  });

  it('is an unknown client: 401, in the form of OData', async () => {
    const { status, json } = await served.get('/odata/v4/lines', {});
    expect([status, json().error.code]).toEqual([401, 'unauthorized']);
  });
});

it('links name the host and the scheme that a proxy tells', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'plumbline.example.com' };
  const { json } = await get('people', { ...forwarded, prefer: 'odata.maxpagesize=5' });
  expect(json()['@odata.context']).toBe('https://plumbline.example.com/odata/v4/$metadata#people');
  expect(json()['@odata.nextLink']).toMatch(
    /^https:\/\/plumbline\.example\.com\/odata\/v4\/people\?\$skiptoken=[\w-]+$/,
  );
  expect((await get('people', { 'x-forwarded-host': 'a"b' })).status).toBe(400);
});

it('keys and parameters of functions stay out of the log', async () => {
  await get(`report_people(${WINDOW},tag='secret')?$filter=person eq 'secret'`);
  await get("lines%28'secret')/$count");
  await expect.poll(() => served.log()).toContain('"path":"/odata/v4/lines(...)"');
  expect(served.log()).toContain('"path":"/odata/v4/report_people(...)"');
  expect(served.log()).not.toContain('secret');
});

it('functions show writes that are answered, while marts are those published', { tags: ['slow'] }, async () => {
  const live = await serve({ write: true, inMemory: true, data: { people: [{ people_id: 1, name: 'Ann' }] } });
  const count = async () => (await live.get(`/odata/v4/report_people(${WINDOW},include_empty=true)/$count`)).text;
  expect(await count()).toBe('1');
  expect((await live.post('/v3/people', { name: 'Ben' })).status).toBe(201);
  expect(await count()).toBe('2');
  await live.close();
});
