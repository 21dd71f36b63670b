import { lstat, mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatZonedTime, type OpenOptions } from '../../base/database/index.ts';
import { AppError, copyPrivately, makeBeside, messageOf, syncPath } from '../../base/index.ts';
import { closingsFolder, fileWithoutRates, storageError } from '../generation/generation-files.ts';
import { hasRecords, openAnyGeneration, readDataVersion } from '../generation/open-generation.ts';
import type { ChangeNote } from './accept-break.ts';
import { parseForeignRecord } from './foreign-record.ts';
import { FILED_FOLDER, keptDatabase, nextFolder, RECORD_NAME } from './history-files.ts';
import { createLog } from './history-lock.ts';
import type { KeptState } from './kept-states.ts';
import { sha256Of } from './log/digest.ts';
import type { EventLog } from './log/event-log.ts';
import { companyIdOf, loggedStates } from './logged-states.ts';
import { publishState } from './publish-state.ts';
import { spellKey } from './state-names.ts';
import type { StateRecord } from './state-record.ts';
import { findFaults } from './verified-state.ts';

/** The largest closing.json that is read from elsewhere. Unit: bytes. */
const MAX_RECORD_FILE_BYTES = 4 * 1024 * 1024;

/** A kept state that is to be taken over. */
export interface ImportRequest extends ChangeNote {
  /** True to take over a hard closing. */
  readonly isConfirmed: boolean;
}

/**
 * Takes over a kept state of the same company from the folder that it has on another machine, after verifying it.
 * Requires the lock of the load.
 * @throws AppError storage for a folder that is no kept state, is damaged or is of another company; usage if it is there;
 *   input for a hard closing that isn't confirmed.
 */
export async function importState(
  database: string,
  log: EventLog,
  name: string,
  { by, reason, now, isConfirmed }: ImportRequest,
  options: OpenOptions,
): Promise<KeptState> {
  const foreign = await readForeignState(log, name, { ...options, now });
  if (foreign.record.kind === 'hard' && !isConfirmed) throw needsConfirm(foreign);
  const next = nextFolder(database);
  try {
    await createLog(database);
    return await makeBeside(next, async () => {
      await copyState(foreign.folder, next, foreign.record);
      // The folder may have changed since it was verified.
      const copied = await readForeignState(log, next, { ...options, now });
      const { text, record, key } = copied;
      const { company_id } = record;
      const event = { event: 'imported', at: formatZonedTime(now), by, reason, company_id, ...key } as const;
      return await publishState(database, log, next, { ...event, closing_sha256: sha256Of(text) });
    });
  } catch (error) {
    throw storageError(closingsFolder(database), error, 'keep');
  }
}

/** A kept state in a folder from another machine. */
export interface ForeignState extends Pick<KeptState, 'folder' | 'record'> {
  readonly key: Pick<KeptState, 'name' | 'number'>;
  /** The text of its closing.json. */
  readonly text: string;
}

/**
 * Reads and verifies a kept state in a folder from another machine.
 * @throws AppError as importState
 */
export async function readForeignState(
  log: EventLog,
  name: string,
  { now, ...options }: OpenOptions & { readonly now: Date },
): Promise<ForeignState> {
  const folder = resolve(name);
  const text = await readRecordText(folder);
  const record = parseForeignRecord(join(folder, RECORD_NAME), text, now);
  const key = { name: record.name ?? record.data_version, number: record.number };
  const spelled = spellKey(key);
  if (loggedStates(log).some((state) => spellKey(state) === spelled)) {
    throw new AppError('usage', `There is a kept state ${spelled} already`, {
      hint: 'A state keeps its number on every machine, so this one is there, or another of its name is.',
    });
  }
  const state: KeptState = { ...key, folder, record, status: 'kept', event: 0 };
  const faults = await findFaults(state, companyIdOf(log) ?? record.company_id);
  // Only files whose SHA-256 is right are opened.
  if (faults.length === 0) faults.push(...(await findPairFaults(state, options)));
  if (faults.length === 0) return { folder, record, key, text };
  throw new AppError('storage', `${folder} can't be taken over:`, {
    items: faults,
    hint: 'Copy its folder again, from the machine that kept it. Nothing was changed.',
  });
}

/** Checks that the two databases are a published pair: of the data version of the state, the second without rates. */
async function findPairFaults({ folder, record }: KeptState, options: OpenOptions): Promise<string[]> {
  const whole = keptDatabase(folder);
  const pair = [
    { file: whole, isWhole: true },
    { file: fileWithoutRates(whole), isWhole: false },
  ];
  const faults: string[] = [];
  for (const { file, isWhole } of pair) {
    try {
      const opened = await openAnyGeneration(file, options);
      const found = await readDataVersion(opened)
        .then(async (version) => ({ version, isWhole: await hasRecords(opened) }))
        .finally(() => opened.close());
      if (found.version !== record.data_version)
        faults.push(`${file} has the data version ${found.version} instead of ${record.data_version}`);
      if (found.isWhole !== isWhole)
        faults.push(`${file} is ${isWhole ? 'a copy without rates' : 'no copy without rates'}`);
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  return faults;
}

/** Tells what a kept state from elsewhere would close. */
export function describeForeign({ key, record }: Pick<ForeignState, 'key' | 'record'>): string {
  const { start_date, end_date, kind, kept_at, kept_by, day } = record;
  const kept = `kept at ${kept_at} by ${kept_by}, as of ${day}`;
  const closed = start_date === null ? 'It closes no period' : `It closes ${start_date} to ${end_date}, ${kind}`;
  return `${spellKey(key)}, ${kept}. ${closed}.`;
}

function needsConfirm(foreign: ForeignState): AppError {
  return new AppError('input', `A hard closing can't be taken over without confirmation: ${describeForeign(foreign)}`, {
    hint: 'A server then refuses what would change actual lines of these days. Confirm it with --confirm.',
  });
}

async function readRecordText(from: string): Promise<string> {
  const path = join(from, RECORD_NAME);
  const entry = await lstat(path).catch(() => undefined);
  if (entry?.isFile() && entry.size <= MAX_RECORD_FILE_BYTES) return readFile(path, 'utf8');
  throw new AppError('storage', `${from} is not a kept state: there is no ${RECORD_NAME} of a usual size`, {
    hint: 'Name the folder of a state, such as company.closings/2026-03@1.',
  });
}

async function copyState(from: string, to: string, { files }: StateRecord): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  if (files.some(({ name }) => dirname(name) === FILED_FOLDER)) await mkdir(join(to, FILED_FOLDER), { mode: 0o700 });
  for (const name of [RECORD_NAME, ...files.map((file) => file.name)]) {
    await copyPrivately(join(from, name), join(to, name));
    await syncPath(join(to, name));
  }
  await syncPath(to);
}
