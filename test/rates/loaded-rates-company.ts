import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { runCommand } from '../history/kept-company.ts';
import { type Holder, rateOn, recordsOf, SAID } from './priced-source.ts';

export type Records = Partial<Record<keyof ReturnType<typeof recordsOf> | 'settings', unknown>>;

/** Makes a folder whose records are loaded into one database. */
export function makeCompany() {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-rates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return openCompany(folder);
}

/** Opens such a folder. */
export function openCompany(folder: string) {
  const database = join(folder, 'company.duckdb');
  const run = (now: string, ...args: string[]) => runCommand(now, [...args, '--database', database]);
  const read = async <T>(work: (opened: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> => {
    const opened = await openDatabase(database, { readOnly: true });
    return work(opened).finally(() => opened.close());
  };
  return {
    folder,
    run,
    /** Loads records. @returns the messages of the load. */
    async load(now: string, records: Records, ...flags: string[]): Promise<string> {
      const data = join(folder, 'data');
      rmSync(data, { recursive: true, force: true });
      mkdirSync(data);
      for (const [name, rows] of Object.entries(records))
        writeFileSync(join(data, `${name}.json`), JSON.stringify(rows));
      const { code, stdout, stderr } = await run(now, 'load', data, ...flags);
      if (code !== 0) throw new Error(stderr);
      return stdout + stderr;
    },
    /** Reads the rates of holders on days. */
    rates(holder: Holder, ...days: string[]) {
      return read((opened) => Promise.all(days.map((day) => rateOn(opened, holder, day))));
    },
    /** Reads the moment of the load. */
    readLoadedAt() {
      const sql = 'SELECT CAST(loaded_at AS VARCHAR) AS at FROM source.generation';
      return read(async (opened) => (await opened.rows<{ at: string }>(sql))[0]?.at);
    },
    async list() {
      const { stdout } = await run('2026-09-01T00:00:00Z', 'rates', '--format', 'json');
      return JSON.parse(stdout) as Record<string, unknown>[];
    },
  };
}

export const FROM_TODAY = ['--rates-change', 'from_today'];

/** Returns records whose role says a rate. */
export const roleAt = (role: number | null, more: object = {}): Records => {
  const records = recordsOf({ ...SAID, role });
  return { ...records, roles: records.roles.map((each) => ({ ...each, ...more })) };
};
