import { createHash } from 'node:crypto';
import { AppError } from '../base/index.ts';
import { type DeletionLog, readDeleteLog } from './delete-log.ts';
import { discardPulled, type Folder, openFolder } from './folder.ts';
import type { Pulled, PulledResource, PullState } from './pulled.ts';
import { type OnProgress, readList, readTotal } from './read-list.ts';
import type { Source } from './requests/source.ts';
import { beginRun, findWholeReason, readClock } from './run-start.ts';
import { findList, type List, lists } from './source-lists.ts';
import { describeDrift } from './value-types.ts';

/** The longest reading of a source in one run. Unit: h. */
export const MAX_PULL_HOURS = 12;

export interface PullOptions {
  readonly source: Source;
  /** A folder only for this source; `records` and `manifest.json` in it are replaced. */
  readonly folder: string;
  readonly state: PullState | undefined;
  readonly isFull: boolean;
  /** Large lists that are read whole in a run of changes. */
  readonly whole?: readonly string[];
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
}

/**
 * Reads the records of a source into a folder. A run that was killed resumes there, even if it had read
 * everything: call discardPulled once the records are stored or refused.
 * @throws AppError source if the source can't be read; pages that were read are kept.
 */
export async function pull(options: PullOptions): Promise<Pulled> {
  const end = AbortSignal.timeout(MAX_PULL_HOURS * 3_600_000);
  try {
    return await readAll({ ...options, signal: AbortSignal.any([options.signal, end]) });
  } catch (error) {
    options.signal.throwIfAborted();
    if (!end.aborted) throw error;
    throw new AppError('source', `Reading ${options.source.base.host} was not done after ${MAX_PULL_HOURS} hours`, {
      hint: 'Allow more --requests-per-minute if the service does.',
      cause: error,
    });
  }
}

async function readAll(options: PullOptions): Promise<Pulled> {
  const { source, state, isFull, whole = [], now, signal } = options;
  source.startRun();
  const clock = await readClock(source, now, signal);
  const key = createHash('sha256')
    .update(
      JSON.stringify([source.base.href, state ?? null, isFull, whole, findWholeReason(state, clock, isFull) ?? null]),
    )
    .digest('hex');
  const folder = await openFolder(options.folder, key, now().getTime(), () =>
    beginRun(source, clock, state, isFull, signal),
  );
  if (clock.oddYear !== undefined) {
    await folder.note(`The source's clock is in the year ${clock.oddYear}, so the clock of this machine is used.`);
  }
  const read: PulledResource[] = [];
  // A resumed run has pages of an earlier moment, which no count of now is of.
  const isCounted = !folder.isResumed;
  const counts = new Map<string, number | undefined>();
  for (const list of lists) {
    if (list.isLarge && isCounted) counts.set(list.resource.name, await readTotal(options, list));
    const found = await readList({ ...options, whole, folder }, list, read);
    if (found) read.push(found);
    else await noteAbsent(folder, list);
  }
  const resources: PulledResource[] = [];
  const withoutLog: string[] = [];
  for (const each of read) {
    const log = await readLog(options, folder, each);
    if (log === 'unavailable') withoutLog.push(each.resource);
    const hasLog = log !== undefined && log !== 'unavailable';
    const total = await readSteadyTotal(options, each, counts.get(each.resource));
    resources.push({ ...each, total, ...(hasLog && { deleted: log.deletions, cursor: log.cursor }) });
    if (hasLog && log.oddIds > 0) {
      await folder.note(`The delete log of ${each.resource} has entries without a valid id, which are left out.`);
    }
  }
  const drift = read.flatMap(({ resource, types }) => describeDrift(resource, state?.types[resource] ?? {}, types));
  const { startedAt, startedHere, wholeBecause, settings } = folder.start;
  return {
    directory: folder.directory,
    resources,
    startedAt,
    startedHere,
    wholeBecause,
    settings,
    isResumed: folder.isResumed,
    ...source.counts(),
    notes: [...folder.notes(), ...describeLogs(withoutLog), ...drift],
  };
}

/**
 * Counts a large list again once it and its deletion log are read.
 * @param before The count before.
 * @returns undefined if they differ: what was read may then be of either.
 */
async function readSteadyTotal(
  options: PullOptions,
  { resource }: PulledResource,
  before: number | undefined,
): Promise<number | undefined> {
  if (before === undefined) return undefined;
  return (await readTotal(options, findList(resource))) === before ? before : undefined;
}

async function noteAbsent(folder: Folder, { resource, isRequired, isOwn, paths }: List): Promise<void> {
  if (isOwn) return;
  if (!isRequired) return folder.note(`The source has no list of ${resource.name}.`);
  throw new AppError(
    'source',
    `The source has no list of ${resource.name}: /${paths.join(' and /')} are not found (404)`,
    {
      hint: 'Check that the address is the root of the scheduling API, version v3.',
    },
  );
}

/**
 * Reads the deletions since the last run, and the deletions during the reading of the lists.
 * @returns undefined for a list that has no log.
 */
async function readLog(
  { source, signal, folder: path }: PullOptions,
  folder: Folder,
  read: PulledResource,
): Promise<DeletionLog | 'unavailable' | undefined> {
  const list = lists.find(({ resource }) => resource.name === read.resource);
  if (!list?.isLarge) return undefined;
  const { cursors, wholeBecause } = folder.start;
  const cursor = cursors[read.resource];
  const log = cursor === undefined ? 'unavailable' : await readDeleteLog(source, list, cursor, signal);
  if (log === 'unavailable' && wholeBecause === undefined && !read.isWhole) {
    // A run that resumed with these pages would fail in the same way.
    await discardPulled(path);
    throw new AppError('source', `The delete log of ${read.resource} ended while the lists were read`, {
      hint: 'Run it again: everything is then read.',
    });
  }
  return log;
}

/** Describes delete logs that are switched off, in one sentence. */
function describeLogs(off: readonly string[]): string[] {
  const names = new Intl.ListFormat('en').format(off);
  if (off.length === 0) return [];
  if (off.length === 1) {
    return [`The delete log of ${names} is off, so each run reads everything. Switch it on at the source.`];
  }
  return [`The delete logs of ${names} are off, so each run reads everything. Switch them on at the source.`];
}
