import type { Database, OpenOptions } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { countsAs } from '../../../numbers/relation/index.ts';
import { type Company, todayOf } from '../../../numbers/report/catalogue/index.ts';
import { readCompany } from '../../../numbers/report/source/index.ts';
import { openGeneration } from '../../generation/open-generation.ts';
import { chainOf } from '../closed-books.ts';
import { dayOf, readSyncedCompany } from '../complete-day.ts';
import { type KeepRequest, keepState } from '../keep-state.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../kept-states.ts';
import type { EventLog } from '../log/event-log.ts';
import { loggedStates } from '../logged-states.ts';
import { findReadable } from '../readable-state.ts';
import { spellKey } from '../state-names.ts';
import type { StateWarning } from '../state-record.ts';
import { type BookedRevenue, readBookedRevenue } from './booked-revenue.ts';
import { describeChanged } from './changed-closings.ts';
import { assertNotClosed, type ClosedPeriod, findNewest, findUnclosed, parseClosedPeriod } from './close-period.ts';
import type { EarlierClosings } from './late-progress.ts';
import { checkReadiness } from './readiness.ts';

/** After a soft closing, changes are taken and shown; after a hard one, a server refuses those of actual and expense lines. */
export const CLOSING_KINDS = ['soft', 'hard'] as const;

export type ClosingKind = (typeof CLOSING_KINDS)[number];

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
  const { period, newest, closings } = await prepareClosing(database, log, { ...request, period: text }, company);
  assertNotClosed(newest, request.kind);
  const check: KeepRequest['check'] = async (generation, facts) => {
    const warnings = await checkReadiness(generation, facts, period, closings);
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

/** Preview of a closing: its warnings, and what has come since an earlier one of the period. */
export interface ClosingPreview {
  readonly period: ClosedPeriod;
  /** The day up to which the records are complete. */
  readonly day: string;
  /** The last day with logged time; null without any. */
  readonly lastLogged: string | null;
  readonly currency: string;
  readonly warnings: readonly StateWarning[];
  /** The revenue as it is booked, or would be. */
  readonly booked: BookedRevenue | undefined;
  /** The newest closing of the period, if it closes it. */
  readonly closed: KeptState | undefined;
  /** Sentences about what has come since then. */
  readonly since: readonly string[];
}

/**
 * Tells what a reader of a closing should know, before a period is closed, or closed anew.
 * @param database The path of the published database, beside which the log is.
 * @param opened The data that would be closed, with rates.
 * @throws AppError usage for a wrong period.
 */
export async function previewClosing(
  database: string,
  opened: Database,
  {
    takesChanges,
    seesRates,
    ...request
  }: Pick<CloseRequest, 'period' | 'now' | 'takesChanges'> & { readonly seesRates: boolean },
): Promise<ClosingPreview> {
  const company = await readSyncedCompany(database, opened);
  const { period, newest, closings } = await prepareClosing(database, await readWholeLog(database), request, company);
  const day = dayOf(company, { takesChanges, now: request.now });
  const closed = newest?.status === 'closed' ? newest : undefined;
  return {
    period,
    day,
    lastLogged: await readLastLogged(opened),
    currency: company.currency,
    warnings: await checkReadiness(opened, { company, day }, period, closings),
    booked: await readBookedRevenue(database, opened, period, request.now),
    closed,
    since: closed ? await describeChanged(database, { database: opened, now: request.now, seesRates }, closed) : [],
  };
}

async function readLastLogged(database: Database): Promise<string | null> {
  const [row] = await database.rows<{ day: string | null }>(
    `SELECT CAST(MAX(date) AS VARCHAR) AS day FROM marts.ledger WHERE ${countsAs('work')}`,
  );
  return row?.day ?? null;
}

async function prepareClosing(
  database: string,
  log: EventLog,
  { period: text, now }: Pick<CloseRequest, 'period' | 'now'>,
  company: Company,
): Promise<{ period: ClosedPeriod; newest: KeptState | undefined; closings: EarlierClosings }> {
  const period = parseClosedPeriod(text, todayOf(company, now), company);
  const { states, damaged } = await readKeptStates(database, loggedStates(log));
  // It may still close the period.
  const unknown = damaged.find(({ logged }) => logged.name === period.name && !logged.isReopened);
  if (unknown) throw unknown.error;
  const latest = chainOf(states).findLast(({ record }) => (record.end_date ?? '') <= period.endDate);
  const closings = {
    unclosed: findUnclosed(states, period),
    latest: latest && {
      name: spellKey(latest),
      endDate: latest.record.end_date ?? '',
      read: () => findReadable(database, spellKey(latest)),
    },
  };
  return { period, newest: findNewest(states, period), closings };
}
