import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { ERROR_STATUSES } from '../../../src/doors/http/protocol/errors.ts';
import { ANSWER_FORMATS } from '../../../src/doors/http/reports/answer-formats.ts';
import { servedResources } from '../../../src/store/record/served-resources.ts';
import { fetchReply, QUARTER, type Served, serve } from '../../http/served.ts';
import { catalogue, REPORT_NAMES } from '../../sql/company.ts';

let served: Served;
// biome-ignore lint/suspicious/noExplicitAny: tests read many parts of the document.
let document: any;
beforeAll(async () => {
  served = await serve();
  document = (await served.get('/openapi.json')).json();
});
afterAll(() => served.close());

/** Reads the document of a server that takes changes of no records. */
async function readApi(numbers: boolean): Promise<object> {
  const other = await serve({ data: 'nothing', write: true, inMemory: true, numbers });
  const { json } = await other.get('/openapi.json');
  await other.close();
  return json();
}

/** Validates a value against a named schema of the document. */
function check(name: string, value: unknown): unknown {
  return checkAt(document, `components/schemas/${name}`, value);
}

/** The validators of documents, whose schemas are compiled once. */
const validators = new WeakMap<object, Ajv2020>();

/** Validates a value against the schema at a slash-separated path of a document. */
function checkAt(api: object, place: string, value: unknown): unknown {
  const ajv = validators.get(api) ?? new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  if (!validators.has(api)) validators.set(api, ajv.addSchema(api, 'api'));
  const validate = ajv.getSchema(`api#/${place}`);
  if (!validate) throw new Error(`There is no schema at ${place}`);
  return validate(value) ? [] : validate.errors;
}

const reports = [...catalogue.reports.keys()];
const nameOf = (report: string) => report.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it.each(reports)('describes the report %s with all its parameters, formats and errors', (name) => {
    for (const path of [`/v3/reports/${name}`, `/v3/reports/${name}.{format}`]) {
      const { parameters, responses } = document.paths[path].get;
      const named = parameters.map((parameter: { name?: string; $ref?: string }) => parameter.name ?? parameter.$ref);
      expect(named).toContain('start_date');
      expect(named).toContain('#/components/parameters/decimals');
      expect(Object.keys(responses['200'].content)).toEqual(
        ANSWER_FORMATS.map(({ mediaType }) => mediaType.split(';')[0]),
      );
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['304', '400', '401', '403', '404', '406', '500', '503']),
      );
    }
  });

  it.each(REPORT_NAMES)('describes the real answers of %s', async (name) => {
    const pivot = name === 'pivot' ? '&group_by=client,person,tag,month' : '';
    const more = catalogue.reports.get(name)?.parameters?.includes('interval') ? '&interval=month' : '';
    for (const query of [
      '',
      more,
      '&decimals=string',
      '&page=1&per-page=2',
      name === 'projects' ? '&expand=phases' : '',
      name === 'pivot' ? '&columns=month,quarter&measures=actual_hours,actual_cost,budget_total' : '',
    ]) {
      const { status, json } = await served.get(`/v3/reports/${name}?${QUARTER}${pivot}${query}`);
      expect(status).toBe(200);
      expect(check(`${nameOf(name)}Answer`, json())).toEqual([]);
    }
  });

  it('detects a wrong answer', () => {
    expect(check('PeopleRow', { people_id: 'a' })).not.toEqual([]);
    expect(check('PeopleRow', { colour: 1 })).not.toEqual([]);
  });

  it('describes errors', async () => {
    for (const path of ['/v3/reports/people', '/v3/reports/profits', '/nowhere']) {
      expect(check('Error', (await served.get(path)).json())).toEqual([]);
    }
  });

  it('has working examples of required parameters', async () => {
    // This company has no kept state to compare with.
    const answered = reports.filter((name) => !catalogue.reports.get(name)?.compares);
    for (const name of answered) {
      const required = document.paths[`/v3/reports/${name}`].get.parameters.filter(
        ({ required: is }: { required?: boolean }) => is,
      );
      // The window is given by a period or by its days, so that none of these is required by itself.
      const query = [
        'period=2026-03',
        ...required.map((parameter: { name: string; example: unknown }) => `${parameter.name}=${parameter.example}`),
      ];
      expect((await served.get(`/v3/reports/${name}?${query.join('&')}`)).status).toBe(200);
    }
  });

  it('lists every status of the error documentation', () => {
    const text = readFileSync(join(packageDirectory, 'docs', 'http.md'), 'utf8');
    for (const [status, { name, code }] of Object.entries(ERROR_STATUSES)) {
      expect(document.components.responses[`Error${status}`].description).not.toBe('');
      expect(text).toMatch(new RegExp(`^\\| ${status} \\| \`${name}\` \\| \`${code}\``, 'm'));
    }
  });
});

