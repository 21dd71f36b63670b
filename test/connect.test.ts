// @module-tag slow
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../src/base/config/package.ts';
import { openDatabase, quoteText } from '../src/base/database/database.ts';
import { eventually } from './eventually.ts';
import { parseCsv, QUARTER, type Served, serve } from './http/served.ts';
import { priced } from './published/dataset.ts';

const [text, http, formats] = ['connect', 'http', 'formats'].map((name) =>
  readFileSync(join(packageDirectory, 'docs', `${name}.md`), 'utf8'),
) as [string, string, string];
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let served: Served;
let folder: string;
let token: string;
beforeAll(async () => {
  served = await serve({ scopes: ['reports'], logLevel: 'silent' });
  ({ token } = await served.token(['reports', 'sql']));
  folder = mkdtempSync(join(tmpdir(), 'plumbline-connect-'));
  // A running server rereads the token file after a moment.
  await eventually(async () => expect((await fetchWithBasic('/v3/reports', '*/*')).status).toBe(200));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await served.close();
});

function readBlocks(language: string, document = text): string[] {
  return [...document.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);
}

/** Runs a block in a shell. Never synchronously: the server runs in this process. */
async function runShell(block: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = { ...process.env, ...more, PLUMBLINE_URL: served.url.replace(/\/$/, ''), PLUMBLINE_TOKEN: token };
  const child = spawn('bash', ['-eu', '-c', block], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (data: string) => {
      texts[name] += data;
    });
  }
  const [exitCode] = await once(child, 'close');
  expect(exitCode, texts.stderr).toBe(0);
  return texts.stdout;
}

