/**
 * The program of the process that runs external SQL, started by process.ts under system limits.
 * Usage: `child.js FILE SCHEMAS STATES RELATIONS`, the last two as JSON. It opens the files, reads requests from standard input and writes
 * replies to standard output, one per line.
 */
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { type Database, openDatabase } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { RelationDescription } from '../registry/listed-relation.ts';
import { attachStates, type NamedStates } from './attached-states.ts';
import { attachListed, withSchema } from './listed-relations.ts';
import { encodeReply, type ProcessReply, type ProcessRequest } from './protocol.ts';
import { readNames } from './readable-names.ts';
import { runStatement } from './run-statement.ts';
import { ENGINE_MEMORY_MIB, ENGINE_THREADS } from './sandbox-limits.ts';
import { explainStatementError } from './statement-errors.ts';

/** Lets the server's own process go first. */
const NICENESS = 10;

/** Kills the process when its parent is gone; an orderly exit would wait for the statement. */
const end = () => process.kill(process.pid, 'SIGKILL');

async function send(reply: ProcessReply): Promise<void> {
  if (!process.stdout.write(encodeReply(reply))) await once(process.stdout, 'drain');
}

async function sendError({ code, message, hint, fields }: AppError): Promise<void> {
  await send({ error: { code, message, hint, fields } });
}

/** Opens the database with kept states beside it; nothing can be set after its configuration is locked. */
async function openLocked(
  file: string,
  states: NamedStates,
  relations: readonly RelationDescription[],
): Promise<Database> {
  const database = await openDatabase(file, {
    readOnly: true,
    memoryLimitMib: ENGINE_MEMORY_MIB,
    settings: {
      threads: String(ENGINE_THREADS),
      temp_directory: '',
      allow_community_extensions: 'false',
      errors_as_json: 'true',
    },
  });
  await attachListed(database, relations);
  await attachStates(database, file, states);
  await database.run('SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true');
  return database;
}

async function serve(
  file: string,
  schemas: readonly string[] | undefined,
  states: NamedStates,
  relations: readonly RelationDescription[],
): Promise<void> {
  const database = await openLocked(file, states, relations);
  const readable = await readNames(database, schemas, withSchema(relations));
  const [generation] = await database.rows<{ data_version: string }>('SELECT data_version FROM source.generation');
  await send({ ready: { dataVersion: generation?.data_version ?? '' } });
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as ProcessRequest;
    await send({ begun: true });
    try {
      for await (const reply of runStatement(database, { readable, relations }, request)) await send(reply);
    } catch (error) {
      await sendError(explainStatementError(error, request.sql, 0));
    }
  }
}

setPriority(NICENESS);
process.stdin.on('end', end);
process.stdout.on('error', end);
const [file = '', schemas = '', states = '{}', relations = '[]'] = process.argv.slice(2);
const readable = schemas === '' ? undefined : schemas.split(',');
await serve(file, readable, JSON.parse(states), JSON.parse(relations)).catch(async (error: unknown) => {
  const failure =
    error instanceof AppError ? error : new AppError('storage', `${file} can't be read: ${String(error)}`);
  await sendError(failure);
  end();
});