describe('/openapi.json of a server that takes changes', () => {
  let writing: Served;
  // biome-ignore lint/suspicious/noExplicitAny: tests read many parts of the document.
  let api: any;
  beforeAll(async () => {
    writing = await serve({ write: true, inMemory: true });
    api = (await writing.get('/openapi.json')).json();
  });
  afterAll(() => writing.close());

  /** Returns the JSON pointer of the schema of a JSON answer. */
  const answerOf = (path: string, method: string, status: number) =>
    ['paths', path.replaceAll('/', '~1'), method, 'responses', status, 'content', 'application~1json', 'schema']
      .map(String)
      .map(encodeURI)
      .join('/');

  it('is valid OpenAPI 3.1', async () => {
    const { errors } = await new Validator().validate(structuredClone(api));
    expect(errors).toBeUndefined();
  });

  it('has every method of every route that it names, and no other', async () => {
    const paths = Object.entries<Record<string, unknown>>(api.paths);
    expect(paths.length).toBeGreaterThan(60);
    for (const [path, { parameters: _, ...operations }] of paths) {
      const methods = Object.keys(operations).map((method) => method.toUpperCase());
      const some = path.replace('{id}', '1').replace('{format}', 'csv');
      const { status, headers } = await fetchReply(new URL(some, writing.opsUrl), {}, 'OPTIONS');
      expect([path, status]).toEqual([path, 405]);
      const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
      expect([path, headers.get('allow')]).toEqual([path, all.sort().join(', ')]);
    }
  });

  it.each([...servedResources.values()].map(({ name }) => name))(
    'has a working example of %s and describes its answers',
    async (name) => {
      const path = `/v3/${name.replaceAll('_', '-')}`;
      const list = await writing.get(`${path}?per-page=5`);
      // The bundled company has no statuses, and an empty list has no body.
      expect(list.status).toBe(name === 'status' ? 204 : 200);
      if (list.status === 200) expect(checkAt(api, answerOf(path, 'get', 200), list.json())).toEqual([]);
      const { post } = api.paths[path];
      if (!post) return;
      const { example, schema } = post.requestBody.content['application/json'];
      expect(checkAt(api, schema.$ref.slice(2), example)).toEqual([]);
      const reply = await fetch(new URL(path, writing.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(example),
      });
      const created = await reply.json();
      expect([reply.status, created]).toEqual([201, expect.anything()]);
      expect(checkAt(api, answerOf(path, 'post', 201), created)).toEqual([]);
      const one = await writing.get(String(reply.headers.get('location')));
      expect(checkAt(api, answerOf(`${path}/{id}`, 'get', 200), one.json())).toEqual([]);
    },
  );
});

describe('/docs', () => {
  it('is a page whose files all come from the server itself', async () => {
    const page = await served.get('/docs');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(4);
    expect(page.text).not.toMatch(/<script>|https?:/);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\//);
      expect((await served.get(file)).status).toBe(200);
    }
    expect((await served.get('/docs/json')).json()).toEqual(document);
  });
});

