import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { todayOf } from '../../../numbers/report/catalogue/index.ts';
import { readCompany } from '../../../numbers/report/source/index.ts';
import { layMemo, type MemoRows } from '../../../numbers/report/workbook/workbook.ts';
import { writeMemo } from '../../../numbers/write/index.ts';
import { readCatalogues } from '../../generation/own-reports.ts';
import { readBooks } from '../closed-books.ts';
import { describeOneState } from '../describe-state.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../kept-states.ts';
import type { HistoryEvent } from '../log/event-log.ts';
import { loggedStates } from '../logged-states.ts';
import { findReadable } from '../readable-state.ts';
import { spellKey } from '../state-names.ts';
import { describeAmounts } from './changed-closings.ts';
import { findNewest, parseClosedPeriod } from './close-period.ts';
import { type PresentData, readComparedTotals, readSince } from './since-closing.ts';

/**
 * Finds the closing that closes a period now.
 * @param database The path of the published database, beside which the log is.
 * @throws AppError usage for a wrong period, unknown for one that isn't closed.
 */
export async function findClosing(database: string, opened: Database, text: string, now: Date): Promise<KeptState> {
  const company = await readCompany(opened);
  const period = parseClosedPeriod(text, todayOf(company, now), company);
  const { states, damaged } = await readKeptStates(database, loggedStates(await readWholeLog(database)));
  const unknown = damaged.find(({ logged }) => logged.name === period.name && !logged.isReopened);
  if (unknown) throw unknown.error;
  const newest = findNewest(states, period);
  if (newest) assertClosed(newest);
  else throw notClosed(`${period.name} isn't closed`, period.name);
  return newest;
}

/** @throws AppError unknown for a state that closes no period now. */
function assertClosed(state: KeptState): void {
  if (state.status === 'kept') throw notClosed(`${spellKey(state)} closes no period`, '2026-03');
  if (state.status === 'reopened') throw notClosed(`${spellKey(state)} was reopened`, state.name);
}

function notClosed(what: string, name: string): AppError {
  return new AppError('unknown', `${what}, so there is no memo of it`, {
    hint: `plumbline close ${name} --dry-run tells what is open, and plumbline close ${name} closes it.`,
  });
}

/**
 * Writes the memo of a closing as a workbook: what was open, its totals then and now, what has come since, and who closed it.
 * @param database As findClosing.
 * @param data The present data, with rates.
 * @throws AppError unknown for a state that closes no period now, as readSince does, and storage if the state is not as it was kept.
 */
export async function writeCloseMemo(
  database: string,
  data: Omit<PresentData, 'seesRates'>,
  state: KeptState,
): Promise<AsyncIterable<Buffer>> {
  assertClosed(state);
  const catalogue = readCatalogues().full;
  const company = await readCompany(data.database);
  const closing = await findReadable(database, spellKey(state));
  const log = await readWholeLog(database);
  const present = { ...data, seesRates: true, books: await readBooks(database, log) };
  const totals = await readComparedTotals(present, closing, catalogue.workbook.memo.measures);
  const { cutoffs, lines, causes: effects } = await readSince(present, closing);
  const { events } = log;
  const causes = catalogue.reports.get('changes')?.list ?? {};
  const rows: Record<keyof MemoRows, readonly Readonly<Record<string, unknown>>[]> = {
    closing: [{ ...closingFacts(state), cutoff_then: cutoffs.closing, cutoff_now: cutoffs.now }],
    warnings: state.record.warnings.map(warningFacts),
    totals: totals.map((total) => {
      const label = catalogue.measures.get(total.measure)?.label;
      return { ...total, label, unit_word: total.unit === 'hours' ? 'hours' : company.currency };
    }),
    causes: Object.entries(lines).map(([cause, count]) => ({
      ...causes[cause],
      lines: count,
      effect: describeAmounts(effects[cause] ?? {}, company) || 'no difference in these sums',
    })),
    events: events.filter(({ name }) => name === state.name).map(eventFacts),
  };
  const memo = await layMemo(
    catalogue,
    company,
    { subject: spellKey(state), day: todayOf(company, data.now) },
    mapRows(rows),
  );
  return writeMemo(memo, data.now);
}

function closingFacts(state: KeptState) {
  const { files, ...described } = describeOneState(state);
  return { ...described, filed: files.length === 0 ? null : files.map(({ name }) => name).join(', ') };
}

function warningFacts(warning: KeptState['record']['warnings'][number]) {
  const { hours, people, amount, fees = null, revenue = null } = warning;
  const words = warning.name.replaceAll('_', ' ');
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  const extent = [hours, people, amount, fees, revenue].find((value) => /[1-9]/.test(String(value ?? ''))) ?? null;
  return { ...warning, label, fees, revenue, extent, hours_unit: 'hours', money_unit: 'money' };
}

function eventFacts({ event, at, by, reason, name, number }: HistoryEvent) {
  return { event, at, by, reason, key: spellKey({ name, number }) };
}

function mapRows(rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>): MemoRows {
  const textOf = (value: unknown) => (value == null ? null : String(value));
  const mapRow = (row: Readonly<Record<string, unknown>>) =>
    new Map(Object.entries(row).map(([name, value]) => [name, textOf(value)] as const));
  return Object.fromEntries(Object.entries(rows).map(([name, own]) => [name, own.map(mapRow)]));
}
