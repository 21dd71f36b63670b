import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { openDatabase } from '../../../src/base/database/database.ts';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { fileWithoutRates } from '../../../src/store/generation/generation-files.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';

const COMPANY = join(packageDirectory, 'fixtures', 'company');
const REPORT = `/v3/reports/projects?${QUARTER}`;

const versionOf = async (served: Served) => (await served.get(REPORT)).headers.get('x-data-version');

describe('a server before the first load', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ data: 'nothing' });
  });
  afterAll(() => served.close());

  it('is alive but not ready, says how to load, and serves the data once it appears', async () => {
    expect((await served.get('/healthz')).status).toBe(200);
    const [ready, report] = [await served.get('/readyz'), await served.get(REPORT)];
    expect([ready.status, report.status]).toEqual([503, 503]);
    expect(ready.json().message).toContain('There is no database');
    expect(report.json()).toMatchObject({
      name: 'unavailable',
      code: 'storage',
      message: expect.stringContaining('plumbline load DIR'),
    });
    expect((await served.get('/v3/reports')).status).toBe(200);
    await loadDataset(COMPANY, served.database);
    await expect.poll(async () => (await served.get('/readyz')).status).toBe(200);
    expect((await served.get(REPORT)).status).toBe(200);
  });
});

describe('a server while loads are published', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  it('drops no request, and answers each from a single load', async () => {
    // The second load renames every project, so a mixed answer would show.
    const seen = new Map<string, Set<string>>();
    let isLoading = true;
    const read = async () => {
      while (isLoading) {
        const { status, json } = await served.get(`${REPORT}&fields=project_id,actual_hours`);
        expect(status).toBe(200);
        const { projects, totals, meta } = json();
        const texts = seen.get(meta.data_version) ?? new Set();
        seen.set(meta.data_version, texts.add(JSON.stringify([projects, totals])));
      }
    };
    const reading = Promise.all([read(), read(), read()]);
    const before = await versionOf(served);
    await loadDataset(COMPANY, served.database);
    await expect
      .poll(() => versionOf(served))
      .not.toBe(before)
      .finally(() => {
        isLoading = false;
      });
    await reading;
    expect(seen.size).toBe(2);
    for (const texts of seen.values()) expect(texts.size).toBe(1);
  });

  it('sends a new ETag for a new load instead of 304', async () => {
    const etag = (await served.get(REPORT)).headers.get('etag') ?? '';
    const getCached = () => served.get(REPORT, { 'if-none-match': etag });
    expect((await getCached()).status).toBe(304);
    await loadDataset(COMPANY, served.database);
    await expect.poll(async () => (await getCached()).status).toBe(200);
    expect((await getCached()).headers.get('etag')).not.toBe(etag);
  });

  it('finishes a started answer on its own load, and then closes the file', async () => {
    const before = await versionOf(served);
    const response = await fetch(
      new URL('/v3/reports/lines.csv?start_date=2020-01-01&end_date=2030-12-31', served.url),
    );
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader?.read())?.value ?? '';
    await loadDataset(COMPANY, served.database);
    await expect.poll(() => versionOf(served)).not.toBe(before);
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) text += chunk.value;
    expect(response.headers.get('x-data-version')).toBe(before);
    const whole = await served.get('/v3/reports/lines.csv?start_date=2020-01-01&end_date=2030-12-31');
    expect(text).toBe(whole.text);
  });

  it('keeps its data when the file is removed or replaced by another kind', async () => {
    const before = await versionOf(served);
    const aside = `${served.database}.aside`;
    renameSync(served.database, aside);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await versionOf(served)).toBe(before);
    const foreign = await openDatabase(served.database);
    await foreign.run('CREATE TABLE mine AS SELECT 1 AS one; CHECKPOINT');
    await foreign.close();
    await expect.poll(() => served.log()).toContain('holds no loaded dataset');
    expect(await versionOf(served)).toBe(before);
    rmSync(served.database);
    renameSync(aside, served.database);
    expect((await served.get('/readyz')).status).toBe(200);
  });
});

describe('the copy without rates', () => {
  it('answers readers without rates, and is used only with its own load', async () => {
    const served = await serve({ scopes: ['reports', 'rates'] });
    const { header } = await served.token(['reports']);
    const status = async () => (await served.get(REPORT, { authorization: header })).status;
    await expect.poll(status).toBe(200);
    const before = await versionOf(served);
    const copy = fileWithoutRates(served.database);
    const whole = `${copy}.whole`;
    copyFileSync(copy, whole);
    // Without its ledger, the copy fails for its readers.
    copyFileSync(copy, `${copy}.empty`);
    const database = await openDatabase(`${copy}.empty`);
    await database.run('DROP TABLE core.ledger CASCADE; CHECKPOINT');
    await database.close();
    renameSync(`${copy}.empty`, copy);
    await expect.poll(status).toBe(500);
    expect((await served.get(REPORT)).status).toBe(200);
    renameSync(whole, copy);
    await expect.poll(status).toBe(200);
    await loadDataset(COMPANY, join(served.database, '..', 'other.duckdb'));
    copyFileSync(join(served.database, '..', 'other.no-rates.duckdb'), `${copy}.other`);
    renameSync(`${copy}.other`, copy);
    await expect.poll(() => served.log()).toContain('has the data version');
    expect(await status()).toBe(200);
    expect(await versionOf(served)).toBe(before);
    await served.close();
  });
});
