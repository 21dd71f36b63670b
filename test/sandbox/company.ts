import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { loadSmallCompany, makeFolder } from '../errors/gallery.ts';

export interface LoadedCompany {
  readonly folder: string;
  readonly file: string;
  remove(): Promise<void>;
}

export async function loadCompany(): Promise<LoadedCompany> {
  if (!existsSync('dist/program/child.js')) throw new Error('The program is not built: npm run build makes it');
  const folder = await makeFolder();
  await loadSmallCompany(folder);
  return { folder, file: join(folder, 'company.duckdb'), remove: () => rm(folder, { recursive: true }) };
}

/** Writes a database with the relations that SQL needs from a generation. */
export async function writeGeneration(file: string, dataVersion: string, sql: string): Promise<void> {
  const database: Database = await openDatabase(file);
  await database.run(`
    CREATE SCHEMA source; CREATE SCHEMA marts; CREATE SCHEMA reports;
    CREATE TABLE source.generation AS SELECT '${dataVersion}' AS data_version;
    ${sql}; CHECKPOINT`);
  await database.close();
}

/** Lists the running child processes of this one. Linux only. */
export function readChildren(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const status = readStatus(pid);
      return (
        status['PPid'] === String(process.pid) && !status['State']?.startsWith('Z') && status['Name'] !== 'esbuild'
      );
    });
}

/** Returns the status fields of a process, empty once it has ended. */
export function readStatus(pid: number): Readonly<Record<string, string>> {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/:\s*/) as [string, string]));
  } catch {
    return {};
  }
}

/** Clock ticks of /proc. Unit: ms. */
const TICK_MS = 10;

/** Returns the processor time that a process has used. Linux only. Unit: ms. */
export function readProcessorMs(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * TICK_MS;
}

/** A statement that the engine never ends by itself. */
export const ENDLESS = 'SELECT SUM(a.range * b.range) FROM range(1000000) AS a, range(1000000) AS b';
