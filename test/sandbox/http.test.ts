import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { answerError } from '../../src/doors/http/protocol/errors.ts';
import { LIMITS } from '../../src/doors/http/protocol/limits.ts';
import { registerModels } from '../../src/doors/sandbox/routes/model-routes.ts';
import { registerSql } from '../../src/doors/sandbox/routes/sql-routes.ts';
import { makeStatementRunner, type SharedSandbox, shareSandbox } from '../../src/doors/sandbox/routes/statements.ts';
import { openSandbox, type Sandbox } from '../../src/doors/sandbox/sandbox.ts';
import { loadCatalogue } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import { listMarts, loadMeanings } from '../../src/numbers/report/marts/marts.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { openKeptGenerations } from '../../src/store/history/kept-generations.ts';
import { ENDLESS, type LoadedCompany, loadCompany } from './company.ts';

let company: LoadedCompany;
let app: FastifyInstance;
let listings = 0;
const sandboxes: Sandbox[] = [];
beforeAll(async () => {
  company = await loadCompany();
  const copy = fileWithoutRates(company.file);
  const schemas = ['marts', 'reports'];
  sandboxes.push(openSandbox(company.file, { schemas, size: 1 }), openSandbox(copy, { schemas, size: 1 }));
  const shared = sandboxes.map((sandbox) => shareSandbox(sandbox, LIMITS));
  app = fastify();
  app.setErrorHandler(answerError);
  const guard = {
    preParsing: async ({ headers }: { headers: { authorization?: string | undefined } }) => {
      if (!headers.authorization?.includes('sql')) throw Object.assign(new Error('No scope'), { statusCode: 403 });
    },
  };
  registerSql(app, {
    guard,
    catalogues: readCatalogues(),
    run: makeStatementRunner(({ headers }) => {
      const { sandbox, semaphore } = shared[headers.authorization?.includes('rates') ? 0 : 1] as SharedSandbox;
      return { semaphore, query: sandbox.query };
    }),
    kept: openKeptGenerations(company.file, 64),
    company: () => ({
      currency: 'EUR',
      minorUnits: 2,
      loadedAt: '2026-01-01T00:00:00Z',
      sourceUrl: null,
      syncedAt: null,
    }),
    limits: LIMITS,
    now: () => new Date('2026-02-01T00:00:00Z'),
  });
  const database = await openDatabase(copy, { readOnly: true });
  const catalogue = loadCatalogue('reports');
  const meanings = loadMeanings('reports', catalogue);
  registerModels(app, {
    guard,
    generationOf: () => ({ database, dataVersion: 'of the copy' }),
    listModels: (read) => {
      listings += 1;
      return listMarts(read, meanings);
    },
  });
  app.addHook('onClose', () => database.close());
  await app.ready();
});
afterAll(async () => {
  await app.close();
  for (const sandbox of sandboxes) await sandbox.close();
  await company.remove();
});

const send = (payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/v3/sql', payload, headers: { authorization: 'sql rates', ...headers } });

it('answers columns and rows, decimals as numbers with all their digits', async () => {
  const { statusCode, body, headers } = await send({
    sql: "SELECT kind, CAST(hours AS DECIMAL(9,4)) AS hours, fee, 9007199254740993 AS large, [1] AS list FROM marts.ledger WHERE kind = 'actual'",
  });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-truncated': 'false',
    'cache-control': 'no-store',
  });
  expect(body.replace(/"data_version":"[^"]+"/, '"data_version":"V"')).toBe(
    `{"columns":[{"name":"kind","type":"ENUM('scheduled', 'actual', 'expense', 'revenue', 'invoice', 'write_off')"},{"name":"hours","type":"DECIMAL(9,4)"},{"name":"fee","type":"DECIMAL(18,4)"},{"name":"large","type":"BIGINT"},{"name":"list","type":"INTEGER[]"}],"rows":[
{"kind":"actual","hours":5.50,"fee":550.00,"large":9007199254740993,"list":[1]}
],"truncated":false,"data_version":"V"}
`,
  );
});

it('cuts rows at the limit, and says so', async () => {
  const { body, headers } = await send({ sql: 'SELECT * FROM range(10)', limit: 2 });
  expect(JSON.parse(body)).toMatchObject({ rows: [{ range: 0 }, { range: 1 }], truncated: true });
  expect(headers['x-truncated']).toBe('true');
});

it('takes parameters as JSON values, and of named types', async () => {
  const parameters = {
    a: 'x',
    b: 1.25,
    c: true,
    d: null,
    e: { type: 'date', value: '2026-01-31' },
    f: { type: 'number', value: '0.10' },
  };
  const { body } = await send({ sql: 'SELECT $a AS a, $b AS b, $c AS c, $d AS d, $e AS e, $f AS f', parameters });
  expect(body).toContain('{"a":"x","b":1.25,"c":true,"d":null,"e":"2026-01-31","f":0.10}');
});

it('answers CSV and NDJSON on request', async () => {
  const sql = "SELECT 1 AS n, 'a,\"b' AS t, [1, 2] AS list, '=1+1' AS formula";
  const csv = await send({ sql }, { accept: 'text/csv' });
  expect(csv.body).toBe('n,t,list,formula\r\n1,"a,""b","[1,2]",\'=1+1\r\n');
  expect(csv.headers['content-type']).toContain('text/csv');
  const ndjson = await send({ sql }, { accept: 'application/x-ndjson' });
  const most = await send({ sql }, { accept: 'text/csv;q=0.5, image/png, application/x-ndjson' });
  expect(most.body).toBe(ndjson.body);
  expect(ndjson.body).toBe('{"n":1,"t":"a,\\"b","list":[1,2],"formula":"=1+1"}\n');
});