describe('/metrics', () => {
  it('counts answers by route, method and status, and names the generation', async () => {
    await served.get('/v3/reports/profits');
    const { text, headers } = await served.get('/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(/plumbline_http_requests_total\{route="\/v3\/reports\/:name",method="GET",status="404"\} \d/);
    expect(text).toMatch(/plumbline_http_request_duration_seconds_bucket\{le="0.1",route="\/v3\/reports\/:name"\} \d/);
    expect(text).toMatch(/plumbline_generation_info\{data_version="\d{8}T\d{6}Z-[0-9a-f]{8}"\} 1/);
    for (const name of ['nodejs_eventloop_lag_seconds', 'plumbline_reports_running', 'plumbline_requests_waiting']) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
  });
});

describe('the operations port', () => {
  it('answers operators without a token, and the report port stops doing so', async () => {
    const apart = await serve({ data: 'nothing', opsPort: 0, scopes: ['reports'] });
    expect(apart.opsUrl).not.toBe(apart.url);
    for (const path of ['/healthz', '/metrics', '/openapi.json', '/docs']) {
      expect((await fetchReply(new URL(path, apart.opsUrl), {})).status).toBe(200);
      expect((await apart.get(path)).status).toBe(404);
    }
    expect((await fetchReply(new URL('/readyz', apart.opsUrl), {})).status).toBe(503);
    expect((await fetchReply(new URL('/v3/reports', apart.opsUrl), {})).status).toBe(404);
    expect((await apart.get('/v3/reports')).status).toBe(200);
    await apart.close();
  });
});

describe('/openapi.json for client generators', () => {
  let nodes: [string, Record<string, unknown>][];
  let api: object;
  beforeAll(async () => {
    api = await readApi(false);
    nodes = [...walk(api, '')].filter(([place]) => !place.includes('/example'));
  });
  /** Lists every object of the document with its path. */
  function* walk(value: unknown, place: string): Generator<[string, Record<string, unknown>]> {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) yield [place, value as Record<string, unknown>];
    for (const [name, member] of Object.entries(value)) yield* walk(member, `${place}/${name}`);
  }

  it('has only enums of a single type, apart from null', () => {
    const enums = nodes.flatMap(([place, { enum: values }]) => (Array.isArray(values) ? [{ place, values }] : []));
    expect(enums.length).toBeGreaterThan(20);
    for (const { place, values } of enums) {
      const types = new Set(values.filter((value) => value !== null).map((value) => typeof value));
      expect(types.size, `${place}: ${JSON.stringify(values)}`).toBe(1);
    }
  });

  it('gives every operation an id, every parameter a schema, and every reference a target', () => {
    const operations = nodes.filter(([place]) => /^\/paths\/.*\/(get|post|put|patch|delete)$/.test(place));
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(ids.every((id) => typeof id === 'string')).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [place, { parameters = [] }] of operations) {
      const names = (parameters as Record<string, unknown>[]).map(({ name, $ref }) => name ?? $ref);
      expect(new Set(names).size, place).toBe(names.length);
    }
    for (const [place, { $ref }] of nodes) {
      if (typeof $ref !== 'string') continue;
      const target = $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], api);
      expect(target, `${place} ${$ref}`).toBeDefined();
    }
  });

  it('has JSON or form bodies with schemas of their own: generators tell bodies apart by schema and know no XML', () => {
    const bodies = nodes.flatMap(([place, { requestBody }]) => {
      const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema: { $ref?: string } }> };
      const form = content['application/x-www-form-urlencoded']?.schema;
      return form ? [{ place, form, json: content['application/json']?.schema }] : [];
    });
    expect(bodies.length).toBeGreaterThan(20);
    for (const { place, form, json } of bodies) expect(form, place).not.toEqual(json);
    const types = nodes.flatMap(([, { requestBody }]) =>
      Object.keys((requestBody as { content?: object })?.content ?? {}),
    );
    // Files to load are the one body with parts.
    expect(types.filter((type) => type === 'multipart/form-data')).toHaveLength(1);
    const others = types.filter((type) => type !== 'multipart/form-data');
    expect(new Set(others)).toEqual(new Set(['application/json', 'application/x-www-form-urlencoded']));
  });

  it('has the decimals of the live service with serve --numbers', async () => {
    const typesOf = (document: unknown) =>
      ['People/properties/default_hourly_rate', 'Tasks/properties/hours', 'Projects/properties/budget_total'].map(
        (name) => {
          const place = `components/schemas/${name}/type`.split('/');
          return place.reduce((at, each) => (at as Record<string, unknown>)[each], document);
        },
      );
    expect([typesOf(api), typesOf(await readApi(true))]).toEqual([
      [
        ['string', 'null'],
        ['string', 'null'],
        ['number', 'null'],
      ],
      [
        ['string', 'null'],
        ['number', 'null'],
        ['string', 'null'],
      ],
    ]);
  });

  it('has no schema of null alone, and no union of lists, objects or references: generators know neither', () => {
    for (const [place, node] of nodes) {
      expect(node['type'], place).not.toBe('null');
      const united = [node['anyOf'] ?? [], node['oneOf'] ?? [], node['allOf'] ?? []].flat() as { type?: string }[];
      for (const { type } of united) expect(['integer', 'string'], place).toContain(type);
    }
  });
});
