import type { Database, Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { Measure } from '../catalogue/catalogue.ts';
import type { Company } from '../catalogue/company-settings.ts';
import type { RowStatements, Table } from '../catalogue/table.ts';
import { type ChangedLinesPlan, planChangedLines } from '../compare/plan-changed-lines.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { cursorAfter, LINE_ORDER } from '../request/line-cursor.ts';
import type { Query } from '../request/query.ts';
import { isOfLines } from './change-rows.ts';
import {
  type ComparedWindow,
  describeEarlier,
  describeLater,
  isSameCutoff,
  noteLeft,
  openComparison,
  type StateComparison,
  windowOf,
} from './comparing.ts';
import { inChunks, metaOf, type ReportContext } from './context.ts';
import type { EarlierDays } from './earlier.ts';
import { readStatements } from './run-list.ts';

/** The columns of a line's place in the order, which come first and are not shown. */
const PLACE = LINE_ORDER.map((name) => ({ name }));

/**
 * Lists the lines behind the difference of a measure, with the sum of their contributions as the total (X8).
 * @throws AppError usage for a measure that is no sum of lines.
 */
export async function runChangedLines(context: ReportContext, query: Query): Promise<Table> {
  const measure = measureOf(query);
  const window = windowOf(context, query);
  const comparison = await openComparison(context, query, onlyState(window, query));
  const plan = await planLines(context, comparison, measure);
  const { sql, columns, totalSql } = plan;
  const [total] = await context.database.rows<{ count: number; total: Value }>(totalSql);
  const from = describeEarlier(comparison);
  const shared = await metaOf(context, query, []);
  const notes = [...shared.notes, ...noteLeft(window)];
  const meta = { ...shared, notes, from, to: describeLater(context, query), row_count: total?.count ?? 0 };
  const table = {
    name: query.selection.report.name,
    label: query.selection.report.label,
    columns,
    totals: columns.map(({ name }) => (name === 'contribution' ? (total?.total ?? null) : null)),
    nested: undefined,
  };
  const { limit } = query.presentation;
  if (limit === undefined) {
    const statements = statementsOf(context.database, plan);
    return { ...table, rows: readStatements(statements), statements, meta };
  }
  const { chunks } = await context.database.stream(sql);
  const rows: Value[][] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const page = rows.slice(0, limit).map((row) => row.slice(PLACE.length));
  return { ...table, rows: inChunks([page]), meta: last ? { ...meta, next_cursor: cursorAfter(PLACE, last) } : meta };
}

function measureOf({ grouping: { measures } }: Query): Measure {
  const [measure] = measures;
  if (measure && isOfLines(measure)) return measure;
  const message = `measure: ${measure?.name} is no sum of lines, so no line is a part of its difference`;
  throw new AppError('usage', message, {
    fields: [{ field: 'measure', message }],
    hint: 'Give a measure of hours, cost, fees, revenue or profit that is no percentage.',
  });
}

/** @throws AppError usage if the window has days of several closings: a line may be listed behind each of them. */
function onlyState({ states }: ComparedWindow, { selection: { startDate, endDate } }: Query): EarlierDays {
  const [state, next] = states;
  if (state && !next) return state;
  const days = states.flatMap(({ days: own }) => (own ? [`${own.startDate} to ${own.endDate}`] : []));
  const message = `from: the lines of one closing are listed at a time, and ${startDate} to ${endDate} has days of ${days.length}`;
  throw new AppError('usage', message, {
    fields: [{ field: 'from', message }],
    hint: `Give the name of one closing as from, or a window within one of ${days.join(', ')}.`,
  });
}

async function planLines(
  context: ReportContext,
  comparison: StateComparison,
  measure: Measure,
): Promise<ChangedLinesPlan> {
  const { query, earlier, atThen } = comparison;
  const { catalog, company } = earlier;
  const { cutoffDate, today } = query.selection;
  const change = {
    plan: planSummary(atThen, context.company),
    catalog,
    thenCalendar: company,
    day: atThen.selection.today,
    later: isSameCutoff(comparison) ? undefined : { cutoffDate, today },
  };
  const logs = { hasWrites: await hasWriteLog(context.database), since: momentOf(company) };
  return planChangedLines(query, change, measure, logs);
}

/** Returns the moment up to which a kept state has all writes; that of an automatic one is of its last sync or load. */
function momentOf({ asOf, syncedAt, loadedAt }: Company): string {
  return asOf && asOf.kind !== 'automatic' ? asOf.keptAt : (syncedAt ?? loadedAt);
}

/** Tests for the log of single writes, which a published file lacks. */
async function hasWriteLog(database: Database): Promise<boolean> {
  const found = await database.rows(
    "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'service' AND table_name = 'changes'",
  );
  return found.length > 0;
}

function statementsOf(database: Database, { sql, columns }: ChangedLinesPlan): RowStatements {
  const shown = columns.map(({ name }) => `"${name}"`).join(', ');
  return { database, slice: () => [`SELECT ${shown} FROM (${sql}) AS changed`] };
}
