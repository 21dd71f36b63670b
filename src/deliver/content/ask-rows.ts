import { wordsOf } from '../../odata/tokenize.ts';
import type { Table } from '../../report/catalogue/table.ts';
import { columnsOf } from '../../report/describe/describe-catalogue.ts';
import type { Query } from '../../report/request/number.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import type { OpenedReport } from './ask-report.ts';
import { type FilteredTable, filterRows } from './filter-rows.ts';
import { toldParameters } from './report-content.ts';

/** The answer of a report for messages, and its rows that a condition leaves. */
export interface AskedRows {
  readonly query: Query;
  readonly table: Table;
  readonly rows: FilteredTable;
}

/** Asks for a report with its links and sentences, and leaves the rows of the condition. The rows must be closed. */
export async function askRows(
  opened: OpenedReport,
  plan: Pick<DeliveryPlan, 'parameters' | 'where'>,
  more: Readonly<Record<string, string>>,
): Promise<AskedRows> {
  const query = askTold(opened, plan, more, true);
  const table = await opened.run(query);
  return { query, table, rows: await filterRows(table, plan.where) };
}

/**
 * Parses a report with its links, and the columns that a condition names.
 * @param hasSentences True for its sentences, too, which take longer than its numbers.
 */
export function askTold(
  opened: OpenedReport,
  { parameters, where = '' }: Pick<DeliveryPlan, 'parameters' | 'where'>,
  more: Readonly<Record<string, string>>,
  hasSentences: boolean,
): Query {
  const { report, catalogue } = opened.parse({}).selection;
  const words = wordsOf(where);
  const named = columnsOf(catalogue, report).flatMap(({ name, when }) =>
    when === 'fields' && words.has(name) ? [name] : [],
  );
  const isShown = named.length === 0 || parameters['fields'] !== undefined;
  const fields = isShown ? {} : { fields: [...new Set([...(report.table ?? []), ...named])].join(',') };
  return opened.parse({ ...toldParameters(report, parameters, hasSentences), ...fields, ...more });
}
