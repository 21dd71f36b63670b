import { existsSync } from 'node:fs';
import type { Days } from '../../../base/calendar/index.ts';
import { type Database, diskError, type OpenOptions, outOfMemoryError } from '../../../base/database/index.ts';
import { AppError, formatReadable, messageOf } from '../../../base/index.ts';
import { type Company, readCauseWords } from '../../../numbers/report/catalogue/index.ts';
import { openGeneration } from '../../generation/open-generation.ts';
import { eventsFile } from '../history-files.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../kept-states.ts';
import { loggedStates } from '../logged-states.ts';
import { findReadable } from '../readable-state.ts';
import { spellKey } from '../state-names.ts';
import { withoutReplaced } from './close-period.ts';
import { sumLines, sumTerms } from './line-sums.ts';
import { type PresentData, readSince, type SinceClosing } from './since-closing.ts';

/**
 * Tells what has come into closed periods since their closings, a sentence for each in which something has, those closed hard first.
 * A closing is read only if the sum of its lines, or of what decides beside them, is another one now.
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
  const { line_sum, terms_sum, start_date, end_date } = record;
  const period = periodOf(start_date, end_date);
  if (line_sum === undefined || line_sum !== (await sumLines(database, period))) return false;
  return terms_sum === undefined || terms_sum === (await sumTerms(database, period));
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
    const { kept_at, currency, minor_units } = state.record;
    const money = { currency, minorUnits: minor_units };
    const sums = describeAmounts(since.differences, money) || 'no other sums';
    const causes = describeCauses(since, money);
    if (causes.length === 0 && sums === 'no other sums') return [];
    const reasons = causes.length === 0 ? '' : `. By cause: ${causes.join('; ')}`;
    const { closing, now } = since.cutoffs;
    const closed = `Since ${key} was closed${isHard(state) ? ' hard' : ''} at ${kept_at}, counted to ${closing} then and to ${now} now`;
    return [`${closed}: ${sums}${reasons}.`];
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

/** Says amounts other than 0 in hours and money, such as "actual hours -1.50 h, actual cost -75.00 EUR". */
export function describeAmounts(
  amounts: Partial<SinceClosing['differences']>,
  { currency, minorUnits }: Pick<Company, 'currency' | 'minorUnits'>,
): string {
  const said = Object.entries(amounts).flatMap(([measure, value]) => {
    const label = measure.replaceAll('_', ' ');
    if (value === null) return [`${label} not known`];
    if (!/[1-9]/.test(value)) return [];
    const unit = measure === 'actual_hours' ? 'hours' : 'money';
    const sign = value.startsWith('-') ? '' : '+';
    return [`${label} ${sign}${formatReadable(value, unit, minorUnits)} ${unit === 'hours' ? 'h' : currency}`];
  });
  return said.join(', ');
}

function describeCauses({ lines, causes }: SinceClosing, money: Parameters<typeof describeAmounts>[1]): string[] {
  return [...readCauseWords()]
    .filter(([cause]) => lines[cause])
    .map(
      ([cause, words]) => `${words}: ${describeAmounts(causes[cause] ?? {}, money) || 'no difference in these sums'}`,
    );
}
