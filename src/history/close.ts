import type { OpenOptions } from '../database/database.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { type Company, readCompany, todayOf } from '../report/catalogue/definitions.ts';
import { assertNotClosed, type ClosedPeriod, findUnclosed, parseClosedPeriod } from './close-period.ts';
import { dayOf, readSyncedCompany } from './complete-day.ts';
import type { EventLog } from './event-log.ts';
import { type KeepRequest, keepState } from './keep-state.ts';
import { type KeptState, readKeptStates } from './kept-states.ts';
import { loggedStates } from './logged-states.ts';
import { checkReadiness } from './readiness.ts';
import type { StateWarning } from './state-record.ts';

/** A period that is to be closed softly: later changes of it are taken, and shown. */
export interface CloseRequest extends Omit<KeepRequest, 'name' | 'kind' | 'period' | 'check'> {
  /** As parseClosedPeriod. */
  readonly period: string;
  /** Instead of the name of the period. */
  readonly name: string | null;
}

/**
 * Closes a period: keeps the published pair as its state. Requires the lock of the load.
 * @throws AppError usage for a wrong period, busy if it is closed.
 */
export async function closePeriod(
  database: string,
  log: EventLog,
  { period: text, name, ...request }: CloseRequest,
  options: OpenOptions,
): Promise<KeptState> {
  const { period, unclosed } = await prepareClosing(database, log, text, request.now, options);
  return keepState(
    database,
    log,
    {
      ...request,
      name: name ?? period.name,
      kind: 'soft',
      period,
      check: (opened, facts) => checkReadiness(opened, facts, period, unclosed),
    },
    options,
  );
}

/**
 * Tells what a reader of a closing should know, before a period is closed.
 * @throws AppError as closePeriod.
 */
export async function previewClosing(
  database: string,
  log: EventLog,
  { period: text, now, takesChanges }: Pick<CloseRequest, 'period' | 'now' | 'takesChanges'>,
  options: OpenOptions,
): Promise<{ period: ClosedPeriod; day: string; warnings: readonly StateWarning[] }> {
  const { period, unclosed } = await prepareClosing(database, log, text, now, options);
  const opened = await openGeneration(database, options);
  try {
    const company = await readSyncedCompany(database, opened);
    const day = dayOf(company, { takesChanges, now });
    return { period, day, warnings: await checkReadiness(opened, { company, day }, period, unclosed) };
  } finally {
    await opened.close();
  }
}

async function prepareClosing(database: string, log: EventLog, text: string, now: Date, options: OpenOptions) {
  const opened = await openGeneration(database, options);
  const company: Company = await readCompany(opened).finally(() => opened.close());
  const period = parseClosedPeriod(text, todayOf(company, now), company);
  const { states, damaged } = await readKeptStates(database, loggedStates(log));
  // It may still close the period.
  const unknown = damaged.find(({ logged }) => logged.name === period.name && !logged.isReopened);
  if (unknown) throw unknown.error;
  assertNotClosed(states, period);
  return { period, unclosed: findUnclosed(states, period) };
}
