import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSyncStatus, type SyncStatus, writeSyncStatus } from '../../../src/store/generation/sync-status.ts';
import { openLiveSource } from '../../../src/store/live/live-source.ts';
import { run } from '../../errors/gallery.ts';
import { runProcess } from '../../errors/program.ts';
import { runCommand } from '../../history/kept-company.ts';
import { type Served, serve } from '../../http/served.ts';
import { company, TASKS } from '../../sync/company.ts';

let served: Served;
const folder = mkdtempSync(join(tmpdir(), 'plumbline-sync-command-'));
const database = join(folder, 'company.duckdb');
const token = join(folder, 'token');

const sync = (...flags: string[]) =>
  run(['sync', served.url, '--token-file', token, '--requests-per-minute', '6000', '--database', database, ...flags]);

/** A moment after that of the other commands, to which a closing is exact. */
const AFTER_CLOSING = '2026-02-01T10:30:00Z';

beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
  writeFileSync(token, 'secret-token-of-the-source\n');
  writeFileSync(join(folder, 'settings.json'), '{"name": "Bridges", "currency": "EUR"}');
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

describe('plumbline sync', () => {
  it('leaves no database after a dry run', async () => {
    const { exitCode: code, stderr } = await sync('--dry-run');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing was changed: a dry run')]);
    expect(stderr).toMatch(new RegExp(`^tasks +${TASKS} +${TASKS} +0 +0 +0$`, 'm'));
    expect(readdirSync(folder).filter((name) => name.endsWith('.duckdb'))).toEqual([]);
  });

  it('publishes a database that reports and SQL read, with the settings of the company', async () => {
    const { exitCode: code, stderr } = await sync('--settings', join(folder, 'settings.json'));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Synced with \d+ requests in /m)]);
    const window = ['--start-date', '2026-01-01', '--end-date', '2026-01-31', '--database', database];
    const report = await run(['report', 'projects', ...window, '--format', 'json']);
    expect(JSON.parse(report.stdout).meta).toMatchObject({ currency: 'EUR', source: `${served.url}/v3` });
    const runs = await run([
      'sql',
      'SELECT result, new > 400 AS many FROM sync.runs',
      '--database',
      database,
      '--format',
      'csv',
    ]);
    expect(runs.stdout.trim().split(/\r?\n/)).toEqual(['result,many', 'ok,true']);
  });

  it('says in the status when it was, and fails when that is too long ago', async () => {
    // The source has the clock of this machine.
    const present = new Date().toISOString();
    const { code, stdout } = await runCommand(present, ['status', '--max-age', '1h', '--database', database]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Records from ${served.url}/v3, synced `)]);
    const late = await run(['status', '--max-age', '1h', '--database', join(folder, 'none.duckdb')]);
    expect(late.exitCode).toBe(1);
  });

  it('says in the status that records are old while those of later runs are not published', async () => {
    const status = readSyncStatus(database) as SyncStatus;
    await writeSyncStatus(database, { ...status, synced_at: '2099-12-31T12:00:00Z' });
    const quiet = await runCommand('2099-12-31T12:30:00Z', ['status', '--max-age', '1h', '--database', database]);
    expect([quiet.code, quiet.stdout]).toEqual([0, expect.stringContaining('synced 2099-12-31T12:00:00Z')]);
    await writeSyncStatus(database, { ...status, data_version: 'another', synced_at: '2099-12-31T12:00:00Z' });
    const waiting = await run(['status', '--max-age', '1h', '--database', database]);
    expect(waiting.stdout).toMatch(
      /, synced 20[2-8]\d-\S*Z\nThe records of 2099-12-31T12:00:00Z are not published yet$/m,
    );
    await writeSyncStatus(database, status);
  });

  it('says in the status why the last run failed, and which records there are', async () => {
    const flags = ['--token-file', token, '--database', database];
    expect(await run(['sync', 'http://127.0.0.1:65535', ...flags])).toMatchObject({ exitCode: 1 });
    const { stdout } = await run(['status', '--database', database]);
    expect(stdout).toMatch(/: data version \S+, changed \d{4}-\d\d-\d\dT\S+Z$/m);
    expect(stdout).toContain(`Records from ${served.url}/v3, synced `);
    expect(stdout).toMatch(/^The last sync, at \S+Z, failed: 127\.0\.0\.1:65535 refuses the connection(\. .*)?$/m);
  });

  it('refuses a second sync of the same database, and says what to do', async () => {
    const other = await openLiveSource({ database, memoryLimitMib: 256 }, new Date());
    const args = ['sync', served.url, '--token-file', token, '--database', database];
    const { exitCode: code, stderr } = await runProcess(args);
    await other.close();
    expect(code).toBe(1);
    expect(stderr.replaceAll(folder, 'DIR')).toBe(
      'Error: Another server or sync owns DIR/company.work.duckdb\n' +
        'Only one at a time can change a database. Stop the other; a server without --write and --sync may run beside it.\n',
    );
  });

  it('tells what it has brought into a closed month', async () => {
    expect((await run(['close', '2026-01', '--database', database])).exitCode).toBe(0);
    expect((await sync()).stderr).not.toContain('Since ');
    const late = { people_id: 1, project_id: 1, date: '2026-01-20', hours: 1.5 };
    expect((await served.post('/v3/logged-time', late)).status).toBe(201);
    const told =
      /Since 2026-01@1 was closed at \S+, counted to 2026-01-31 then and to \S+ now: actual hours \+1\.50 h.*\. By cause: work that came late: actual hours \+1\.50 h/;
    expect((await sync()).stderr).toMatch(told);
    expect((await sync()).stderr).not.toContain('Since ');
    expect((await run(['status', '--database', database])).stdout).toMatch(told);
  });

  it('X8: is the last write of a changed line that it brought', async () => {
    const late = { people_id: 1, project_id: 1, date: '2026-01-21', hours: 2.5 };
    expect((await served.post('/v3/logged-time', late)).status).toBe(201);
    const own = ['--token-file', token, '--requests-per-minute', '6000', '--database', database];
    expect((await runCommand(AFTER_CLOSING, ['sync', served.url, ...own])).code).toBe(0);
    const read = async (...args: string[]) =>
      JSON.parse((await run([...args, '--database', database, '--format', 'json'])).stdout);
    const { rows } = await read('sql', 'SELECT MAX(run_id) AS run_id FROM sync.runs');
    const lines = await read('report', 'changed-lines', '--from', '2026-01', '--measure', 'actual_hours');
    expect(lines['changed-lines']).toContainEqual(
      expect.objectContaining({
        date_now: '2026-01-21',
        causes: ['late'],
        changed_at: AFTER_CLOSING,
        changed_by: `sync ${rows[0].run_id}`,
      }),
    );
  });

  it('K9: names the kept states that hold a person whom the source no longer has', async () => {
    const { people_id: id } = (await served.post('/v3/people', { name: 'Ida' })).json();
    expect((await sync()).exitCode).toBe(0);
    expect((await run(['keep', 'kickoff', '--database', database])).exitCode).toBe(0);
    expect((await served.get(`/v3/people/${id}`, {}, 'DELETE')).status).toBeLessThan(300);
    const told = `Person ${id} was deleted at the source and is still in kept states: kickoff@1.`;
    expect((await sync()).stderr).toContain(told);
    expect((await run(['status', '--database', database])).stdout).toContain(told);
    expect((await sync()).stderr).not.toContain('was deleted');
  });

  it('never shows the token', async () => {
    const settings = ['--settings', join(folder, 'settings.json')];
    const outcomes = [await sync(...settings), await sync('--full', ...settings)];
    for (const { exitCode: code, stdout, stderr } of outcomes) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain('secret-token');
    }
  });
});
