import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import { createToken, readTokens, revokeToken, type Scope } from '../../../src/doors/identity/tokens.ts';
import { makeFolder, run } from '../../errors/gallery.ts';
import { runProcess } from '../../errors/program.ts';
import { eventually } from '../../eventually.ts';
import { readParquet } from '../../http/files.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';
import { catalogue, REVEALS_COST } from '../../sql/company.ts';

const REPORT = `/v3/reports/projects?${QUARTER}`;

let served: Served;
beforeAll(async () => {
  served = await serve({ scopes: ['reports', 'rates'] });
});
afterAll(() => served.close());

const getAs = (authorization: string | undefined, path = REPORT) =>
  served.get(path, authorization === undefined ? {} : { authorization });

describe('the token file', () => {
  it('keeps all tokens created in parallel by one process', async () => {
    const folder = await makeFolder();
    const file = join(folder, 'tokens.json');
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        createToken(file, { label: `${index}`, scopes: ['reports'], expires: null }, new Date()),
      ),
    );
    const kept = await readTokens(file);
    expect(kept.map(({ id }) => id)).toEqual(made.map(({ kept: { id } }) => id));
    await Promise.all(kept.slice(0, 10).map(({ id }) => revokeToken(file, id)));
    expect((await readTokens(file)).map(({ label }) => label)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index + 10}`),
    );
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });
});

describe('authentication', () => {
  it.each([
    ['nothing', undefined, 'No token was sent'],
    ['another scheme', 'Digest abc', 'wrong, expired or revoked'],
    ['a word', 'Bearer secret', 'wrong, expired or revoked'],
    ['a token of another server', `Bearer plb_00000000_${'x'.repeat(43)}`, 'wrong, expired or revoked'],
    ['Basic without a token', `Basic ${btoa('admin:admin')}`, 'wrong, expired or revoked'],
  ])('%s is answered 401 with the way to authenticate', async (_what, header, message) => {
    const { status, headers, json } = await getAs(header);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="plumbline", Basic realm="plumbline", charset="UTF-8"');
    expect(json()).toMatchObject({
      name: 'unauthorized',
      code: 'unauthorized',
      status: 401,
      message: expect.stringContaining(message),
    });
  });

  it('accepts a token as Bearer and as the password of Basic, with any user name', async () => {
    const { header, token } = await served.token(['reports']);
    await expect.poll(async () => (await getAs(header)).status).toBe(200);
    for (const name of ['', 'token', 'a:b'.replace(':', '')]) {
      expect((await getAs(`Basic ${btoa(`${name}:${token}`)}`)).status).toBe(200);
    }
    expect((await getAs(`bearer ${token}`)).status).toBe(200);
    expect((await getAs(`Bearer ${token}x`)).status).toBe(401);
    expect((await getAs(`Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).status).toBe(401);
  });

  it('ignores a token in the URL', async () => {
    const { token } = await served.token(['reports']);
    expect((await getAs(undefined, `${REPORT}&access_token=${token}`)).status).toBe(401);
  });

  it('accepts a token through its last day', async () => {
    const [last, over] = [await served.token(['reports'], '2026-06-15'), await served.token(['reports'], '2026-06-14')];
    await expect.poll(async () => (await getAs(last.header)).status).toBe(200);
    expect((await getAs(over.header)).status).toBe(401);
  });

  it('refuses a revoked token within a second', async () => {
    const real = await serve({ data: 'nothing', scopes: ['reports'], limits: { pollMs: 500 } });
    const { authorization } = { authorization: (await real.token(['reports'])).header };
    const status = async () => (await real.get('/v3/reports', { authorization })).status;
    await expect.poll(status, { timeout: 1000 }).toBe(200);
    const [, { id = '' } = {}] = await readTokens(real.tokens);
    await revokeToken(real.tokens, id);
    await expect.poll(status, { timeout: 1000 }).toBe(401);
    await real.close();
  });

  it.each<[Scope[], string, number]>([
    [['reports'], '/v3/reports', 200],
    [['sql'], '/v3/reports', 403],
    [['rates'], REPORT, 403],
    [['write', 'sql'], REPORT, 403],
  ])('scopes %j on %s: %i', async (scopes, path, status) => {
    const { header, id } = await served.token(scopes);
    await expect.poll(async () => (await getAs(header, path)).status).toBe(status);
    if (status === 403) expect((await getAs(header, path)).json().message).toContain(`${id} has no scope "reports"`);
  });
});

