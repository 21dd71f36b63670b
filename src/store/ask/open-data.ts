import type { Database } from '../../base/database/index.ts';
import { type AsOfState, findReport, type Table, todayOf } from '../../numbers/report/catalogue/index.ts';
import type { ReaderContext } from '../../numbers/report/run/run.ts';
import { readCompany } from '../../numbers/report/source/index.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import { runAsked } from './ask.ts';
import type { FoundState } from './find-states.ts';
import { openStates } from './open-states.ts';
import { completeSent } from './state-parameters.ts';
import type { ComparedStates, ReportParameters } from './state-references.ts';
import { takeTurn } from './turn.ts';

/** The reader of a process that has the data to itself: nothing but its end ends the wait. */
export const ALONE = { reader: '', seesRates: true, signal: new AbortController().signal };

export interface OpenState extends Partial<Pick<FoundState, 'window' | 'closings' | 'books'>> {
  /** The kept state that it is, if it is one. */
  readonly asOf?: AsOfState | undefined;
  /** The day that counts as today. Default: that of the moment. */
  readonly today?: string;
}

/** An open database, which is asked without waiting for others. */
export interface OpenData extends OpenState {
  readonly database: Database;
  readonly now: Date;
  readonly from?: ComparedStates;
  /** False for a reader without the scope rates, whose database has none. Default: true. */
  readonly seesRates?: boolean;
  /** Ends the queries. Default: they run to their end. */
  readonly signal?: AbortSignal | undefined;
}

/** The reports of open data, in its turn. */
export interface AskedData {
  readonly context: ReaderContext;
  /** Completes the parameters of a report with what the states default. */
  complete(report: string, sent: ReportParameters): ReportParameters;
  /** Runs a report, whose rows are to be read in the turn. @throws AppError as runAsked */
  table(report: string, sent: ReportParameters): Promise<Table>;
}

/** Asks open data for reports in one turn. @throws AppError as openStates. */
export function askData<T>(
  { database, now, from, seesRates = true, signal = ALONE.signal, ...opened }: OpenData,
  use: (asked: AskedData) => Promise<T>,
): Promise<T> {
  return takeTurn({ reader: ALONE.reader, seesRates, signal }, async (turn) => {
    const catalogues = readCatalogues();
    const states = { state: await stateOf(database, opened), beside: from && { from } };
    const { context } = await openStates(turn, states, { now: () => now });
    const complete: AskedData['complete'] = (report, sent) =>
      completeSent(catalogues.full, findReport(catalogues.full, report), sent, states);
    const table: AskedData['table'] = (report, sent) => runAsked(catalogues, report, complete(report, sent), context);
    return use({ context, complete, table });
  });
}

export async function stateOf(
  database: Database,
  { asOf, window, closings, books, today }: OpenState,
): Promise<FoundState> {
  const company = { ...(await readCompany(database)), asOf };
  const generation = {
    company,
    today: (now: Date) => today ?? todayOf(company, now),
    database: () => database,
  };
  return { generation, lease: () => ({ open: async () => generation, release: () => {} }), window, closings, books };
}
