import type { Value } from '../../../base/database/index.ts';
import { AppError, mapInTurns, tupleKey } from '../../../base/index.ts';
import type { Column, Meta, Rule, Table } from '../../../numbers/report/catalogue/index.ts';
import type { Query } from '../../../numbers/report/request/number.ts';
import type { OpenedReport } from '../content/ask-report.ts';
import { parseTold } from '../content/ask-rows.ts';
import { sayCondition } from '../content/condition-words.ts';
import { judgeRows } from '../content/filter-rows.ts';
import type { ContentRow, ContentSentence } from '../content/message-content.ts';
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
  /** The condition in words. */
  readonly watched: Pick<ContentSentence, 'name' | 'text'>;
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
  const query = parseTold(opened, plan, insight === undefined ? 'links' : 'sentences');
  const table = await opened.run(query);
  const { columns, meta } = table;
  const rule = query.selection.catalogue.insights.rules.get(insight ?? '');
  const { describe, valuesOf } = rowDescriber(query, columns, meta, page, plan.where ?? rule?.size);
  const keyOf = keyReader(query, columns);
  const all = judged === 'total' ? [totalOf(table)] : await collectRows(table);
  const sentenceOf = (cells: readonly Value[]) =>
    table.insightsOf?.(cells).insights.find((said) => said.rule === insight)?.text;
  const isHeld = await judgeCells(opened, table, all, plan.where, sentenceOf);
  const rows = await mapInTurns(all.entries(), ([place, cells]) => ({
    key: keyOf(cells),
    holds: isHeld(place),
    values: valuesOf(cells),
    cells,
  }));
  const watched = sayWatched(plan.where, rule, judged, columns, meta);
  const [first] = rows;
  if (judged === 'any' || !first) {
    const describeTold = ({ cells }: JudgedReportRow): ContentRow => {
      const sentence = sentenceOf(cells);
      return { ...describe(cells), ...(sentence !== undefined && { sentence }) };
    };
    return { query, table, rows, watched, describe: describeTold };
  }
  const holds = rows.every((row) => row.holds);
  const { label } = query.selection.report;
  return {
    query,
    table,
    rows: [{ ...first, key: WHOLE, holds }],
    watched,
    describe({ cells }) {
      const row = describe(cells);
      return { ...row, name: { ...row.name, text: label } };
    },
  };
}

const SCOPES = { any: '', all: ', in all rows', total: ', in total' } as const;

function sayWatched(
  where: string | undefined,
  rule: Rule | undefined,
  judged: AlertRule['rows'],
  columns: readonly Column[],
  meta: Meta,
): JudgedReport['watched'] {
  const name = rule ? rule.label : sayCondition(where ?? '', columns, meta);
  return { name: `${name}${SCOPES[judged]}`, text: rule?.description ?? '' };
}

async function collectRows({ rows }: Table): Promise<(readonly Value[])[]> {
  const all: (readonly Value[])[] = [];
  for await (const chunk of rows) all.push(...chunk);
  return all;
}

/** Returns a function that tells by the place of a row whether the condition holds of it. */
async function judgeCells(
  { context }: OpenedReport,
  { columns }: Table,
  rows: readonly (readonly Value[])[],
  where: string | undefined,
  sentenceOf: (cells: readonly Value[]) => string | undefined,
): Promise<(place: number) => boolean> {
  if (where !== undefined) {
    const holding = await judgeRows(context.database, { columns, rows }, where);
    return (place) => holding.has(place);
  }
  return (place) => sentenceOf(rows[place] ?? []) !== undefined;
}

/** Returns the total as a row. @throws AppError usage for a report without totals. */
function totalOf({ name, totals }: Table): readonly Value[] {
  if (totals) return totals;
  throw new AppError('usage', `${name} has no total`, { hint: 'Write rows: any or rows: all.' });
}

/** The columns that tell rows of comparisons apart: a row of the dimensions has several measures, and lines have no dimensions. */
const OF_COMPARISONS = ['measure', 'line_id_then', 'line_id_now', 'closing'];

/** Returns a function that reads the key of a row: of its dimensions and period or, in a list, of the columns that sort it. */
function keyReader({ grouping, selection: { report } }: Query, columns: readonly Column[]) {
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  const compared = report.compares ? OF_COMPARISONS : [];
  const dimensions = [...grouping.dimensions.map(({ key }) => key), 'period_start', ...compared]
    .map(at)
    .filter((index) => index >= 0);
  const sorted = (report.sort ?? []).map((name) => at(name.replace(/^-/, ''))).filter((index) => index >= 0);
  const places = dimensions.length > 0 ? dimensions : sorted;
  return (cells: readonly Value[]) => tupleKey(...places.map((index) => String(cells[index] ?? '')));
}
