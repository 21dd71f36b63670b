import type { Database, OpenOptions } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { openGeneration } from '../../generation/open-generation.ts';
import { type Company, todayOf } from '../../report/catalogue/definitions.ts';
import { readCompany } from '../../report/source/read-company.ts';
import { dayOf, readSyncedCompany } from '../complete-day.ts';
import type { EventLog } from '../event-log.ts';
import { type KeepRequest, keepState } from '../keep-state.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../kept-states.ts';
import { loggedStates } from '../logged-states.ts';
import type { StateWarning } from '../state-record.ts';
import { assertNotClosed, type ClosedPeriod, findUnclosed, parseClosedPeriod } from './close-period.ts';
import { findHardClosed } from './hard-closed.ts';
import { checkReadiness, type EarlierClosings } from './readiness.ts';

/** After a soft closing, changes are taken and shown; after a hard one, a server refuses those of actual and expense lines. */
export const CLOSING_KINDS = ['soft', 'hard'] as const;

export type ClosingKind = (typeof CLOSING_KINDS)[number];

/** A period that is to be closed. */
export interface CloseRequest extends Omit<KeepRequest, 'name' | 'kind' | 'period' | 'check'> {
  /** As parseClosedPeriod. */
  readonly period: string;
  /** Instead of the name of the period. */
  readonly name: string | null;
  readonly kind: ClosingKind;
  /** True to close hard although something is open. */
  readonly isConfirmed: boolean;
}

/**
 * Closes a period: keeps the published pair as its state. Requires the lock of the load.
 * @throws AppError usage for a wrong period, busy if it is closed, input if something is open and a hard closing isn't confirmed.
 */
export async function closePeriod(
  database: string,
  log: EventLog,
  { period: text, name, isConfirmed, ...request }: CloseRequest,
  options: OpenOptions,
): Promise<KeptState> {
  const opened = await openGeneration(database, options);
  const company = await readCompany(opened).finally(() => opened.close());
  const { period, earlier } = await prepareClosing(database, log, { ...request, period: text }, company);
  const check: KeepRequest['check'] = async (generation, facts) => {
    const warnings = await checkReadiness(generation, facts, period, earlier);
    if (request.kind === 'hard' && !isConfirmed) assertReady(period, warnings);
    return warnings;
  };
  return keepState(database, log, { ...request, name: name ?? period.name, period, check }, options);
}

function assertReady({ name }: ClosedPeriod, warnings: readonly StateWarning[]): void {
  if (warnings.length === 0) return;
  throw new AppError('input', `${name} can't be closed hard without confirmation:`, {
    items: warnings.map((warning) => `${warning.name}: ${warning.message}`),
    fields: warnings.map((warning) => ({ field: warning.name, message: warning.message })),
    hint: 'Settle these, or confirm the closing (--confirm, or "confirm": true), which notes them.',
  });
}

/**
 * Tells what a reader of a closing should know, before a period is closed.
 * @param database The path of the published database, beside which the log is.
 * @param opened The data that would be closed.
 * @throws AppError as closePeriod.
 */
export async function previewClosing(
  database: string,
  opened: Database,
  { takesChanges, ...request }: Pick<CloseRequest, 'period' | 'kind' | 'now' | 'takesChanges'>,
): Promise<{ period: ClosedPeriod; day: string; warnings: readonly StateWarning[] }> {
  const company = await readSyncedCompany(database, opened);
  const { period, earlier } = await prepareClosing(database, await readWholeLog(database), request, company);
  const day = dayOf(company, { takesChanges, now: request.now });
  return { period, day, warnings: await checkReadiness(opened, { company, day }, period, earlier) };
}

async function prepareClosing(
  database: string,
  log: EventLog,
  { period: text, kind, now }: Pick<CloseRequest, 'period' | 'kind' | 'now'>,
  company: Company,
): Promise<{ period: ClosedPeriod; earlier: EarlierClosings }> {
  const period = parseClosedPeriod(text, todayOf(company, now), company);
  const { states, damaged } = await readKeptStates(database, loggedStates(log));
  // It may still close the period.
  const unknown = damaged.find(({ logged }) => logged.name === period.name && !logged.isReopened);
  if (unknown) throw unknown.error;
  assertNotClosed(states, period);
  const opened = kind === 'hard' ? [] : findHardClosed(states, period);
  return { period, earlier: { unclosed: findUnclosed(states, period), opened } };
}
