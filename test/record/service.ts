import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { packageDirectory } from '../../src/base/config/package.ts';
import type { Database, Value } from '../../src/base/database/database.ts';
import { answerError } from '../../src/doors/http/protocol/errors.ts';
import { registerRecords } from '../../src/doors/http/records/record-routes.ts';
import { readStore } from '../../src/doors/http/records/record-source.ts';
import { SCOPES, type Scope } from '../../src/doors/identity/tokens.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { buildRecordViews } from '../../src/numbers/model/working.ts';
import type { ReaderPart } from '../../src/numbers/report/source/index.ts';
import { makeState, type PendingChanges } from '../../src/store/live/live-state.ts';
import { openStore } from '../../src/store/live/store.ts';
import { openJournal } from '../../src/store/record/storage/journal.ts';
import { prepareService, settleRecords } from '../../src/store/record/storage/tables.ts';
import { buildCompany, type Records } from '../sql/company.ts';

export const NOW = new Date('2026-06-15T12:00:00Z');

/** Load time of the records of test services. */
const LOADED = new Date('2025-12-31T12:00:00Z');

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
  readonly json: any;
}

/** The routes of records over a working database of their own. */
export interface Service {
  readonly database: Database;
  /** Changes not yet refreshed, which are all changes. */
  readonly pending: PendingChanges;
  send(method: string, path: string, text: string | Buffer, headers: Readonly<Record<string, string>>): Promise<Reply>;
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  rows(sql: string): Promise<Record<string, Value>[]>;
  /** Reads from the models after a full build over the current records. */
  built(sql: string): Promise<Record<string, Value>[]>;
  allow(scopes: readonly Scope[], part?: ReaderPart): void;
  close(): Promise<void>;
}

/** Starts the routes of records over loaded records. Writes need the views of records alone: half the time of all models. */
export async function openService(records: Records = {}, now: () => Date = () => NOW): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-service-'));
  const database = await buildCompany(records, LOADED, buildRecordViews);
  await prepareService(database, '2026-01-01 00:00:00');
  await settleRecords(database);
  const journal = await openJournal(database, join(folder, 'journal'));
  const state = makeState();
  const store = await openStore(database, { now, journal, state });
  let scopes: readonly Scope[] = SCOPES;
  let part: ReaderPart | undefined;
  const app = fastify();
  app.decorateRequest('reader', undefined);
  app.addHook('onRequest', async (request) => {
    request.reader = { id: 'a1b2c3d4', label: 'test', scopes: new Set(scopes), part };
  });
  app.setErrorHandler(answerError);
  const settle = async () => {
    await journal.apply();
    await buildModels(database, join(packageDirectory, 'sql'));
  };
  await registerRecords(app, { source: readStore(store, settle), store });
  const send: Service['send'] = async (method, path, text, headers) => {
    const payload = text.length > 0 ? { payload: text } : {};
    const reply = await app.inject({ method: method as 'GET', url: path, headers: { ...headers }, ...payload });
    const isJson = String(reply.headers['content-type']).includes('json') && reply.body !== '';
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.body,
      json: isJson ? reply.json() : undefined,
    };
  };
  return {
    database,
    pending: state.pending,
    send,
    call(method, path, body, headers = {}) {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      return send(method, path, body === undefined ? '' : JSON.stringify(body), { ...type, ...headers });
    },
    rows: (sql) => store.reader.rows(sql),
    async built(sql) {
      await settle();
      return database.rows(sql);
    },
    allow: (allowed, seen) => {
      scopes = allowed;
      part = seen;
    },
    async close() {
      await app.close();
      await store.close();
      await journal.close();
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
