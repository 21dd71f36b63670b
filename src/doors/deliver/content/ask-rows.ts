import { wordsOf } from '../../../numbers/condition/index.ts';
import type { Table } from '../../../numbers/report/catalogue/index.ts';
import { columnsOf } from '../../../numbers/report/describe/describe-catalogue.ts';
import type { Query } from '../../../numbers/report/request/number.ts';
import { FORMATS, type FormatName, type TableFormatName } from '../../../numbers/write/index.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import type { OpenedReport } from './ask-report.ts';
import { type FilteredTable, filterRows } from './filter-rows.ts';
import { countRows, keepTable, leaveColumns } from './kept-table.ts';
import { type AskedWords, wordParameters } from './report-content.ts';

/** The answer of a report, computed once for all messages and files that are made of it. */
export interface AskedRows {
  readonly query: Query;
  /** The whole answer, which may be read more than once. */
  readonly table: Table;
  /** Its rows that the condition leaves; without one, the whole answer. */
  readonly rows: Pick<FilteredTable, 'read' | 'rowCount' | 'close'>;
  /** Returns the table of a file: these rows, without what only messages need. */
  file(format: TableFormatName): Table;
}

type AskedPlan = Pick<DeliveryPlan, 'parameters' | 'where' | 'formats'>;

/** Asks for a report once, and leaves the rows of the condition. The rows must be closed. */
export async function askRows(opened: OpenedReport, plan: AskedPlan, words: AskedWords): Promise<AskedRows> {
  const aliased = plan.formats.find((format) => 'hasAliases' in FORMATS[format]);
  const query = parseTold(opened, plan, words, aliased);
  const { aliases } = query.presentation;
  const whole = await keepTable(await opened.run(query));
  const { read, rowCount, close } = await leaveRows(whole, plan.where);
  const withoutAliases = (table: Table) =>
    leaveColumns(table, (column) => !aliases.some(({ name }) => name === column.name));
  const plain = opened.parse({});
  return {
    query,
    table: withoutAliases(whole),
    rows: { read: () => withoutAliases(read()), rowCount, close },
    file(format) {
      const table = withoutWords(read(), plain);
      return 'hasAliases' in FORMATS[format] ? table : withoutAliases(table);
    },
  };
}

async function leaveRows(table: Table, where: string | undefined): Promise<AskedRows['rows']> {
  if (where !== undefined) return filterRows(table, where);
  return { read: () => table, rowCount: await countRows(table), close: async () => undefined };
}

/** Leaves out the links and sentences that the request itself doesn't ask for. */
function withoutWords(table: Table, { presentation, understood }: Query): Table {
  const { insightsOf: _, ...shown } = leaveColumns(table, ({ name }) => presentation.hasLinks || name !== '_lines');
  const { insights: __, ...meta } = table.meta;
  const own = Object.entries(meta.parameters).filter(([name]) => name in understood || name === 'fields');
  const parameters = Object.fromEntries(own);
  return presentation.hasInsights
    ? { ...table, ...shown, meta: { ...table.meta, parameters } }
    : { ...shown, meta: { ...meta, parameters } };
}

/** Parses a report with what messages say of it, and the columns that a condition names. */
export function parseTold(
  opened: OpenedReport,
  { parameters, where = '' }: Pick<DeliveryPlan, 'parameters' | 'where'>,
  words: AskedWords,
  format?: FormatName,
): Query {
  const { report, catalogue } = opened.parse({}).selection;
  const named = wordsOf(where);
  const added = columnsOf(catalogue, report).flatMap(({ name, when }) =>
    when === 'fields' && named.has(name) ? [name] : [],
  );
  const isShown = added.length === 0 || parameters['fields'] !== undefined;
  const fields = isShown ? {} : { fields: [...new Set([...(report.table ?? []), ...added])].join(',') };
  return opened.parse({ ...wordParameters(report, parameters, words), ...fields }, undefined, format);
}
