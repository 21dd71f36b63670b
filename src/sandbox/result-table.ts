import { formatZonedTime } from '../database/database.ts';
import type { Company, Loading } from '../report/catalogue/definitions.ts';
import type { Table } from '../report/catalogue/table.ts';
import { toColumn } from './column.ts';
import type { SqlParameter } from './protocol.ts';
import type { SqlResult } from './sandbox.ts';

export interface ResultContext {
  readonly company: Pick<Company, 'currency' | 'minorUnits'>;
  /** The origin and the time of the numbers. */
  readonly loading: Loading;
  readonly parameters: Readonly<Record<string, SqlParameter>>;
  readonly maxRows: number;
  readonly now: Date;
}

export function tableOf(answer: SqlResult, { company, loading, parameters, maxRows, now }: ResultContext): Table {
  return {
    name: 'sql',
    label: 'SQL',
    columns: answer.columns.map(toColumn),
    rows: inPieces(answer.rows),
    totals: undefined,
    nested: undefined,
    meta: {
      report: 'sql',
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, { text }]) => [name, text])),
      currency: company.currency,
      minor_units: company.minorUnits,
      generated_at: formatZonedTime(now),
      data_version: answer.dataVersion,
      ...loading,
      notes: answer.isTruncated ? [cutNote(maxRows)] : [],
      checks: [],
    },
  };
}

export function cutNote(maxRows: number): string {
  return `There are more rows than the ${maxRows} that are shown.`;
}

/** Rows written before the event loop gets its turn. Unit: rows. */
const ROWS_AT_ONCE = 500;

async function* inPieces(rows: SqlResult['rows']): Table['rows'] {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    yield rows.slice(start, start + ROWS_AT_ONCE);
    await new Promise(setImmediate);
  }
}
