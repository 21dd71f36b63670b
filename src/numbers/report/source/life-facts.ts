import { countsAs } from '../../relation/line-kinds.ts';
import { hasWholeFees, lifeParts } from './agreed-fees.ts';
import { readRule } from './fact-rules.ts';
import { type LifeOptions, selectPlaced } from './fee-uses.ts';
import { filterConditions } from './filter.ts';
import { isInWindow } from './query-sql.ts';
import { list } from './sql-columns.ts';
import type { SummaryPlan } from './summary-plan.ts';
import { unloggedConditions } from './unlogged-days.ts';
import { edgesOf, sharedPart, wholeLife } from './whole-life.ts';

/*
 * Facts of the whole lives of places up to a cutoff, whatever the window and the filters of a query.
 */

/** The rules of how much of a fixed fee is done (G2), and of what missing time would earn of agreed fees (K7). */
const PERCENTS = readRule('facts/fee_percents');
const MISSING_REVENUE = readRule('facts/missing_revenue');

/** Selects from the lives of places: `fee_lives`, `fee_steps` and `uses` by month (`lifeParts`). Statements with one cutoff share it. */
export function selectLives(plan: SummaryPlan, select: (life: SummaryPlan) => string, asked: LifeOptions = {}): string {
  const life = wholeLife(plan);
  return sharedPart(plan, `WITH ${lifeParts(life, 'by period', asked).join(',\n')}\n${select(life)}`);
}

/** Returns the progress of each fixed place (`fee_percents`). */
export function percentsPart(plan: SummaryPlan): string {
  return `fee_percents AS (${selectLives(plan, ({ source }) => `SELECT * FROM (${PERCENTS(source)}) AS percents`)})`;
}

/** Selects what each missing line with an agreed fee would earn. */
export function selectMissingRevenue(plan: SummaryPlan): string {
  return selectLives(plan, (life) => {
    const { source, querySql } = life;
    const conditions = [
      `date <= ${querySql.cutoff}`,
      countsAs('plan'),
      querySql.hasStatus('status'),
      ...unloggedConditions(life, 'life'),
    ];
    const lines = ['line_id', 'task_id', 'people_id', 'date', 'kind', 'project_id', 'phase_id', 'task_meta_id'];
    const missing = `SELECT ${list(lines, ['status', 'billable', 'hours', 'fee'])} FROM ${source.relation('lines')} WHERE ${conditions.join(' AND ')}`;
    return `SELECT * FROM (
    WITH missing_lines AS (SELECT * FROM ${selectPlaced(life, missing)} AS lines) SELECT * FROM (${MISSING_REVENUE(source)}) AS fees
  ) AS missing_revenue`;
  });
}

/** Compiles the count and the sum of the agreed fees of a query that are earned as they are used. */
export function compileUnknownProgress(plan: SummaryPlan): string {
  const { selection } = plan.query;
  const place = ['project_id', 'phase_key', 'task_key', 'agreed_fee'];
  const asUsed = (columns: string) => `SELECT ${columns}
FROM uses
JOIN fee_lives AS lives ON lives.project_id = uses.project_id AND lives.phase_key = uses.phase_key AND lives.task_key = uses.task_key
WHERE uses.is_counted AND lives.contract = 'fixed' AND lives.lines_earn = 'use' AND lives.end_day IS NULL`;
  const days = list([...place, 'date'].map((column) => `uses.${column}`));
  const uses = hasWholeFees(plan)
    ? selectLives(plan, () => asUsed(`DISTINCT ${days}`), { edges: edgesOf(selection) })
    : `WITH ${lifeParts(plan, 'by line').join(',\n')}\n${asUsed('uses.*')}`;
  const conditions = [isInWindow(plan.querySql, 'date'), ...filterConditions(selection, 'fees')];
  return `SELECT COUNT(*) AS count, COALESCE(SUM(agreed_fee), 0) AS total
FROM (SELECT DISTINCT ${list(place)} FROM (${uses}) AS fees WHERE ${conditions.join(' AND ')}) AS used`;
}
