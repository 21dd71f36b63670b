import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { type Served, serve } from './served.ts';

const EVIDENCE = join('integrations', 'evidence');
const OBSERVABLE = join('integrations', 'observable', 'src');

let served: Served;
let database: Database;
beforeAll(async () => {
  served = await serve({ scopes: ['reports'] });
  database = await openDatabase(':memory:');
  await database.run(`ATTACH ${quoteText(served.database)} AS company (READ_ONLY); USE company`);
});
afterAll(async () => {
  await database.close();
  await served.close();
});

describe('the project for Evidence', () => {
  const folder = join(EVIDENCE, 'sources', 'plumbline');
  const sources = readdirSync(folder).flatMap((file) => /^(\w+)\.sql$/.exec(file)?.[1] ?? []);
  const page = readFileSync(join(EVIDENCE, 'pages', 'index.md'), 'utf8');
  const columns = new Map<string, string[]>();

  it.each(sources)('has a query for %s that finds rows', async (source) => {
    const sql = readFileSync(join(folder, `${source}.sql`), 'utf8');
    // Evidence puts the query into brackets.
    const rows = await database.rows<Record<string, unknown>>(`SELECT * FROM (${sql}) AS root`);
    expect(rows.length).toBeGreaterThan(1);
    columns.set(source, Object.keys(rows[0] ?? {}));
  });

  it('shows columns that its queries have', () => {
    expect([...page.matchAll(/FROM plumbline\.(\w+)/g)].map(([, name]) => name).sort()).toEqual(sources.sort());
    for (const [, source = '', rest = ''] of page.matchAll(/data=\{(\w+)\}(.*?)(?=\n\n|$)/gs)) {
      const named = [...rest.matchAll(/(?:x|y|id)=(\w+)|'(\w+)'/g)].map(([, one, other]) => one ?? other);
      expect(columns.get(source), source).toEqual(expect.arrayContaining(named));
    }
  });
});

describe('the project for Observable', { tags: ['slow'] }, () => {
  const loaders = readdirSync(join(OBSERVABLE, 'data'));
  const page = readFileSync(join(OBSERVABLE, 'index.md'), 'utf8');

  it.each(loaders)('has the loader %s, whose decimals are texts', async (loader) => {
    const { token } = await served.token(['reports']);
    const env = { ...process.env, PLUMBLINE_URL: served.url, PLUMBLINE_TOKEN: token };
    const run = () => promisify(execFile)(process.execPath, [join(OBSERVABLE, 'data', loader)], { env });
    // A running server rereads the token file after a moment.
    await expect.poll(run).toHaveProperty('stdout');
    const answer = JSON.parse((await run()).stdout);
    const [rows] = Object.values(answer).filter((value) => Array.isArray(value)) as Record<string, unknown>[][];
    expect(rows?.length).toBeGreaterThan(1);
    expect(rows?.[0]?.['actual_hours']).toMatch(/^\d+\.\d+$/);
    expect(answer.totals.actual_fees).toMatch(/^\d+\.\d+$/);
    expect(answer.meta.data_version).toMatch(/^\d{8}T\d{6}Z-/);
    const shown = [...page.matchAll(/'(\w*(?:_hours|_fees|name|client))'/g)].map(([, name]) => name);
    if (loader.startsWith('projects')) expect(Object.keys(rows?.[0] ?? {})).toEqual(expect.arrayContaining(shown));
  });

  it('reads each file that a loader makes', () => {
    const read = [...page.matchAll(/FileAttachment\('data\/([^']+)'\)/g)].map(([, file]) => `${file}.js`);
    expect(read.sort()).toEqual(loaders.sort());
  });

  it('says which report the server refused, and why', async () => {
    const env = { ...process.env, PLUMBLINE_URL: served.url, PLUMBLINE_TOKEN: 'wrong' };
    const running = promisify(execFile)(process.execPath, [join(OBSERVABLE, 'data', 'months.json.js')], { env });
    await expect(running).rejects.toMatchObject({ stderr: expect.stringContaining('/v3/reports/pivot answers 401') });
  });
});
