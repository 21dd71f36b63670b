import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { moveDay } from '../../src/base/calendar/day.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { runReport } from '../../src/numbers/report/run/run.ts';
import { writeJson } from '../../src/numbers/write/json-writer.ts';
import { hashFile } from '../../src/records/ingest/reading/hash.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { openGeneration } from '../../src/store/generation/open-generation.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { closePeriod } from '../../src/store/history/closing/close.ts';
import { reopenPeriod } from '../../src/store/history/closing/close-period.ts';
import { computeTotals } from '../../src/store/history/control-totals.ts';
import { changeHistory } from '../../src/store/history/history-lock.ts';
import { findReadable } from '../../src/store/history/readable-state.ts';
import { openLive } from '../../src/store/live/live.ts';
import { LIVE_LIMITS } from '../../src/store/live/live-limits.ts';
import { openLiveSource } from '../../src/store/live/live-source.ts';
import { createRecords, updateRecord } from '../../src/store/record/records.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { readQuery } from '../../test/read-query.ts';
import { compare, timeWork } from '../measure.ts';

/*
 * Closings against their comparators, by processor time: `node dist/bench/interfaces/closings.js FILE`.
 * FILE is a loaded database; the last whole month with logged time is closed in a copy of it.
 */

const [loaded = ''] = process.argv.slice(2);
const NOW = new Date();
const OPTIONS = { memoryLimitMib: 2048 };
const folder = await mkdtemp(`${loaded}.closings-`);
const file = join(folder, 'company.duckdb');

async function findMonth(): Promise<{ startDate: string; endDate: string }> {
  const database = await openDatabase(file, { readOnly: true });
  const [row] = await database.rows<{ last: string }>(
    "SELECT CAST(max(date) AS VARCHAR) AS last FROM core.ledger WHERE kind = 'actual'",
  );
  await database.close();
  const endDate = moveDay(`${row?.last.slice(0, 'YYYY-MM'.length)}-01`, 'day', -1);
  return { startDate: `${endDate.slice(0, 'YYYY-MM'.length)}-01`, endDate };
}

const note = { by: 'bench', reason: 'bench', now: NOW };

const close = (period: string) =>
  changeHistory(file, (log) => {
    const request = { period, name: null, kind: 'hard', isConfirmed: true, label: null, reports: [] } as const;
    return closePeriod(file, log, { ...note, ...request, takesChanges: false }, OPTIONS);
  });

async function measureClosing(period: string, endDate: string): Promise<void> {
  const check = async () => {
    await Promise.all([hashFile(file), hashFile(fileWithoutRates(file))]);
    const database = await openGeneration(file, OPTIONS);
    await computeTotals(database, { day: endDate, end_date: endDate, kept_at: NOW.toISOString() });
    await database.close();
  };
  await compare(
    'close by link, against SHA-256 of the pair and the totals',
    1.5,
    async (index) => {
      if (index > 0) await changeHistory(file, (log) => reopenPeriod(file, log, period, note));
      return timeWork(() => close(period));
    },
    () => timeWork(check),
  );
}

async function measureReports(period: string, { startDate, endDate }: Awaited<ReturnType<typeof findMonth>>) {
  const sent = { start_date: startDate, end_date: endDate, cutoff_date: endDate };
  const { file: kept, asOf } = await findReadable(file, period);
  const [then, now] = [await openGeneration(kept, OPTIONS), await openGeneration(file, OPTIONS)];
  const write = async (database: Database, state: typeof asOf | undefined) => {
    const options = { now: NOW, asOf: state };
    const { context, query } = await readQuery(database, readCatalogues(), 'projects', sent, options);
    for await (const piece of writeJson(await runReport(context, query))) if (piece === '') throw new Error('empty');
  };
  await compare(
    'projects as of a closing, against now',
    1.1,
    () => timeWork(async () => [await findReadable(file, period), await write(then, asOf)]),
    () => timeWork(() => write(now, undefined)),
  );
  await Promise.all([then.close(), now.close()]);
}

/** Measures writes until the next report shows them, with a month that is closed hard and without. */
async function measureWrites(days: Awaited<ReturnType<typeof findMonth>>): Promise<void> {
  const none = () => undefined;
  const listener = { refreshed: none, refreshFailed: none, published: none, publishFailed: none, dayFailed: none };
  const config = { database: file, memoryLimitMib: OPTIONS.memoryLimitMib };
  const source = await openLiveSource(config, NOW);
  const live = await openLive(source, {
    limits: LIVE_LIMITS,
    publishEveryMs: 3_600_000,
    now: () => new Date(),
    listener,
  });
  const people = await live.store.reader.rows<{ people_id: number; project_id: number }>(
    'SELECT people_id, min(project_id) AS project_id FROM source.logged_time GROUP BY people_id ORDER BY people_id LIMIT 100',
  );
  const personAt = (index: number) => people[index % people.length] ?? { people_id: 0, project_id: 0 };
  const [peopleOf, loggedTime] = [servedResources.get('people'), servedResources.get('logged_time')];
  if (!peopleOf || !loggedTime) throw new Error('no resources');
  const writer = { id: '', label: 'bench', seesRates: true };
  const date = moveDay(days.endDate, 'day', 3);
  const timeWrite = async (isClosed: boolean, work: Parameters<typeof live.store.write<unknown>>[1]) => {
    await live.generations.settle();
    live.guard(isClosed ? [{ ...days, closing: 'bench', closedBy: 'bench' }] : []);
    return timeWork(async () => {
      await live.store.write(writer, work);
      await live.generations.settle();
    });
  };
  const writeRate = (isClosed: boolean) => (index: number) =>
    timeWrite(isClosed, (transaction) => {
      const body = { cost_rate: 50 + index, effective_date: date };
      return updateRecord(transaction, peopleOf, String(personAt(2 * index + Number(isClosed)).people_id), body);
    });
  const writeTime = (isClosed: boolean) => (index: number) =>
    timeWrite(isClosed, (transaction) =>
      createRecords(transaction, loggedTime, { ...personAt(index), date, hours: 1 }),
    );
  await compare("a person's rate under a hard closing, against none", 3, writeRate(true), writeRate(false));
  await compare('logged time under a hard closing, against none', 1.05, writeTime(true), writeTime(false));
  await live.close();
}

try {
  await copyFile(loaded, file);
  await copyFile(fileWithoutRates(loaded), fileWithoutRates(file));
  const days = await findMonth();
  const period = days.startDate.slice(0, 'YYYY-MM'.length);
  await measureClosing(period, days.endDate);
  await measureReports(period, days);
  await measureWrites(days);
} finally {
  await rm(folder, { recursive: true, force: true });
}
