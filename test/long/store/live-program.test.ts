import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/database.ts';
import { startProgram, startServer } from '../../errors/program.ts';
import { eventually } from '../../eventually.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';
import { makeFolder, openData } from '../../live/data.ts';
import { priced } from '../../published/dataset.ts';
import { SEED } from '../../seed.ts';

const HOUR = { people_id: 1, project_id: 1, date: '2026-01-07', hours: 1 };

const REPORT = `/v3/reports/people?${QUARTER}`;

/** Parallel clients, and the number of their writes unless the server is killed first. */
const [WRITERS, WRITES] = [8, 1000];

const killAt = Number(process.env['PLUMBLINE_KILL_AT'] ?? 1 + (SEED % WRITES));

async function post(url: string, path: string, record: object): Promise<Response> {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(record),
  });
}

describe('a server with --write', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ data: priced, write: true, publishEverySeconds: 1 });
  });
  afterAll(() => served.close());

  it('shows a write in the next report, with version, ETag and numbers of one moment', async () => {
    const before = await served.get(REPORT);
    const etag = before.headers.get('etag') ?? '';
    expect((await served.get(REPORT, { 'if-none-match': etag })).status).toBe(304);
    expect((await post(served.url, '/v3/logged-time', HOUR)).status).toBe(201);
    const after = await served.get(REPORT, { 'if-none-match': etag });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(etag);
    expect(after.headers.get('x-data-version')).toBe(after.json().meta.data_version);
    expect(after.headers.get('x-data-version')).not.toBe(before.headers.get('x-data-version'));
    expect(after.json().totals.actual_hours - before.json().totals.actual_hours).toBe(1);
    const held = { 'if-none-match': after.headers.get('etag') ?? '' };
    expect((await served.get(REPORT, held)).status).toBe(304);
  });

  it('publishes the write, and SQL moves to the published generation', async () => {
    const { meta } = (await served.get(REPORT)).json();
    await expect.poll(async () => (await served.get('/v3/models')).json().data_version).toBe(meta.data_version);
  });

  it('counts changes, refreshes and publications', async () => {
    const { text } = await served.get('/metrics');
    expect(text).toMatch(/^plumbline_changes_pending 0$/m);
    expect(text).toMatch(/^plumbline_refresh_failures_total 0$/m);
    expect(text).toMatch(/^plumbline_refresh_duration_seconds_count [1-9]/m);
    expect(text).toMatch(/^plumbline_publish_duration_seconds_count [1-9]/m);
    expect((await served.get('/readyz')).status).toBe(200);
  });
});

describe('the program', () => {
  it(`killed during ${WRITES} writes, after ${killAt}, keeps each answered write, and none in part`, async () => {
    const { file, remove } = await makeFolder('company');
    const { program, url } = await startServer(file);
    const answered: string[] = [];
    let isRunning = true;
    const write = async () => {
      while (isRunning) {
        const record = await post(url, '/v3/logged-time', HOUR)
          .then((response) => response.json() as Promise<{ logged_time_id: string }>)
          .catch(() => undefined);
        if (!record) return;
        answered.push(record.logged_time_id);
        if (answered.length === killAt) program.signal('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    isRunning = false;
    await program.outcome;
    const live = await openData(file);
    const rows = await live.source.database.rows<{ id: string }>('SELECT logged_time_id AS id FROM source.logged_time');
    const kept = new Set(rows.map(({ id }) => id));
    expect(answered.length).toBeGreaterThanOrEqual(killAt);
    expect(answered.filter((id) => !kept.has(id))).toEqual([]);
    // Ids from the server have 24 characters, those of the company fewer.
    const [changes] = await live.source.database.rows<{ same: boolean }>(`
      SELECT list_sort(list(record_id)) = (SELECT list_sort(list(logged_time_id)) FROM source.logged_time WHERE length(logged_time_id) = 24) AS same
      FROM service.changes WHERE resource = 'logged_time'`);
    expect(changes?.same).toBe(true);
    // The report compares the hours of the records with those of the lines.
    const { hours } = await live.readHours();
    expect(Number(hours)).toBe(26 + kept.size - 8);
    await live.close();
    remove();
  });

  it('is not disturbed by a second server on its data, also after a publication', async () => {
    const { file, remove } = await makeFolder('company');
    const { ino } = statSync(file);
    const { program, url } = await startServer(file);
    const write = async () => {
      const response = await post(url, '/v3/logged-time', HOUR);
      expect(response.status).toBe(201);
      return ((await response.json()) as { logged_time_id: string }).logged_time_id;
    };
    const answered = [await write()];
    await eventually(() => expect(statSync(file).ino).not.toBe(ino));
    const args = ['serve', '--write', '--database', file, '--port', '0'];
    const { exitCode, stderr } = await startProgram(args).outcome;
    expect(stderr).toContain('Error: Another server or sync owns ');
    expect(exitCode).toBe(1);
    const rates = await startProgram(['rates', 'remove', '1', '--database', file]).outcome;
    expect(rates).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Another server or sync owns ') });
    answered.push(await write(), await write());
    program.signal('SIGKILL');
    await program.outcome;
    const live = await openData(file);
    const rows = await live.source.database.rows<{ id: string }>('SELECT logged_time_id AS id FROM source.logged_time');
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(answered));
    await live.close();
    remove();
  });

  it('says that its port is taken', async () => {
    const { file, remove } = await makeFolder('company');
    const { program, url } = await startServer(file);
    const other = await makeFolder('company');
    const { port } = new URL(url);
    const { exitCode, stderr } = await startProgram(['serve', '--write', '--database', other.file, '--port', port])
      .outcome;
    expect(stderr).toContain(`Error: Port ${port} of 127.0.0.1 is in use`);
    expect(exitCode).toBe(1);
    program.signal('SIGTERM');
    await program.outcome;
    remove();
    other.remove();
  });

  it('publishes on SIGTERM, and a later load is refused with a way out', async () => {
    const { file, remove } = await makeFolder('company');
    const { program, url } = await startServer(file);
    await post(url, '/v3/logged-time', HOUR);
    program.signal('SIGTERM');
    expect((await program.outcome).exitCode).toBe(0);
    const published = await openDatabase(file, { readOnly: true });
    const [row] = await published.rows(`SELECT count(*) AS lines, max(data_version) AS version
      FROM marts.ledger CROSS JOIN source.generation WHERE kind = 'actual'`);
    await published.close();
    expect(row).toEqual({ lines: 9, version: expect.stringMatching(/\.\d+$/) });
    const { exitCode, stderr } = await startProgram(['load', 'fixtures/company', '--database', file]).outcome;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('A server owns the data of');
    expect(stderr).toContain('stop the server or the sync');
    remove();
  });
});
