import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { Column, Table } from '../../report/catalogue/table.ts';
import type { Query } from '../../report/request/number.ts';
import { tupleKey } from '../../tuple-key.ts';
import type { OpenedReport } from '../content/ask-report.ts';
import { parseTold } from '../content/ask-rows.ts';
import { judgeRows } from '../content/filter-rows.ts';
import type { ContentRow } from '../content/message-content.ts';
import { rowDescriber } from '../content/row-content.ts';
import type { AlertRule, DeliveryPlan } from '../setup/delivery-setup.ts';
import type { JudgedRow } from './alert-states.ts';

export interface JudgedReportRow extends JudgedRow {
  /** Its values in the order of the columns. */
  readonly cells: readonly Value[];
}

export interface JudgedReport {
  readonly query: Query;
  readonly table: Table;
  readonly rows: readonly JudgedReportRow[];
  describe(row: JudgedReportRow): ContentRow;
}

/** The key of an alert about a report as a whole. */
const WHOLE = 'whole';

/** Asks which rows of a report the condition of an alert holds of: by its filter, or by what is said of each row. */
export async function judgeReport(
  opened: OpenedReport,
  plan: DeliveryPlan,
  { rows: judged, insight }: AlertRule,
  page: string | undefined,
): Promise<JudgedReport> {
  const query = parseTold(opened, plan, {}, insight === undefined ? 'links' : 'sentences');
  const table = await opened.run(query);
  const { columns, meta } = table;
  const { describe, valuesOf } = rowDescriber(query, columns, meta, page, plan.where);
  const keyOf = keyReader(query, columns);
  const all = judged === 'total' ? [totalOf(table)] : await collectRows(table);
  const isHeld = await judgeCells(opened, table, all, plan.where, insight);
  const rows = all.map((cells, place) => ({ key: keyOf(cells), holds: isHeld(place), values: valuesOf(cells), cells }));
  const [first] = rows;
  if (judged === 'any' || !first) return { query, table, rows, describe: ({ cells }) => describe(cells) };
  const holds = rows.every((row) => row.holds);
  const { label } = query.selection.report;
  return {
    query,
    table,
    rows: [{ ...first, key: WHOLE, holds }],
    describe({ cells }) {
      const row = describe(cells);
      return { ...row, name: { ...row.name, text: label } };
    },
  };
}

async function collectRows({ rows }: Table): Promise<(readonly Value[])[]> {
  const all: (readonly Value[])[] = [];
  for await (const chunk of rows) all.push(...chunk);
  return all;
}

/** Returns a function that tells by the place of a row whether the condition holds of it. */
async function judgeCells(
  { context }: OpenedReport,
  { columns, insightsOf }: Table,
  rows: readonly (readonly Value[])[],
  where: string | undefined,
  insight: string | undefined,
): Promise<(place: number) => boolean> {
  if (where !== undefined) {
    const holding = await judgeRows(context.database, { columns, rows }, where);
    return (place) => holding.has(place);
  }
  return (place) => {
    const said = insightsOf?.(rows[place] ?? []).insights ?? [];
    return said.some(({ rule }) => rule === insight);
  };
}

/** Returns the total as a row. @throws AppError usage for a report without totals. */
function totalOf({ name, totals }: Table): readonly Value[] {
  if (totals) return totals;
  throw new AppError('usage', `${name} has no total`, { hint: 'Write rows: any or rows: all.' });
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