const fetchWithBasic = (path: string, accept: string) =>
  served.get(path, { accept, authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}` });

/** The expected answer of each shell block, by its first line. */
const ANSWERS: Readonly<Record<string, (stdout: string) => void>> = {
  '# A report as JSON': (stdout) => {
    const { projects, totals, meta } = JSON.parse(stdout);
    expect(projects.length).toBeGreaterThan(10);
    expect(totals.actual_hours).toBeGreaterThan(0);
    expect(meta.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
  },
  '# A report as CSV': (stdout) => {
    const [header, ...rows] = parseCsv(stdout);
    expect(header).toEqual(['month', 'scheduled_hours', 'actual_hours', 'actual_fees']);
    expect(rows.map(([month]) => month)).toEqual([1, 2, 3, 4, 5, 6].map((month) => `2026-0${month}-01`));
  },
  '# The same with Basic authentication': (stdout) => expect(parseCsv(stdout)[0]?.[0]).toBe('people_id'),
  '# Only what has changed': (stdout) => {
    expect(stdout).toBe('first: 200\nsecond: 304\n');
    expect(JSON.parse(readFileSync(join(folder, 'projects.json'), 'utf8')).projects.length).toBeGreaterThan(10);
  },
  '# A workbook': () => expect(readFileSync(join(folder, 'projects.xlsx')).toString('latin1', 0, 2)).toBe('PK'),
  '# SQL': (stdout) => {
    const { rows } = JSON.parse(stdout);
    expect(rows.map(({ kind }: { kind: string }) => kind)).toEqual([
      'scheduled',
      'actual',
      'expense',
      'revenue',
      'invoice',
      'write_off',
    ]);
  },
  '# OData': (stdout) => {
    const { '@odata.count': count, value } = JSON.parse(stdout);
    expect(Number(count)).toBeGreaterThan(1000);
    expect(value).toHaveLength(3);
    for (const row of value)
      expect(row).toMatchObject({
        date: expect.any(String),
        person: expect.any(String),
        hours: expect.stringMatching(/^\d+\.\d{4}$/),
      });
  },
  '# A request of Infinity': (stdout) => expect(JSON.parse(stdout).pivot).toHaveLength(6),
};

describe.skipIf(!hasCurl)(hasCurl ? 'the shell blocks of docs/connect.md' : 'skipped: curl is not installed', () => {
  const blocks = readBlocks('sh').map((block) => ({ title: block.split('\n')[0] ?? '', block }));

  it('have expected answers here', () => expect(blocks.map(({ title }) => title)).toEqual(Object.keys(ANSWERS)));

  it.each(blocks)('$title', { tags: ['slow'] }, async ({ title, block }) => ANSWERS[title]?.(await runShell(block)));

  it('fail with a wrong token', async () => {
    const refused = `PLUMBLINE_TOKEN=wrong\n! {\n${blocks[0]?.block}\n} 2> refused.txt\ncat refused.txt`;
    expect(await runShell(refused)).toContain('401');
  });
});

it.skipIf(!hasCurl)('the shell block of docs/http.md works on a server without tokens', async () => {
  const open = await serve({ data: priced, logLevel: 'silent' });
  // Redirects curl from the documented address to this server.
  writeFileSync(join(folder, '.curlrc'), `fail\nconnect-to = "127.0.0.1:8080:${new URL(open.url).host}"\n`);
  const blocks = readBlocks('sh', http);
  expect(blocks).toHaveLength(1);
  for (const block of blocks) {
    const [json = '', csv = ''] = (await runShell(block, { CURL_HOME: folder })).split(/^(?=people_id,)/m);
    expect(JSON.parse(json)).toMatchObject({ projects: [{ name: 'Work' }], meta: { report: 'projects' } });
    expect(parseCsv(csv)[0]).toEqual(expect.arrayContaining(['people_id', 'period_start']));
  }
  await open.close();
});

it('the statements of docs/formats.md read the file written by its commands', async () => {
  const statements = [...formats.matchAll(/^ {4}(SELECT .*);$/gm)].map(([, statement = '']) => statement);
  expect(statements).toHaveLength(2);
  const authorization = `Bearer ${token}`;
  const bytes = await served.bytes(`/v3/reports/lines.parquet?${QUARTER}`, { authorization });
  writeFileSync(join(folder, 'lines.parquet'), bytes);
  const memory = await openDatabase(':memory:');
  await memory.run(`SET file_search_path = ${quoteText(folder)}`);
  for (const statement of statements) expect((await memory.rows(statement)).length, statement).toBeGreaterThan(5);
  await memory.close();
});

it.each(readBlocks('sql').map((statement) => ({ statement, title: statement.replaceAll('\n', ' ') })))(
  '$title',
  async ({ statement }) => {
    const database = await openDatabase(served.database, { readOnly: true });
    const rows = await database.rows(statement).finally(() => database.close());
    expect(rows.length).toBeGreaterThan(10);
  },
);

it('the panel of docs/connect.md selects existing columns from its root selector', async () => {
  const [panel = ''] = readBlocks('json');
  const [target] = JSON.parse(panel).targets;
  const days: Record<string, string> = { from: '2026-01-01', to: '2026-06-30' };
  const parameters = target.url_options.params.map(({ key, value }: { key: string; value: string }) => [
    key,
    value.replace(/\$\{__(from|to):date:YYYY-MM-DD\}/, (_, end: string) => days[end] ?? ''),
  ]);
  const path = `/v3/reports${target.url}?${new URLSearchParams(parameters)}`;
  const rows = (await fetchWithBasic(path, 'application/json;q=0.9,text/plain')).json()[target.root_selector];
  expect(rows).toHaveLength(6);
  for (const { selector, type } of target.columns) expect(typeof rows[0][selector]).toBe(type);
});

it("the Power Query example of docs/connect.md types the report's columns in order", async () => {
  const [, query = ''] = /Query = \[([^\]]*)\]/.exec(text) ?? [];
  const parameters = [...query.matchAll(/(\w+) = "([^"]*)"/g)].map(([, key = '', value = '']) => `${key}=${value}`);
  const { status, text: csv } = await fetchWithBasic(`/v3/reports/projects.csv?${parameters.join('&')}`, '*/*');
  expect(status).toBe(200);
  const typed = [...text.matchAll(/\{"(\w+)", (?:type \w+|\w+\.Type)\}/g)].map(([, name]) => name);
  expect(parseCsv(csv)[0]).toEqual(typed);
  const refused = await served.get('/v3/reports/projects.csv', {});
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')]);
});
