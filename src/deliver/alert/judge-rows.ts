import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { Column, Table } from '../../report/catalogue/table.ts';
import type { Query } from '../../report/request/number.ts';
import { tupleKey } from '../../tuple-key.ts';
import type { OpenedReport } from '../content/ask-report.ts';
import { parseTold } from '../content/ask-rows.ts';
import { filterRows, type JudgedCells } from '../content/filter-rows.ts';
import { type ContentRow, rowDescriber } from '../content/report-content.ts';
import type { AlertRule, DeliveryPlan } from '../setup/delivery-setup.ts';
import type { JudgedRow } from './alert-states.ts';

export interface JudgedReportRow extends JudgedRow {
  readonly content: ContentRow;
  /** Its values in the order of the columns. */
  readonly cells: readonly Value[];
}

/** The rows of an answer. */
export interface JudgedReport {
  readonly query: Query;
  readonly table: Table;
  readonly rows: readonly JudgedReportRow[];
}

/** The key of an alert about a report as a whole. */
const WHOLE = 'whole';

/** Asks which rows of a report the condition of an alert holds of: by its filter, or by what is said of each row. */
export async function judgeReport(
  opened: OpenedReport,
  plan: DeliveryPlan,
  { rows, insight }: AlertRule,
  page: string | undefined,
): Promise<JudgedReport> {
  const query = parseTold(opened, plan, {}, insight === undefined ? 'links' : 'sentences');
  const table = await opened.run(query);
  const describe = rowDescriber(query, table.columns, table.meta, page, plan.where);
  const keyOf = keyReader(query, table.columns);
  const judge = ({ cells, holds }: JudgedCells): JudgedReportRow => {
    const content = describe(cells);
    const values = Object.fromEntries(content.values.map(({ label, text }) => [label, text]));
    return { key: keyOf(cells), holds, values, content, cells };
  };
  const judged = (await judgeCells(table, plan.where, rows, insight)).map(judge);
  const [first] = judged;
  if (rows === 'any' || !first) return { query, table, rows: judged };
  const name = { text: query.selection.report.label, link: first.content.name.link };
  const holds = judged.every((row) => row.holds);
  return { query, table, rows: [{ ...first, key: WHOLE, holds, content: { ...first.content, name } }] };
}

async function judgeCells(
  table: Table,
  where: string | undefined,
  rows: AlertRule['rows'],
  insight: string | undefined,
): Promise<readonly JudgedCells[]> {
  if (insight !== undefined) return judgeInsight(table, insight);
  const filtered = await filterRows(rows === 'total' ? totalOf(table) : table, where);
  return filtered.judge().finally(() => filtered.close());
}

async function judgeInsight({ rows, insightsOf }: Table, rule: string): Promise<JudgedCells[]> {
  const judged: JudgedCells[] = [];
  for await (const chunk of rows) {
    for (const cells of chunk) {
      const said = insightsOf?.(cells).insights ?? [];
      judged.push({ cells, holds: said.some((each) => each.rule === rule) });
    }
  }
  return judged;
}

/** Returns a table whose only row is the total. @throws AppError usage for a report without totals. */
function totalOf({ statements: _, totals, ...table }: Table): Table {
  if (totals) return { ...table, totals: undefined, rows: oneChunk([totals]) };
  throw new AppError('usage', `${table.name} has no total`, { hint: 'Write rows: any or rows: all.' });
}

async function* oneChunk<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/** Returns a function that reads the key of a row: of its dimensions and period or, in a list, of the columns that sort it. */
function keyReader({ grouping, selection: { report } }: Query, columns: readonly Column[]) {
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  const dimensions = [...grouping.dimensions.map(({ key }) => key), 'period_start']
    .map(at)
    .filter((index) => index >= 0);
  const sorted = (report.sort ?? []).map((name) => at(name.replace(/^-/, ''))).filter((index) => index >= 0);
  const places = dimensions.length > 0 ? dimensions : sorted;
  return (cells: readonly Value[]) => tupleKey(...places.map((index) => String(cells[index] ?? '')));
}
