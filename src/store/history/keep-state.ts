import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Days } from '../../base/calendar/index.ts';
import { readVersion } from '../../base/config/index.ts';
import { type Database, formatZonedTime, type OpenOptions, steps } from '../../base/database/index.ts';
import { makeBeside, syncPath } from '../../base/index.ts';
import { type Company, digestMeasures } from '../../numbers/report/catalogue/index.ts';
import { closingsFolder, storageError } from '../generation/generation-files.ts';
import { digestDefinitions, FORMAT } from '../generation/model-definitions.ts';
import { openPublished } from '../generation/open-generation.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import { computeBooked } from './closing/booked-table.ts';
import { sumLines, sumTerms } from './closing/line-sums.ts';
import { dayOf, readSyncedCompany } from './complete-day.ts';
import { computeTotals } from './control-totals.ts';
import { assertReports, type FiledReport, fileReports } from './filed-reports.ts';
import { BOOKED_NAME, keptDatabase, nextFolder, RECORD_NAME, TOTALS_NAME } from './history-files.ts';
import { createLog } from './history-lock.ts';
import { type KeptState, readKeptStates } from './kept-states.ts';
import { sha256Of } from './log/digest.ts';
import type { EventLog, EventName } from './log/event-log.ts';
import { companyIdOf, loggedStates, nextNumber } from './logged-states.ts';
import { linkPair } from './pair-links.ts';
import { publishState } from './publish-state.ts';
import { periodOfState } from './readable-state.ts';
import type { StateKey } from './state-names.ts';
import { formatRecord, type StateKind, type StateRecord, type StateWarning } from './state-record.ts';

export interface KeepRequest {
  /** Null to keep it under its data version. */
  readonly name: string | null;
  readonly kind: StateKind;
  readonly period: { readonly startDate: string; readonly endDate: string } | null;
  readonly label: string | null;
  readonly reason: string | null;
  /** Filed with it. */
  readonly reports: readonly FiledReport[];
  readonly by: string;
  /** The id of the token by which a server was asked. */
  readonly tokenId?: string;
  readonly now: Date;
  /** True if a server takes changes, so that the records are complete up to this moment. */
  readonly takesChanges: boolean;
  /** True to keep nothing where the file system gives a file no second name. Default: the files are copied there. */
  readonly onlyByLink?: boolean;
  /** Returns what a reader should know. @throws to keep nothing. */
  readonly check?: (database: Database, facts: StateFacts) => Promise<readonly StateWarning[]>;
}

export interface StateFacts {
  readonly company: Company;
  readonly day: string;
}

/**
 * Keeps the published pair as a state. Requires the lock of the load.
 * The folder appears when it is complete and on disk, and counts from its event on; a failure or a kill leaves nothing.
 */
export async function keepState(
  database: string,
  log: EventLog,
  request: KeepRequest,
  options: OpenOptions,
): Promise<KeptState> {
  const next = nextFolder(database);
  await assertReports(request.reports);
  // A missing copy without rates is found before anything is made.
  await (await openPublished(database, options)).close();
  try {
    await createLog(database);
    return await makeBeside(next, async () => {
      await mkdir(next, { mode: 0o700 });
      const { key, record } = await fillFolder(database, next, log, request, options);
      const text = formatRecord(record);
      await steps.take('write the record of the state', () =>
        writeFile(join(next, RECORD_NAME), text, { flag: 'wx', mode: 0o600, flush: true }),
      );
      await steps.take('sync the state', () => syncFolder(next, record));
      const event = { ...eventOf(record, request), ...key, closing_sha256: sha256Of(text) };
      return await publishState(database, log, next, event);
    });
  } catch (error) {
    throw storageError(closingsFolder(database), error, 'keep');
  }
}

function eventOf({ company_id, kept_at, kept_by, reason }: StateRecord, { period }: KeepRequest) {
  const event: EventName = period ? 'closed' : 'kept';
  return { event, at: kept_at, by: kept_by, reason, company_id };
}

async function fillFolder(
  database: string,
  folder: string,
  log: EventLog,
  request: KeepRequest,
  options: OpenOptions,
): Promise<{ key: StateKey; record: StateRecord }> {
  const { name, kind, period, label, reason, now, onlyByLink = false } = request;
  const pair = await linkPair(database, folder, !onlyByLink);
  const opened = await openPublished(keptDatabase(folder), options);
  try {
    const company = await readSyncedCompany(database, opened.generation);
    const day = dayOf(company, request);
    const warnings = (await request.check?.(opened.generation, { company, day })) ?? [];
    const key = name === null ? { name: company.dataVersion, number: null } : { name, number: nextNumber(log, name) };
    const base = {
      name,
      number: key.number,
      start_date: period?.startDate ?? null,
      end_date: period?.endDate ?? null,
      kind,
      label,
      reason,
      kept_at: formatZonedTime(now),
      kept_by: request.by,
      company_id: companyIdOf(log) ?? randomUUID(),
      ...describeCompany(company),
      day,
      program_version: readVersion(),
      data_format: FORMAT,
      models: digestDefinitions(),
      measures: digestMeasures(readCatalogues().full),
      warnings,
      ...(period && {
        line_sum: await sumLines(opened.generation, period),
        terms_sum: await sumTerms(opened.generation, period),
      }),
    };
    const reports = await fileReports(folder, request.reports, ({ make }) => make(opened.generation, key, base));
    const totals =
      name === null ? [] : [await writeSums(folder, TOTALS_NAME, await computeTotals(opened.generation, base))];
    const booked = period ? [await writeBooked(folder, opened.generation, base, await closedBy(database, log))] : [];
    return { key, record: { ...base, files: [...pair, ...totals, ...booked, ...reports] } };
  } finally {
    await opened.close();
  }
}

function describeCompany({ dataVersion, loadedAt, syncedAt, currency, minorUnits, timeZone }: Company) {
  return {
    data_version: dataVersion,
    loaded_at: loadedAt,
    synced_at: syncedAt,
    currency,
    minor_units: minorUnits,
    time_zone: timeZone,
  };
}

/** Returns the periods of the closings in force. */
async function closedBy(database: string, log: EventLog): Promise<Days[]> {
  const { states } = await readKeptStates(database, loggedStates(log));
  return states.flatMap(({ status, record }) => (status === 'closed' ? (periodOfState(record) ?? []) : []));
}

async function writeBooked(
  folder: string,
  generation: Database,
  record: Parameters<typeof computeBooked>[1] & Parameters<typeof periodOfState>[0],
  closed: readonly Days[],
) {
  const periods = [periodOfState(record) ?? [], closed].flat();
  return writeSums(folder, BOOKED_NAME, await computeBooked(generation, record, periods));
}

function writeSums(folder: string, name: string, text: string) {
  return steps.take('write the totals', async () => {
    await writeFile(join(folder, name), text, { flag: 'wx', mode: 0o600, flush: true });
    return { name, bytes: Buffer.byteLength(text), sha256: sha256Of(text) };
  });
}

async function syncFolder(folder: string, { files }: StateRecord): Promise<void> {
  for (const { name } of files) await syncPath(join(folder, name));
  await syncPath(folder);
}
