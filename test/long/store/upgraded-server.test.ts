import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Value } from '../../../src/base/database/database.ts';
import { runProcess, startServer } from '../../errors/program.ts';
import { eventually } from '../../eventually.ts';
import { RELEASED_VERSIONS, readReleased } from '../../history/released.ts';

/** A day on which nobody has logged time. */
const WRITTEN = { people_id: 101, project_id: 501, date: '2026-03-24', hours: 1.5 };

/** Reads the lines of the ledger, with as many decimals in each version, and the records of each kind. */
async function readData(file: string): Promise<{ lines: Value[]; records: Record<string, Value> }> {
  const database = await openDatabase(file, { readOnly: true });
  try {
    const lines =
      await database.rows(`SELECT concat_ws(' ', kind, date, people_id, project_id, phase_id, status, billable,
      CAST(hours AS DECIMAL(18, 6)), CAST(cost AS DECIMAL(18, 4)), CAST(fee AS DECIMAL(18, 4))) AS line FROM core.ledger ORDER BY line`);
    const tables = [
      'people',
      'projects',
      'clients',
      'tasks',
      'logged_time',
      'timeoffs',
      'project_expenses',
      'holidays',
      'milestones',
    ];
    const [records] = await database.rows<Record<string, Value>>(
      `SELECT ${tables.map((table) => `(SELECT count(*) FROM source.${table}) AS ${table}`).join(', ')}`,
    );
    return { lines: lines.map(({ line }) => line as Value), records: records ?? {} };
  } finally {
    await database.close();
  }
}

it.each(RELEASED_VERSIONS)(
  'a server that takes changes, over a database of %s, loses and changes nothing',
  async (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-upgraded-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const place = (name: string) => {
      mkdirSync(join(folder, name));
      for (const [file, bytes] of readReleased(version))
        if (file.endsWith('.duckdb')) writeFileSync(join(folder, name, file), bytes);
      return join(folder, name, 'company.duckdb');
    };
    const [file, copy] = [place('served'), place('synced')];
    const before = await readData(file);
    const call = async (url: string, body?: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
      const text = await answer.text();
      expect(answer.ok, text).toBe(true);
      return JSON.parse(text);
    };

    const { program, url } = await startServer(file, { flags: ['--write', '--publish-every', '1'] });
    const report = `${url}/v3/reports/projects?start_date=2026-03-01&end_date=2026-03-31&fields=project_id,actual_hours`;
    const hoursOf = async () => {
      const { projects } = (await call(report)) as { projects: { project_id: number; actual_hours: number }[] };
      return projects.map((row) => `${row.project_id} ${row.actual_hours}`);
    };
    await eventually(async () => expect(await hoursOf()).toEqual(['501 15.5', '502 11.25']));
    await call(`${url}/v3/logged_time`, WRITTEN);
    await eventually(async () => expect(await hoursOf()).toEqual(['501 17', '502 11.25']));

    // Another database of that version takes over all of it, from the server itself.
    writeFileSync(join(folder, 'token'), 'abcd1234');
    const flags = ['--token-file', join(folder, 'token'), '--database', copy];
    const synced = await runProcess(['sync', `${url}/v3`, ...flags]);
    expect(synced.exitCode, synced.stderr).toBe(0);
    program.signal('SIGTERM');
    expect((await program.outcome).exitCode).toBe(0);

    const after = await readData(file);
    expect(after.records).toEqual({ ...before.records, logged_time: Number(before.records['logged_time']) + 1 });
    const added = after.lines.filter((line) => !before.lines.includes(line));
    expect(added).toEqual([expect.stringMatching(/^actual 2026-03-24 101 501 .*1\.500000/)]);
    expect(after.lines.filter((line) => !added.includes(line))).toEqual(before.lines);
    expect((await readData(copy)).lines).toEqual(after.lines);
    for (const command of [['close', '2026-03'], ['verify']]) {
      const closed = await runProcess([...command, '--database', file]);
      expect(closed.exitCode, closed.stderr).toBe(0);
    }
  },
);
