import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { countsAs } from '../../relation/line-kinds.ts';
import type { AsOfState } from '../catalogue/as-of-state.ts';
import type { Baseline } from '../catalogue/baseline.ts';
import type { Company } from '../catalogue/company-settings.ts';
import type { BaselineMeta } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { filterConditions } from '../source/filter.ts';
import { isInWindow, kindConditions, querySqlOf, statusLiteral } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import { assertOneCurrency, attachState, type ShowPart, type StateFile } from './earlier.ts';

/**
 * Attaches the state whose plan is compared to the database of a report.
 * @param reported The company as of the state that is reported.
 * @returns also `close`, which must be called.
 * @throws AppError usage if the state is newer than the reported one, input for amounts of another currency (B1).
 */
export async function attachBaseline(
  database: Database,
  { file, asOf }: Pick<StateFile, 'file' | 'asOf'>,
  reported: Company,
  show?: ShowPart,
): Promise<{ readonly baseline: Baseline; close(): Promise<void> }> {
  assertOlder(asOf, reported.asOf);
  const { state, close } = await attachState(database, { file, asOf, cutoffDate: undefined }, undefined, show);
  try {
    assertOneCurrency(state.company, reported);
  } catch (error) {
    await close();
    throw error;
  }
  return { baseline: { asOf, catalog: state.catalog, contracts: state.company.contracts }, close };
}

function assertOlder(baseline: AsOfState, reported: AsOfState | undefined): void {
  if (!reported || baseline.keptAt <= reported.keptAt) return;
  const message = `baseline: ${baseline.state} was kept at ${baseline.keptAt}, after ${reported.state}, which was kept at ${reported.keptAt}`;
  throw new AppError('usage', message, {
    fields: [{ field: 'baseline', message }],
    hint: 'Give an older state as baseline, or leave out as_of for the present data.',
  });
}

/** Describes the baseline of a query, with the projects in the answer that it doesn't have: they were planned with 0 (B2). */
export async function describeBaseline(database: Database, { selection }: Query): Promise<BaselineMeta | null> {
  const { baseline, report } = selection;
  if (!baseline) return null;
  const { alone } = stateSource(selection);
  const kept = stateSource({ seesRates: selection.seesRates }, baseline.catalog);
  const sql = querySqlOf(selection);
  const conditions = [
    isInWindow(sql, 'ledger.date'),
    `ledger.status <> ${statusLiteral('canceled')}`,
    ...kindConditions(report, 'ledger'),
    ...filterConditions(selection, 'ledger'),
    `ledger.project_id NOT IN (SELECT project_id FROM ${kept.relation('named_projects')})`,
  ];
  const [row] = await database.rows<{ version: string; projects: number; hours: string }>(`
SELECT data_version AS version, projects, hours
FROM ${kept.relation('generation')} CROSS JOIN (
  SELECT COUNT(DISTINCT project_id) AS projects,
    COALESCE(SUM(CASE WHEN ${countsAs('work')} AND date <= ${sql.cutoff} THEN hours END), 0) AS hours
  FROM ${alone.relation('ledger')} AS ledger WHERE ${conditions.join(' AND ')}
) AS missing`);
  const { state, number, kind, keptAt } = baseline.asOf;
  return {
    state,
    number,
    kind,
    kept_at: keptAt,
    data_version: row?.version ?? '',
    missing_projects: Number(row?.projects ?? 0),
    missing_actual_hours: row?.hours ?? '0',
  };
}
