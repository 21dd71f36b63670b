import { type Database, readInTurns, readUntil } from '../../base/database/index.ts';
import { referenceTo } from '../../numbers/report/catalogue/index.ts';
import type { QueryOptions } from '../../numbers/report/request/number.ts';
import { attachBaseline, attachEarlier, type ReaderContext } from '../../numbers/report/run/run.ts';
import { seenWhole } from '../../numbers/report/source/index.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import type { Generation, OpenGeneration } from '../generation/generations.ts';
import { readPartNames, showPart } from '../generation/seen-part.ts';
import type { AskedStates, StatesBeside } from './find-states.ts';
import { readOfStates } from './state-errors.ts';
import type { Permits, Turn } from './turn.ts';

/** Rows of a report with sums, which a process that answers several readers holds in memory. Unit: rows. */
export const MAX_REPORT_ROWS = 200_000;

/** Resources that an answer may take beside its turn. The command line has no limits. */
export interface Policy {
  /** Waited for in their order; the last one is for the computation. */
  readonly permits?: readonly Permits[];
  /** Taken while a piece of a list is computed, or copied into a file, not while it is sent. */
  readonly lists?: { readonly piece: Permits; readonly copy: Permits };
  /** The most rows of a report that sums, which is held in memory. */
  readonly maxRows?: number;
  readonly now: () => Date;
}

/** The states of an answer, opened until its turn ends. */
export interface OpenedStates {
  readonly context: ReaderContext;
  /** Gives the last permit back: others may then be computed. */
  finish(): void;
}

/**
 * Waits for permits, opens the states of an answer for the reader of its turn, and attaches those that it is compared with.
 * @throws AppError as attachBaseline.
 */
export async function openStates(
  turn: Turn,
  asked: Omit<AskedStates, 'sent'>,
  policy: Policy,
  lease = turn.lease(asked.state.lease),
): Promise<OpenedStates> {
  const finish = await takePermits(turn, policy);
  const { signal, seesRates, part } = turn;
  const generation = await lease.open(signal);
  const context = {
    ...(await seenDatabases(turn, generation, policy)),
    seesRates,
    ...(part && { part: seenWhole(part) }),
    ...dataOf(generation, policy.now(), policy),
    closings: asked.state.closings?.periods,
    books: booksOf(asked.state),
  };
  return { context: { ...context, ...(await attachCompared(turn, context, asked)) }, finish };
}

/** Returns the closings by which a state is booked. */
function booksOf({ closings, books }: AskedStates['state']): ReaderContext['books'] {
  return closings?.books ?? books;
}

/** Returns the databases of a generation as the reader sees them, until the turn ends. */
async function seenDatabases(
  { reader: key, seesRates, part, signal, atEnd }: Turn,
  generation: OpenGeneration,
  { lists }: Policy,
): Promise<Pick<ReaderContext, 'database' | 'whole' | 'partNames'>> {
  const seen = async (sees: boolean) => {
    if (!part) return generation.database(sees);
    const { reader, release } = await showPart(generation.database(sees), part, generation.company.dataVersion);
    // It reads the views until it is closed.
    atEnd(() => reader.close().finally(release));
    return reader;
  };
  const read = (opened: Database) => {
    const reading = readUntil(signal, opened);
    if (!lists) return reading;
    const { piece, copy } = lists;
    return readInTurns(reading, { piece: () => piece.acquire(key, signal), copy: () => copy.acquire(key, signal) });
  };
  const database = read(await seen(seesRates));
  const isOne = generation.database(true) === generation.database(seesRates);
  const whole = isOne ? database : read(await seen(true));
  return { database, whole, ...(part && { partNames: await readPartNames(database, part) }) };
}

/** Waits for the permits of an answer. @returns gives the last one back. */
export async function takePermits(turn: Turn, { permits = [] }: Policy): Promise<() => void> {
  let finish = () => {};
  for (const each of permits) finish = await turn.take(each);
  return finish;
}

/** Returns what an answer says of its data and its moment. */
export function dataOf({ company, today }: Generation, now: Date, { maxRows }: Pick<Policy, 'maxRows'> = {}) {
  return { company, now, today: today(now), ...(maxRows !== undefined && { maxRows }) };
}

/** Attaches the states that an answer is compared with, until its turn ends; earlier ones when they are read. */
async function attachCompared(
  turn: Turn,
  { database, company }: ReaderContext,
  { beside: { plan, from } = {} }: Omit<AskedStates, 'sent'>,
): Promise<Pick<ReaderContext, 'earlier' | 'baseline'>> {
  const { seesRates, part, signal, atEnd } = turn;
  const show =
    part &&
    ((session: Database, catalog: string, dataVersion: string) => showPart(session, part, dataVersion, catalog));
  if (plan) {
    const file = seesRates ? plan.file : fileWithoutRates(plan.file);
    const attaching = attachBaseline(database, { file, asOf: plan.asOf }, company, show);
    const { baseline, close } = await readOfStates(turn, 'baseline', attaching);
    atEnd(close);
    return { baseline };
  }
  if (!from) return {};
  const states = from.states.map(({ days, read }) => ({ days, read: () => read(seesRates) }));
  const { earlier, close } = attachEarlier(database, states, signal, show);
  atEnd(close);
  return { earlier: earlier.map((days) => ({ ...days, open: () => readOfStates(turn, 'from', days.open()) })) };
}

/** Returns texts that no other states have, for ETags. */
export function versionOf(
  { dataVersion, syncedAt, asOf }: ReaderContext['company'],
  { from, plan }: StatesBeside = {},
): string[] {
  return [
    dataVersion,
    syncedAt ?? '',
    asOf ? `${asOf.state}@${asOf.number}` : '',
    ...(from?.versions ?? []),
    ...(plan ? [referenceTo(plan.asOf), plan.asOf.keptAt] : []),
  ];
}

/** Returns what a request is parsed by before its states are opened. */
export function contextBefore(
  { state, beside }: Omit<AskedStates, 'sent'>,
  now: Date,
): Pick<ReaderContext, 'company' | 'today' | 'closings' | 'books' | 'baseline'> {
  const { company, today } = dataOf(state.generation, now);
  const closings = state.closings?.periods;
  return {
    company,
    today,
    closings,
    books: booksOf(state),
    ...(beside?.plan && { baseline: { asOf: beside.plan.asOf, catalog: '' } }),
  };
}

/** Returns texts that tell queries of the same states apart, for caches: their day, closings, and what they name beside their data. */
export function queryKeyOf({ today, closings = [], books, baseline }: QueryOptions): string[] {
  const ends = closings.map(({ name = '', endDate }) => `${endDate} ${name}`);
  return [today, ends.join(','), books?.key ?? '', ...(baseline ? [baseline.catalog] : [])];
}
