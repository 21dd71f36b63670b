import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/base/database/database.ts';
import { LIMITS, type Limits } from '../../src/doors/http/protocol/limits.ts';
import { findResource } from '../../src/records/resource/resources.ts';
import { type Live, openLive } from '../../src/store/live/live.ts';
import { type LiveSource, openLiveSource } from '../../src/store/live/live-source.ts';
import type { Writer } from '../../src/store/record/storage/changes.ts';
import type { Journal } from '../../src/store/record/storage/journal.ts';
import { priced } from '../published/dataset.ts';
import { runReport } from '../reports.ts';
import { catalogue, loadCompany } from '../sql/company.ts';

export const NOW = new Date('2026-06-15T12:00:00Z');

const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };

export const WRITER: Writer = { id: 'a1b2c3d4', label: 'test', seesRates: true };

/** A signal that never aborts. */
export const NEVER = new AbortController().signal;

export interface LiveEvents {
  refreshes: number;
  readonly published: string[];
  readonly faults: string[];
}

export interface Opened extends Live {
  readonly source: LiveSource;
  readonly events: LiveEvents;
  /** Logs one record of hours as the routes do. @returns The record's id. */
  logHour(hours?: number): Promise<string>;
  /** Reads the actual hours of the window and the data version of a new report. */
  readHours(seesRates?: boolean): Promise<{ hours: string; version: string }>;
}

/** Creates a folder with a database and its dataset, or an empty one. */
export async function makeFolder(data: 'company' | 'nothing'): Promise<{ file: string; remove(): void }> {
  if (data === 'company') return loadCompany(priced);
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-live-'));
  return { file: join(folder, 'company.duckdb'), remove: () => rmSync(folder, { recursive: true }) };
}

/** Opens live data as serve --write does, but without HTTP. */
export async function openData(
  file: string,
  {
    limits = {},
    publishEveryMs = 60_000,
    isSynced = false,
    now = () => NOW,
    wrap = (source) => source,
  }: {
    limits?: Partial<Limits>;
    publishEveryMs?: number;
    isSynced?: boolean;
    now?: () => Date;
    wrap?: (source: LiveSource) => LiveSource;
  } = {},
): Promise<Opened> {
  const source = wrap(await openLiveSource({ database: file, memoryLimitMib: 1024 }, NOW));
  const events: LiveEvents = { refreshes: 0, published: [], faults: [] };
  const live = await openLive(source, {
    limits: { ...LIMITS, ...limits },
    publishEveryMs,
    isSynced,
    now,
    listener: {
      refreshed: () => {
        events.refreshes += 1;
      },
      refreshFailed: (message) => events.faults.push(message),
      published: (dataVersion) => events.published.push(dataVersion),
      publishFailed: (message) => events.faults.push(message),
      dayFailed: (message) => events.faults.push(message),
    },
  });
  return {
    ...live,
    source,
    events,
    async logHour(hours = 1) {
      const hour = { people_id: 1, date: '2026-01-07', hours: hours.toFixed(4), billable: true, project_id: 1 };
      const { logged_time_id } = await live.store.write(WRITER, (transaction) =>
        transaction.insert(findResource('logged_time'), hour),
      );
      return String(logged_time_id);
    },
    async readHours(seesRates = true) {
      const lease = live.generations.lease(live.generations.current());
      try {
        const database = (await lease.open(new AbortController().signal)).database(seesRates);
        const { totals, columns, meta } = await runReport(database, catalogue, 'people', WINDOW, {
          now: NOW,
          seesRates,
        });
        return {
          hours: String(totals?.[columns.findIndex(({ name }) => name === 'actual_hours')]),
          version: meta.data_version,
        };
      } finally {
        lease.release();
      }
    },
  };
}

export async function writeHour(database: Database, id: string, hours = 1): Promise<void> {
  const session = await database.session();
  try {
    await session.run(`
      BEGIN;
      INSERT INTO source.logged_time (logged_time_id, people_id, date, hours, billable, project_id)
      VALUES ('${id}', 1, DATE '2026-01-07', ${hours}, true, 1);
      INSERT INTO service.changes (change_id, changed_at, method, resource, record_id, after)
      SELECT COALESCE(max(change_id), 0) + 1, TIMESTAMP '2026-06-15 12:00:00', 'POST', 'logged_time', '${id}', '{"people_id": 1, "project_id": 1}'
      FROM service.changes;
      COMMIT`);
  } finally {
    await session.close();
  }
}

/** Appends hours of the same person to the journal, like a request answered just before a crash. */
export async function journalHour(journal: Journal, change: number, id: string): Promise<void> {
  await journal.append(change, [
    {
      into: 'source.logged_time (logged_time_id, people_id, date, hours, billable, project_id)',
      rows: `('${id}', 1, DATE '2026-01-07', 1, true, 1)`,
    },
    {
      into: 'service.changes (change_id, changed_at, method, resource, record_id, after)',
      rows: `(${change}, TIMESTAMP '2026-06-15 12:00:00', 'POST', 'logged_time', '${id}', '{"people_id": 1, "project_id": 1}')`,
    },
  ]);
}