it.each([
  [{ sql: 'SELECT * FROM core.ledger' }, 400, 'There is no relation core.ledger', 'sql'],
  [{ sql: "SELECT getenv('HOME')" }, 400, 'The function getenv is not allowed', 'sql'],
  [{ sql: 'DROP TABLE x' }, 400, 'The SQL is not a SELECT', 'sql'],
  [{ sql: "SELECT repeat('x', 20000000) AS text" }, 422, 'The answer is larger than', 'sql'],
  [
    { sql: 'SELECT SUM(a.range * b.range) FROM range(1000000) AS a, range(1000000) AS b', timeout_ms: 200 },
    422,
    'was ended',
    'timeout_ms',
  ],
  [{}, 400, 'sql is missing; give one SELECT', 'sql'],
  [{ sql: 1 }, 400, 'sql: 1 is not a text; give one SELECT', 'sql'],
  [{ sql: 'SELECT 1', limit: 'all' }, 400, 'limit: "all" is not a whole number of rows from 1 to 100000', 'limit'],
  [{ sql: 'SELECT 1', limit: 1e9 }, 400, 'limit: 1000000000 is not a whole number of rows from 1 to 100000', 'limit'],
  [{ sql: 'SELECT 1', timeout_ms: 0 }, 400, 'timeout_ms: 0 is not a whole number of milliseconds from 1', 'timeout_ms'],
  [{ sql: 'SELECT 1', timeout: 3 }, 400, 'timeout: there is no such field; the fields are sql,', 'timeout'],
  [{ sql: 'SELECT $a' }, 400, 'The SQL names $a, which has no value', 'parameters.a'],
  [{ sql: 'SELECT 1', parameters: { a: 1 } }, 400, 'The SQL has no parameter $a', 'parameters.a'],
  [{ sql: 'SELECT $a', parameters: { a: [1] } }, 400, 'parameters.a: Must be', 'parameters.a'],
  [{ sql: 'SELECT $a', parameters: { a: { type: 'date', value: '2026-02-30' } } }, 400, 'not a day', 'parameters.a'],
  [['SELECT 1'], 400, 'The body is not an object with the fields sql,', 'body'],
])('answers %j with an error that names the field', async (payload, status, text, field) => {
  const { statusCode, body } = await send(payload);
  const { message, errors } = JSON.parse(body);
  expect([statusCode, message]).toEqual([status, expect.stringContaining(text)]);
  expect(errors).toEqual([{ field, message: expect.any(String) }]);
});

it('runs nothing if the accepted formats are all unknown', async () => {
  const { statusCode, body } = await send({ sql: 'no SQL' }, { accept: 'image/png' });
  expect([statusCode, JSON.parse(body).message]).toEqual([
    406,
    'None of the types in Accept is available. The formats are application/json, text/csv, application/x-ndjson',
  ]);
});

it('names the body if it is not JSON', async () => {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/v3/sql',
    payload: '{"sql":',
    headers: { authorization: 'sql', 'content-type': 'application/json' },
  });
  expect([statusCode, JSON.parse(body).errors]).toEqual([400, [{ field: 'body', message: expect.any(String) }]]);
});

it('reads the copy without rates for readers who may not see them, and nothing without the scope', async () => {
  const copy = await send(
    { sql: "SELECT hours, fee FROM marts.ledger WHERE kind = 'actual'" },
    { authorization: 'sql' },
  );
  expect(JSON.parse(copy.body)).toMatchObject({ rows: [{ hours: 5.5, fee: 550 }] });
  const refused = await send({ sql: 'SELECT cost FROM marts.ledger' }, { authorization: 'sql' });
  expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('cost')]);
  expect((await send({ sql: 'SELECT 1' }, { authorization: 'reports' })).statusCode).toBe(403);
});

it('ends a statement when its client disconnects', async () => {
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/v3/sql`;
  const headers = { authorization: 'sql rates', 'content-type': 'application/json' };
  const body = JSON.stringify({ sql: ENDLESS, timeout_ms: 90_000 });
  await expect(fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(300) })).rejects.toThrow();
  const startedAt = performance.now();
  expect((await send({ sql: 'SELECT 1' })).statusCode).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

it('answers 503 when too many requests wait', { tags: ['slow'] }, async () => {
  const queries = [{ sql: ENDLESS, timeout_ms: 1_000 }, ...Array.from({ length: 20 }, () => ({ sql: 'SELECT 1' }))];
  const answers = await Promise.all(queries.map((query) => send(query)));
  expect(answers[0]?.statusCode).toBe(422);
  const busy = answers.filter(({ statusCode }) => statusCode === 503);
  expect(busy.length).toBeGreaterThan(0);
  expect(busy[0]?.headers['retry-after']).toBe('2');
});

it('lists models, once for each generation', async () => {
  const get = () => app.inject({ url: '/v3/models', headers: { authorization: 'sql' } });
  const [first, second] = [await get(), await get()];
  const { models, data_version } = first.json() as { models: Record<string, unknown>[]; data_version: string };
  expect(data_version).toBe('of the copy');
  expect(models.find(({ name }) => name === 'marts.projects')).toMatchObject({
    grain: expect.stringMatching(/^One row per project/),
    row_count: expect.any(Number),
    columns: expect.arrayContaining([
      { name: 'project_id', type: 'BIGINT', unit: 'id', description: expect.any(String) },
    ]),
  });
  expect([second.body, listings]).toEqual([first.body, 1]);
  expect((await app.inject({ url: '/v3/models' })).statusCode).toBe(403);
});
