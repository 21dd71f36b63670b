import { existsSync } from 'node:fs';
import type { Days } from '../../calendar/day.ts';
import type { Database, OpenOptions } from '../../database/database.ts';
import { diskError, outOfMemoryError } from '../../database/engine-errors.ts';
import { AppError, messageOf } from '../../error.ts';
import { openGeneration } from '../../generation/open-generation.ts';
import { eventsFile } from '../history-files.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../kept-states.ts';
import { loggedStates } from '../logged-states.ts';
import { findReadable } from '../readable-state.ts';
import { spellKey } from '../state-names.ts';
import { withoutReplaced } from './close-period.ts';
import { sumLines } from './line-sums.ts';
import { type PresentData, readSince, type SinceClosing } from './since-closing.ts';

/**
 * Tells what has come into closed periods since their closings, a sentence for each in which something has, those closed hard first.
 * A closing is read only if the sum of its lines is another one now.
 * @param path The path of the published database, beside which the log is.
 * @param database The present data, with rates.
 */
export async function describeChangedClosings(path: string, database: Database, now: Date): Promise<string[]> {
  try {
    const { states } = await readKeptStates(path, loggedStates(await readWholeLog(path)));
    const sentences: string[] = [];
    const closed = withoutReplaced(states).filter(({ status }) => status === 'closed');
    for (const state of closed.toSorted((one, other) => Number(isHard(other)) - Number(isHard(one)))) {
      if (await isUnchanged(database, state)) continue;
      sentences.push(...(await describeChanged(path, { database, now, seesRates: true }, state)));
    }
    return sentences;
  } catch (error) {
    return [describeFailure('closed periods', error)];
  }
}

/** Tells what a load has brought into closed periods, as describeChangedClosings does. @param path The database that it has published. */
export async function describeLoadedChanges(path: string, options: OpenOptions, now: Date): Promise<string[]> {
  if (!existsSync(eventsFile(path))) return [];
  const database = await openGeneration(path, options);
  return describeChangedClosings(path, database, now).finally(() => database.close());
}

async function isUnchanged(database: Database, { record }: KeptState): Promise<boolean> {
  const { line_sum, start_date, end_date } = record;
  return line_sum !== undefined && line_sum === (await sumLines(database, periodOf(start_date, end_date)));
}

function periodOf(startDate: string | null, endDate: string | null): Days {
  return { startDate: startDate ?? '', endDate: endDate ?? '' };
}

function isHard({ record }: KeptState): boolean {
  return record.kind === 'hard';
}

/** Tells in a sentence what has come into a closed period, if anything. @param path As describeChangedClosings. */
export async function describeChanged(path: string, present: PresentData, state: KeptState): Promise<string[]> {
  const key = spellKey(state);
  try {
    const since = await readSince(present, await findReadable(path, key));
    const changes = [...describeDifferences(since), ...describeLines(since)];
    if (changes.length === 0) return [];
    return [
      `Since ${key} was closed${isHard(state) ? ' hard' : ''} at ${state.record.kept_at}: ${changes.join('; ')}.`,
    ];
  } catch (error) {
    return [describeFailure(key, error)];
  }
}

/** Says that it is not known what has come, and why: the data that is told of is published, whatever happens here. */
function describeFailure(what: string, error: unknown): string {
  const known = outOfMemoryError(diskError(error));
  if (known instanceof AppError) return `What has come into ${what} is not known: ${messageOf(known)}`;
  throw error;
}

/** Returns the differences other than 0, such as "actual hours +2.0000". */
function describeDifferences({ differences }: SinceClosing): string[] {
  return Object.entries(differences).flatMap(([measure, value]) => {
    if (value !== null && !/[1-9]/.test(value)) return [];
    const spelled = value === null ? 'not known' : value.startsWith('-') ? value : `+${value}`;
    return [`${measure.replaceAll('_', ' ')} ${spelled}`];
  });
}

function describeLines({ lines }: SinceClosing): string[] {
  const counts = Object.entries(lines).map(([cause, count]) => `${count} ${cause}`);
  return counts.length === 0 ? [] : [`lines: ${counts.join(', ')}`];
}
