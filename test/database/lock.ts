import { spawnSync } from 'node:child_process';

const PROGRAM = `
import { DuckDBInstance } from '@duckdb/node-api';
try {
  (await DuckDBInstance.create(process.argv[1])).closeSync();
} catch {
  process.exitCode = 9;
}`;

/** Returns true if this process locks a database file. Only another process can test the lock. */
export function isLocked(file: string): boolean {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM, file], {
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 9) throw new Error(`the process that tries ${file} ended with ${status}: ${stderr}`);
  return status === 9;
}
