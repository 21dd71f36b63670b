import type { Value } from '../../../base/database/index.ts';
import type { FactUnit } from '../catalogue/insight-rule.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { stateSource } from '../source/state-source.ts';
import { keyColumnsOf, plainFact, type ToldRows } from './row-facts.ts';

/** The running period of a retainer. Amounts are decimals in its unit. */
interface Running {
  readonly project_id: number;
  readonly phase_id: number;
  readonly unit: string;
  readonly first_date: string;
  readonly used: Value;
  readonly available: Value;
  readonly used_percent: Value;
  readonly beyond: Value;
  readonly used_up_on: string | null;
}

/**
 * Adds to each row how far the running period of its retainer is used, by the default cutoff; of several the one that is used most. A phase has its own alone.
 * A query with another cutoff, or whose window has no day of the period, is told nothing: it is about other days.
 */
export async function addRetainers({ database, company }: ReportContext, query: Query, rows: ToldRows): Promise<void> {
  const source = stateSource(query.selection).alone;
  const { startDate, endDate, cutoffDate } = query.selection;
  const running = await database.rows<Running>(
    `SELECT project_id, phase_id, unit, CAST(date AS VARCHAR) AS first_date, used, opened + rolled AS available, used_percent, beyond,
      CASE WHEN used_up_on > cutoff_date THEN CAST(used_up_on AS VARCHAR) END AS used_up_on
    FROM ${source.relation('retainers')} AS retainers
    WHERE cutoff_date = CAST($1 AS DATE) AND cutoff_date BETWEEN date AND last_date
      AND date <= CAST($3 AS DATE) AND last_date >= CAST($2 AS DATE)
    ORDER BY beyond, used_percent NULLS FIRST`,
    [cutoffDate, startDate, endDate],
  );
  if (running.length === 0) return;
  const hasPhases = keyColumnsOf(query).includes('phase_id');
  const keyOf = (project: unknown, phase: unknown) => `${project} ${hasPhases ? phase : ''}`;
  const byKey = new Map(running.map((each) => [keyOf(each.project_id, each.phase_id), each]));
  for (const { keys, facts } of rows.all) {
    const found = byKey.get(keyOf(keys['project_id'], keys['phase_id']));
    if (!found) continue;
    const unit: FactUnit = found.unit === 'hours' ? 'hours' : 'money';
    facts.set('running_unit', plainFact(unit === 'hours' ? 'hours' : company.currency, 'text'));
    facts.set('running_from', plainFact(found.first_date, 'date'));
    facts.set('running_used', plainFact(found.used, unit));
    facts.set('running_available', plainFact(found.available, unit));
    facts.set('running_used_percent', plainFact(found.used_percent, 'percent'));
    facts.set('running_beyond', plainFact(found.beyond, unit));
    facts.set('running_used_up_on', plainFact(found.used_up_on, 'date'));
  }
}