describe('without the scope rates', () => {
  let header: string;
  beforeAll(async () => {
    ({ header } = await served.token(['reports']));
    await eventually(async () => expect((await getAs(header)).status).toBe(200));
  });

  it.each(['projects', 'phases', 'people', 'tasks', 'lines', 'data-quality', 'pivot'])(
    '%s leaves out and names every cost column, in every format',
    async (name) => {
      const query = `${QUARTER}${name === 'pivot' ? '&group_by=client' : ''}`;
      const body = (await getAs(header, `/v3/reports/${name}.json?${query}`)).json();
      const aliases = catalogue.reports.get(name)?.aliases ?? {};
      const columns = Object.keys(body[name][0]).filter((column) => !(column in aliases));
      expect(columns.filter((column) => REVEALS_COST.test(column))).toEqual([]);
      expect(body.meta.hidden_columns.length).toBeGreaterThan(0);
      expect(JSON.stringify(body.meta.checks)).not.toMatch(/cost(?!_rate)|profit/);
      const csv = (await getAs(header, `/v3/reports/${name}.csv?${query}`)).text.split('\r\n')[0]?.split(',');
      expect(csv).toEqual(columns);
      const ndjson = (await getAs(header, `/v3/reports/${name}.ndjson?${query}`)).text.split('\n')[0] ?? '';
      expect(Object.keys(JSON.parse(ndjson))).toEqual(columns);
    },
  );

  it.each(['projects', 'phases', 'people', 'tasks', 'lines'])(
    '%s has no costs in Parquet, Arrow and workbooks, nor in their metadata',
    async (name) => {
      const read = async (authorization?: string) => {
        const headers = authorization === undefined ? undefined : { authorization };
        const fetchBytes = (format: string) => served.bytes(`/v3/reports/${name}.${format}?${QUARTER}`, headers);
        const { columns, metadata } = await readParquet(await fetchBytes('parquet'));
        const { schema } = tableFromIPC(await fetchBytes('arrow'));
        const inArrow = schema.fields.map((field) => field.name);
        const labels = labelsOf(await fetchBytes('xlsx'));
        return { columns, metadata, inArrow, schema, labels };
      };
      const { columns, metadata, inArrow, schema, labels } = await read(header);
      expect(columns.filter((column) => REVEALS_COST.test(column))).toEqual([]);
      expect(inArrow).toEqual(columns);
      for (const each of [metadata, schema.metadata]) {
        expect(each.get('hidden_columns')).toMatch(REVEALS_COST);
        for (const key of ['totals', 'checks']) expect(each.get(key) ?? '').not.toMatch(REVEALS_COST);
      }
      expect(labels.filter((label) => REVEALS_COST.test(label))).toEqual([]);
      // With the scope they are there.
      const all = await read();
      expect(all.columns.filter((column) => REVEALS_COST.test(column)).length).toBeGreaterThan(0);
      expect(all.inArrow).toEqual(all.columns);
      expect(all.labels.filter((label) => REVEALS_COST.test(label)).length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['fields', `${REPORT}&fields=name,actual_cost`],
    ['sort', `${REPORT}&sort=-actual_profit`],
    ['measures', `/v3/reports/pivot?${QUARTER}&group_by=client&measures=actual_margin_percent`],
    ['fields', `/v3/reports/lines.csv?${QUARTER}&fields=cost_rate`],
  ])('a cost column in %s is refused', async (_field, path) => {
    const { status, json } = await getAs(header, path);
    expect([status, json().code]).toEqual([403, 'forbidden']);
    expect((await served.get(path)).status).toBe(200);
  });

  it('neither the list of reports nor errors name them, and no reader gets an answer cached for another', async () => {
    const list = (await getAs(header, '/v3/reports')).json();
    const names = list.reports.flatMap(({ columns }: { columns: { needs_rates: boolean }[] }) =>
      columns.filter((column) => column.needs_rates),
    );
    expect(names).toEqual([]);
    expect((await getAs(header, `${REPORT}&fields=colour`)).text).not.toMatch(/actual_cost/);
    const etag = (await served.get(REPORT)).headers.get('etag') ?? '';
    expect((await served.get(REPORT, { authorization: header, 'if-none-match': etag })).status).toBe(200);
  });
});

describe('without tokens', () => {
  it('the server listens on localhost only, and says how to open it', async () => {
    await expect(serve({ data: 'nothing', host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('--host: 0.0.0.0 can be reached from other machines'),
      hint: expect.stringContaining('plumbline token create'),
    });
    const open = await serve({ data: 'nothing', host: 'localhost' });
    expect(open.isOpen).toBe(true);
    expect((await open.get('/v3/reports')).status).toBe(200);
    await open.close();
  });

  it('refuses other host names for this machine, against DNS rebinding', async () => {
    const open = await serve({ data: 'nothing' });
    const { port } = new URL(open.url);
    expect(await statusFor(open, `localhost:${port}`)).toBe(200);
    expect(await statusFor(open, `127.0.0.1:${port}`)).toBe(200);
    expect(await statusFor(open, `[::1]:${port}`)).toBe(200);
    for (const host of [
      `rebound.example:${port}`,
      'rebound.example',
      'localhost.rebound.example',
      '127.0.0.1.rebound.example',
    ]) {
      expect(await statusFor(open, host)).toBe(421);
    }
    await open.close();
  });

  it("the first token turns authentication on, and its removal doesn't turn it off", async () => {
    const open = await serve({ data: 'nothing' });
    const status = async () => (await open.get('/v3/reports')).status;
    expect(await status()).toBe(200);
    const { id } = await open.token(['reports']);
    await expect.poll(status).toBe(401);
    await revokeToken(open.tokens, id);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await status()).toBe(401);
    await open.close();
  });
});

it('an unreadable token file refuses all readers, and the log says so', async () => {
  const broken = await serve({ data: 'nothing', scopes: ['reports'] });
  expect((await broken.get('/v3/reports')).status).toBe(200);
  writeFileSync(broken.tokens, '{"tokens":[{"id":1}]}');
  await expect.poll(async () => (await broken.get('/v3/reports')).status).toBe(401);
  await expect.poll(() => broken.log()).toContain("Can't use the tokens");
  await broken.close();
});

it('no log contains a token, wherever it was sent', async () => {
  const logged = await serve({ scopes: ['reports'], logLevel: 'debug' });
  const { token, header } = await logged.token(['reports']);
  await expect.poll(async () => (await logged.get(REPORT, { authorization: header })).status).toBe(200);
  await logged.get(`/${token}?token=${token}`, { authorization: header });
  await logged.get(`${REPORT}&project_id=${token}`, { authorization: `Basic ${btoa(`x:${token}`)}` });
  await logged.get(REPORT, { authorization: `Bearer ${token}x`, 'x-request-id': token });
  await expect.poll(() => logged.log().match(/"status":/g)?.length).toBeGreaterThan(3);
  await logged.close();
  expect(logged.log()).toContain('plb_...');
  expect(logged.log()).not.toContain(token.slice(-20));
  expect(logged.log()).not.toContain(btoa(`x:${token}`).slice(0, 30));
});

describe('plumbline token', () => {
  it('shows a token once, stores its hash with access for the owner only, lists it and revokes it', async () => {
    const folder = await makeFolder();
    const file = ['--tokens', `${folder}/tokens.json`];
    const made = await run([
      'token',
      'create',
      '--label',
      'the dashboard',
      '--scopes',
      'reports,rates',
      '--expires',
      '2026-12-31',
      ...file,
    ]);
    expect(made.exitCode).toBe(0);
    const [, id = ''] = /^plb_([0-9a-f]{8})_[\w-]{43}\n$/.exec(made.stdout) ?? [];
    expect(made.stderr).toContain(`The token ${id} (the dashboard: reports, rates, to 2026-12-31)`);
    expect(readFileSync(`${folder}/tokens.json`, 'utf8')).not.toContain(made.stdout.trim());
    expect(statSync(`${folder}/tokens.json`).mode & 0o777).toBe(0o600);
    const list = await run(['token', 'list', ...file]);
    expect(list.stdout).toMatch(
      new RegExp(`^id .*\n${id} +\\d{4}-\\d\\d-\\d\\d +2026-12-31 +reports,rates +the dashboard\n$`),
    );
    expect((await run(['token', 'revoke', id, ...file])).exitCode).toBe(0);
    expect((await run(['token', 'revoke', id, ...file])).stderr).toContain(`There is no token "${id}"`);
    expect(await readTokens(`${folder}/tokens.json`)).toEqual([]);
  });

  it('keeps or refuses each of several tokens created by parallel processes', async () => {
    const file = `${await makeFolder()}/tokens.json`;
    const labels = ['a', 'b', 'c'];
    const outcomes = await Promise.all(
      labels.map((label) => runProcess(['token', 'create', '--label', label, '--tokens', file])),
    );
    for (const { exitCode, stderr } of outcomes) {
      if (exitCode !== 0) expect(stderr).toContain('is being changed by another process');
    }
    const made = labels.filter((_label, index) => outcomes[index]?.exitCode === 0);
    expect(made.length).toBeGreaterThan(0);
    expect((await readTokens(file)).map(({ label }) => label).sort()).toEqual(made);
  });
});

/** Returns the texts in the first row of every sheet, as names; exceljs needs a second of processor time. */
function labelsOf(workbook: Buffer): string[] {
  const sheets = [...unzip(workbook)].filter(([name]) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name));
  const rows = sheets.map(([, xml]) => /<row r="1".*?<\/row>/s.exec(xml)?.[0] ?? '');
  const texts = rows.flatMap((row) => [...row.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text = '']) => text));
  return texts.map((text) => text.toLowerCase().replaceAll(' ', '_'));
}

/** Returns the status for a Host header, which fetch can't send. */
function statusFor(server: Served, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(new URL('/v3/reports', server.url), { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
