import type { Value } from '../../src/base/database/database.ts';
import { digestMeasures } from '../../src/numbers/report/catalogue/measure-digest.ts';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import type { Table } from '../../src/numbers/report/catalogue/table.ts';
import { explainNumber, type NumberExplanation } from '../../src/numbers/report/explain/explain-request.ts';
import { parseNumberQuery } from '../../src/numbers/report/request/number.ts';
import type { DataScope, Query } from '../../src/numbers/report/request/query.ts';
import { attachBaseline, type ReportContext, runReport } from '../../src/numbers/report/run/run.ts';
import { readQuery } from '../read-query.ts';
import { catalogue, type Row, toRow } from '../sql/company.ts';
import type { BuiltState } from './compared-company.ts';

/** A report with a baseline. */
export interface Planned {
  readonly rows: readonly Row[];
  readonly totals: Row;
  readonly table: Table;
}

type Sent = Readonly<Record<string, string>>;

/** The present state, and the one whose plan is compared. */
type PlanContext = ReportContext & Pick<DataScope, 'baseline'>;

const catalogues = { full: catalogue, withoutRates: hideRates(catalogue) };

/** The name of the state in all tests. */
export const KICKOFF = 'kickoff-501';

/** Calls a function with the present state, to which the other one is attached as its baseline. */
export async function useBaseline<T>(
  then: BuiltState,
  now: BuiltState,
  use: (context: PlanContext) => Promise<T>,
): Promise<T> {
  const { context } = await readQuery(now.database, catalogues, 'projects', WINDOW, { now: MOMENT });
  const measures = digestMeasures(catalogue);
  const asOf = { state: KICKOFF, number: 1, kind: 'kept', keptAt: then.keptAt, day: '2026-03-01', measures };
  const { baseline, close } = await attachBaseline(now.database, { file: then.file, asOf }, context.company);
  try {
    return await use({ ...context, baseline });
  } finally {
    await close();
  }
}

const MOMENT = new Date('2026-06-20T08:00:00Z');

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31' };

/** Runs a report, of March if it names no window. */
export async function readPlanned(
  { database, baseline }: PlanContext,
  name: string,
  sent: Sent,
  seesRates = true,
): Promise<Planned & { readonly query: Query }> {
  const options = { now: MOMENT, baseline, seesRates };
  const all = { ...WINDOW, ...(baseline && { baseline: KICKOFF }), ...sent };
  const { context, query } = await readQuery(database, catalogues, name, all, options);
  const table = await runReport(context, query);
  const read: Row[] = [];
  for await (const chunk of table.rows) read.push(...chunk.map((row) => toRow(table.columns, row)));
  return { rows: read, totals: toRow(table.columns, table.totals ?? []), table, query };
}

/** Explains a number. */
export async function explainPlanned(context: PlanContext, sent: Sent): Promise<NumberExplanation> {
  const { company, baseline } = context;
  const all = { ...WINDOW, ...(baseline && { baseline: KICKOFF }), ...sent };
  return explainNumber(context, parseNumberQuery(catalogues, all, { today: '2026-06-20', company, baseline }));
}

/** Returns the numbers of a row in some columns. */
export function pick(row: Row | undefined, ...columns: readonly string[]): Value[] {
  return columns.map((column) => row?.[column] ?? null);
}
