/**
 * The program of the process that SQL from outside runs in. It is started by process.ts, under limits of the operating system, as
 * `child.js FILE SCHEMAS`: it opens the file, then reads requests as lines from standard input and answers them on standard output.
 */
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { openDatabase } from '../database/database.ts';
import { AppError } from '../error.ts';
import { explainError } from './engine-errors.ts';
import { encodeReply, type ProcessReply, type ProcessRequest } from './protocol.ts';
import { runStatement } from './run-statement.ts';
import { ENGINE_MEMORY_MIB, ENGINE_THREADS } from './sandbox-limits.ts';
import { readSurface } from './surface.ts';

/** Those who serve reports go first. */
const NICENESS = 5;

/** Whoever asked has gone: whatever runs is of no use, and an orderly end would wait for it. */
const end = () => process.kill(process.pid, 'SIGKILL');

async function send(reply: ProcessReply): Promise<void> {
  if (!process.stdout.write(encodeReply(reply))) await once(process.stdout, 'drain');
}

async function sendFault({ code, message, hint, fields }: AppError): Promise<void> {
  await send({ fault: { code, message, hint, fields } });
}

/** Everything is set before the configuration is locked, and nothing can be set after. */
const openLocked = (file: string) =>
  openDatabase(file, {
    readOnly: true,
    memoryLimitMib: ENGINE_MEMORY_MIB,
    settings: {
      threads: String(ENGINE_THREADS),
      temp_directory: '',
      enable_external_access: 'false',
      allow_community_extensions: 'false',
      errors_as_json: 'true',
    },
    isLocked: true,
  });

async function serve(file: string, schemas: readonly string[] | undefined): Promise<void> {
  const database = await openLocked(file);
  const surface = await readSurface(database, schemas);
  const [generation] = await database.rows<{ data_version: string }>('SELECT data_version FROM source.generation');
  await send({ ready: { dataVersion: generation?.data_version ?? '' } });
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as ProcessRequest;
    try {
      for await (const reply of runStatement(database, surface, request)) await send(reply);
    } catch (error) {
      await sendFault(explainError(error, request.sql, 0));
    }
  }
}

setPriority(NICENESS);
process.stdin.on('end', end);
process.stdout.on('error', end);
const [file = '', schemas = ''] = process.argv.slice(2);
await serve(file, schemas === '' ? undefined : schemas.split(',')).catch(async (error: unknown) => {
  const fault = error instanceof AppError ? error : new AppError('storage', `${file} can't be read: ${String(error)}`);
  await sendFault(fault);
  end();
});
