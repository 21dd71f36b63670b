import type { Database, Value } from '../../../base/database/index.ts';
import { AppError, inPieces } from '../../../base/index.ts';
import { referenceTo } from '../catalogue/as-of-state.ts';
import { listCauses } from '../catalogue/change-causes.ts';
import { completeMomentOf } from '../catalogue/company-settings.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines } from '../catalogue/measure-meaning.ts';
import type { RowStatements, Table, Unit } from '../catalogue/table.ts';
import {
  type ChangedLinesPlan,
  type ListedChange,
  listedDifferences,
  planChangedLines,
} from '../compare/plan-changed-lines.ts';
import { budgetPartOf } from '../kinds/kinds.ts';
import { assertOwnLines, CLOSING_START, cursorAfter, LINE_ORDER } from '../request/line-cursor.ts';
import type { Query } from '../request/query.ts';
import { findBudgetLines } from './budget-lines.ts';
import {
  type ComparedWindow,
  changeOf,
  describeEarlier,
  describeLater,
  MAX_LISTED_CLOSINGS,
  noteLeft,
  notOverClosings,
  openComparison,
  type StateComparison,
  windowOf,
} from './comparing.ts';
import { metaOf, type ReportContext } from './context.ts';
import { listTable, readAll, readStatements } from './run-list.ts';

/** The columns of a line's place in the order, which come first and are not shown. */
const PLACE = [...LINE_ORDER, CLOSING_START].map((name) => ({ name }));

/**
 * Lists the lines behind the difference of a measure, with the sum of their contributions as the total (X8). A line may stand
 * behind the differences from several closings, once for each.
 * @throws AppError usage for a measure that is neither a sum of lines nor the use of budgets.
 */
export async function runChangedLines(context: ReportContext, query: Query): Promise<Table> {
  const window = windowOf(context, query, MAX_LISTED_CLOSINGS);
  const measure = measureOf(query, window);
  const comparisons: StateComparison[] = [];
  for (const state of window.states) comparisons.push(await openComparison(context, query, state));
  const { changes, unit, rest } = await listChanges(context, window, comparisons, measure);
  const hasWrites = await hasWriteLog(context.database);
  const plan = planChangedLines(query, { ...measure, unit }, changes, hasWrites);
  const { sql, columns, totalSql } = plan;
  const [total] = await context.database.rows<{ count: number; total: Value }>(totalSql);
  const shared = await metaOf(context, query, []);
  const meta = {
    ...shared,
    notes: [...shared.notes, ...rest, ...noteLeft(window)],
    from: describeEarlier(window, comparisons),
    to: describeLater(context, query),
    row_count: total?.count ?? 0,
  };
  assertOwnLines(query, meta);
  const table = listTable(query, columns, total?.total ?? null);
  const { limit } = query.presentation;
  if (limit === undefined) {
    const statements = statementsOf(context.database, plan);
    return { ...table, rows: readStatements(statements), statements, meta };
  }
  const rows = await readAll(context.database, sql);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const page = rows.slice(0, limit).map((row) => row.slice(PLACE.length));
  return {
    ...table,
    rows: inPieces(page),
    meta: last ? { ...meta, next_cursor: cursorAfter(meta, PLACE, last) } : meta,
  };
}

/** @throws AppError usage for a measure without lines behind its difference, and for budgets over several closings. */
function measureOf({ grouping: { measures }, understood }: Query, { isByClosing }: ComparedWindow): Measure {
  const [measure, ...others] = measures;
  if (others.length > 0) throw inSeveralMeasures(measures);
  if (measure && isOfLines(measure)) {
    if (understood['group_by'] !== undefined) throw ungrouped(measure);
    return measure;
  }
  const budget = measure && budgetPartOf(measure);
  if (budget && isByClosing) throw notOverClosings('measure', measure);
  if (budget && budget !== 'total') return measure;
  const message = budget
    ? `measure: ${measure.name} is what budgets are, and not their use, so no line is a part of its difference`
    : `measure: ${measure?.name} is no sum of lines, so no line is a part of its difference`;
  throw new AppError('usage', message, {
    fields: [{ field: 'measure', message }],
    hint: budget
      ? 'Give budget_used, budget_remaining or budget_forecast.'
      : `Give a measure of hours, cost, fees, revenue${isByClosing ? ' or profit' : ', profit or budgets'} that is no percentage.`,
  });
}

function ungrouped({ name }: Measure): AppError {
  const message = `group_by: says whose budgets are meant, and ${name} is of no budgets`;
  return new AppError('usage', message, {
    fields: [{ field: 'group_by', message }],
    hint: 'Leave it out: the keys of a row are filters, such as project_id=501.',
  });
}

function inSeveralMeasures(measures: readonly Measure[]): AppError {
  const message = `measure: the lines of one measure are listed at a time, and ${measures.map(({ name }) => name).join(', ')} are ${measures.length}`;
  return new AppError('usage', message, { fields: [{ field: 'measure', message }], hint: 'Give one of them.' });
}

interface ListedChanges {
  readonly changes: readonly ListedChange[];
  readonly unit: Unit;
  /** Sentences about the part of the difference that has no lines. */
  readonly rest: readonly string[];
}

async function listChanges(
  context: ReportContext,
  { isByClosing }: ComparedWindow,
  comparisons: readonly StateComparison[],
  measure: Measure,
): Promise<ListedChanges> {
  const [first] = comparisons;
  if (first && !isOfLines(measure)) {
    const { database } = first.earlier;
    const found = await findBudgetLines(context, database, changeOf(context, first, { measures: [measure] }), measure);
    const { change, differences, isBlank, unit } = found;
    const since = completeMomentOf(first.earlier.company);
    const changes = [{ change, differences, isBlank, closing: undefined, since }];
    return { changes, unit, rest: found.describeRest(first.query.compared?.causes ?? listCauses()) };
  }
  const changes = comparisons.map((comparison) => {
    const { company } = comparison.earlier;
    // A line is listed once, whichever rows it leaves and enters.
    const change = changeOf(context, comparison, { dimensions: [] });
    return {
      change,
      differences: listedDifferences(change, measure),
      closing: isByClosing
        ? { name: company.asOf ? referenceTo(company.asOf) : '', startDate: comparison.query.selection.startDate }
        : undefined,
      since: completeMomentOf(company),
    };
  });
  return { changes, unit: measure.unit, rest: [] };
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
