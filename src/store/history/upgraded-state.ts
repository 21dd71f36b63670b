import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../base/database/index.ts';
import { AppError, copyPrivately, replaceFile, syncPath } from '../../base/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import { addMarts, describeGeneration, fillWithoutRates, replaceFunctions } from '../generation/generation-contents.ts';
import { fileWithoutRates, storageError } from '../generation/generation-files.ts';
import { awaitLoadLock } from '../generation/generation-lock.ts';
import { FORMAT } from '../generation/model-definitions.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { republishCopy } from '../generation/publish.ts';
import { readSignature } from '../generation/watch.ts';
import { compareTotals, computeTotals, measuresOfTotals } from './control-totals.ts';
import { keptDatabase, RECORD_NAME, TOTALS_NAME, upgradedFolder } from './history-files.ts';
import type { KeptState } from './kept-states.ts';
import { describeFile } from './pair-links.ts';
import { spellKey } from './state-names.ts';
import { formatRecord, type StateRecord } from './state-record.ts';
import { findFaults } from './verified-state.ts';

/*
 * A kept state of an earlier format is read from a copy that sql/upgrade/N.sql has brought to format N, step by step. The
 * copy is beside the states, in .upgraded/NAME@N, may be thrown away, and is used only if the control totals tie.
 */

/** The memory limit of an upgrade. Unit: MiB. */
const UPGRADE_MEMORY_MIB = 1024;

const OPTIONS = { memoryLimitMib: UPGRADE_MEMORY_MIB };

/** The signatures of the upgraded copies that this process has checked, by folder. */
const checked = new Map<string, string>();

const STEPS = join(sqlDirectory, 'upgrade');

/** Returns whether this version reads a kept state: it has the present format, or can be brought to it. */
export function isReadable({ record }: KeptState): boolean {
  return stepFiles(record, STEPS).every((file) => existsSync(file));
}

/**
 * Returns the database of a kept state of an earlier format in the present one. Requires a state that is as it was kept.
 * @param steps The folder of the steps.
 * @throws AppError storage if a step is missing, check if the control totals don't tie, busy during a long load.
 */
export async function upgradeState(database: string, state: KeptState, steps = STEPS): Promise<string> {
  const folder = upgradedFolder(database, state);
  const file = keptDatabase(folder);
  if (checked.get(folder) === (await signFiles(file))) return file;
  const lock = await awaitLoadLock(database);
  try {
    if (!(await isUpgraded(state, folder))) await buildUpgraded(state, folder, readSteps(state, steps));
    await assertTotals(state, folder).catch(async (error: unknown) => {
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
    checked.set(folder, await signFiles(file));
    return file;
  } finally {
    await lock.close();
  }
}

async function signFiles(file: string): Promise<string> {
  return `${await readSignature(file)}|${await readSignature(fileWithoutRates(file))}`;
}

/** Returns whether a folder has an upgraded copy, whose files are as they were made. */
async function isUpgraded(state: KeptState, folder: string): Promise<boolean> {
  try {
    const record = JSON.parse(await readFile(join(folder, RECORD_NAME), 'utf8')) as StateRecord;
    const isOfState = record.kept_at === state.record.kept_at && record.data_format === FORMAT;
    return isOfState && (await findFaults({ ...state, folder, record }, record.company_id)).length === 0;
  } catch {
    return false;
  }
}

/** Returns the files of the steps from the format of a state to the present one, in order. */
function stepFiles({ data_format }: StateRecord, folder: string): string[] {
  return Array.from({ length: Math.max(0, FORMAT - data_format) }, (_, index) =>
    join(folder, `${data_format + index + 1}.sql`),
  );
}

function readSteps({ record, ...key }: KeptState, folder: string): string[] {
  const files = stepFiles(record, folder);
  if (files.every((file) => existsSync(file))) return files.map((file) => readFileSync(file, 'utf8'));
  const { program_version } = record;
  throw new AppError('storage', `The kept state ${spellKey(key)} has the tables of version ${program_version}`, {
    hint: `Read it with plumbline ${program_version}. It is what was kept, so it can't be loaded again.`,
  });
}

async function buildUpgraded(
  { folder: original, record }: KeptState,
  folder: string,
  steps: readonly string[],
): Promise<void> {
  const make = async (next: string) => {
    const file = keptDatabase(next);
    await mkdir(next, { recursive: true, mode: 0o700 });
    await copyPrivately(keptDatabase(original), file);
    const copy = await openDatabase(file, OPTIONS);
    try {
      // The reports of this version call its functions.
      await replaceFunctions(copy);
      for (const step of steps) await copy.run(step);
      await addMarts(copy);
      await describeGeneration(copy);
      await copy.run('CHECKPOINT');
    } finally {
      await copy.close();
    }
    await republishCopy(file, OPTIONS, fillWithoutRates);
    const names = [file, fileWithoutRates(file)];
    const files = await Promise.all(names.map((path) => describeFile(path, path.slice(next.length + 1))));
    await writeFile(join(next, RECORD_NAME), formatRecord({ ...record, data_format: FORMAT, files }), { flush: true });
    await syncPath(file);
    await rm(folder, { recursive: true, force: true });
  };
  await replaceFile(folder, make, `${folder}.next`).catch((error: unknown) => {
    throw storageError(folder, error, 'keep');
  });
}

/** Checks that the sums of a state are the same in its upgraded copy. */
async function assertTotals({ folder: original, record, ...key }: KeptState, folder: string): Promise<void> {
  if (!record.files.some(({ name }) => name === TOTALS_NAME)) return;
  const kept = await readFile(join(original, TOTALS_NAME), 'utf8');
  const database = await openGeneration(keptDatabase(folder), OPTIONS);
  const totals = await computeTotals(database, record, measuresOfTotals(kept, record).same).finally(() =>
    database.close(),
  );
  const [first] = compareTotals(kept, totals);
  if (!first) return;
  const { measure, row, kept: was, computed } = first;
  throw new AppError(
    'check',
    `The control totals of ${spellKey(key)} don't tie in the format of this version: ${measure}, ${row}: ${was ?? 'nothing'} kept, ${computed ?? 'nothing'} now`,
    { hint: `Read it with plumbline ${record.program_version}.` },
  );
}
