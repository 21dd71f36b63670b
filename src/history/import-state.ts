import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatZonedTime } from '../database/database.ts';
import { AppError, messageOf } from '../error.ts';
import { closingsFolder, storageError, syncPath } from '../generation/generation-files.ts';
import { removeOnSignal } from '../signals.ts';
import type { ChangeNote } from './accept-break.ts';
import { sha256Of } from './digest.ts';
import type { EventLog } from './event-log.ts';
import { FILED_FOLDER, nextFolder, RECORD_NAME } from './history-files.ts';
import { createLog } from './history-lock.ts';
import type { KeptState } from './kept-states.ts';
import { companyIdOf, loggedStates } from './logged-states.ts';
import { publishState } from './publish-state.ts';
import { assertStateName, isDataVersion, spellKey } from './state-names.ts';
import { parseRecord, type StateRecord } from './state-record.ts';
import { findFaults } from './verified-state.ts';

/** The largest closing.json that is read from elsewhere. Unit: bytes. */
const MAX_RECORD_FILE_BYTES = 4 * 1024 * 1024;

/**
 * Takes over a kept state of the same company from the folder that it has on another machine, after verifying it.
 * Requires the lock of the load.
 * @throws AppError storage for a folder that is no kept state, is damaged or is of another company; usage if it is there.
 */
export async function importState(
  database: string,
  log: EventLog,
  name: string,
  { by, reason, now }: ChangeNote,
): Promise<KeptState> {
  const from = resolve(name);
  const text = await readRecordText(from);
  const record = parseForeignRecord(from, text);
  const key = { name: record.name ?? record.data_version, number: record.number };
  const spelled = spellKey(key);
  if (loggedStates(log).some((state) => spellKey(state) === spelled)) {
    throw new AppError('usage', `There is a kept state ${spelled} already`, {
      hint: 'A state keeps its number on every machine, so this one is there, or another of its name is.',
    });
  }
  const companyId = companyIdOf(log) ?? record.company_id;
  const foreign: KeptState = { ...key, folder: from, record, status: 'kept', event: 0 };
  await assertTakeable(foreign, companyId);
  const next = nextFolder(database);
  try {
    await createLog(database);
    removeOnSignal(next);
    await copyState(from, next, record);
    await assertTakeable({ ...foreign, folder: next }, companyId);
    const event = { event: 'imported', at: formatZonedTime(now), by, reason, company_id: companyId, ...key } as const;
    return await publishState(database, log, next, { ...event, closing_sha256: sha256Of(text) });
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    throw storageError(closingsFolder(database), error, 'keep');
  }
}

async function assertTakeable(state: KeptState, companyId: string): Promise<void> {
  const faults = await findFaults(state, companyId);
  if (faults.length === 0) return;
  throw new AppError('storage', `${state.folder} can't be taken over:`, {
    items: faults,
    hint: 'Copy its folder again, from the machine that kept it. Nothing was changed.',
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

/** Parses a description from elsewhere, which may name any path. */
function parseForeignRecord(from: string, text: string): StateRecord {
  try {
    const record = parseRecord(from, text, sha256Of(text));
    assertKey(record);
    const wrong = record.files.find(({ name }) => !SAFE_FILE.test(name));
    if (wrong) throw new Error(`${wrong.name} is no file of a state`);
    return record;
  } catch (cause) {
    throw new AppError('storage', `${from}/${RECORD_NAME} is damaged: ${messageOf(cause)}`, { cause });
  }
}

/** Checks the name and number of a state, which become the name of a folder. */
function assertKey({ name, number, data_version }: StateRecord): void {
  if (typeof data_version !== 'string' || !isDataVersion(data_version)) {
    throw new Error(`"${data_version}" is not a data version`);
  }
  if (name === null && number === null) return;
  if (typeof name !== 'string') throw new Error(`"${name}" can't be the name of a state`);
  assertStateName(name);
  if (!Number.isSafeInteger(number) || (number ?? 0) < 1) throw new Error(`${number} is not the number of a state`);
}

/** A file of a state itself, or a filed report. */
const SAFE_FILE = /^(files\/)?[\p{L}\p{N}][\p{L}\p{N} ._()+-]{0,199}$/u;

async function copyState(from: string, to: string, { files }: StateRecord): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { mode: 0o700 });
  if (files.some(({ name }) => dirname(name) === FILED_FOLDER)) await mkdir(join(to, FILED_FOLDER), { mode: 0o700 });
  for (const name of [RECORD_NAME, ...files.map((file) => file.name)]) {
    await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await syncPath(join(to, name));
  }
  await syncPath(to);
}
