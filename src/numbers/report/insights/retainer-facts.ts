import type { Value } from '../../../base/database/index.ts';
import type { FactUnit } from '../catalogue/insight-rule.ts';
import { linkNumber } from '../plan/links.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { stateSource } from '../source/state-source.ts';
import { keyColumnsOf, measuredFact, plainFact, type ToldRow, type ToldRows } from './row-facts.ts';

/** The running period of a retainer. Amounts are decimals in its unit. */
interface Running {
  readonly project_id: number;
  readonly phase_id: number;
  readonly unit: string;
  readonly first_date: string;
  readonly last_date: string;
  /** False if other retainers of its project have a day of the period, so that numbers of the project are of all of them. */
  readonly is_alone: boolean;
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
    `SELECT project_id, phase_id, unit, CAST(date AS VARCHAR) AS first_date, CAST(last_date AS VARCHAR) AS last_date, used, opened + rolled AS available, used_percent, beyond,
      CASE WHEN used_up_on > cutoff_date THEN CAST(used_up_on AS VARCHAR) END AS used_up_on,
      NOT EXISTS (
        SELECT 1 FROM ${source.relation('retainers')} AS others
        WHERE others.project_id = retainers.project_id AND others.retainer_id <> retainers.retainer_id
          AND others.date <= retainers.last_date AND others.last_date >= retainers.date
      ) AS is_alone
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
  for (const row of rows.all) {
    const found = byKey.get(keyOf(row.keys['project_id'], row.keys['phase_id']));
    if (found) addRunning(query, row, found, { isAlone: hasPhases || found.is_alone, currency: company.currency });
  }
}

interface RowSetting {
  readonly isAlone: boolean;
  readonly currency: string;
}

function addRunning(query: Query, { keys, facts }: ToldRow, found: Running, { isAlone, currency }: RowSetting): void {
  const unit: FactUnit = found.unit === 'hours' ? 'hours' : 'money';
  const period = {
    ...query,
    understood: { ...query.understood, start_date: found.first_date, end_date: found.last_date },
  };
  const fact = (value: Value, ofUnit: FactUnit, measure: string) =>
    isAlone ? measuredFact(value, ofUnit, measure, () => linkNumber(period, measure, keys)) : plainFact(value, ofUnit);
  facts.set('running_unit', plainFact(unit === 'hours' ? 'hours' : currency, 'text'));
  facts.set('running_from', plainFact(found.first_date, 'date'));
  facts.set('running_used', fact(found.used, unit, 'retainer_used'));
  const available = fact(found.available, unit, 'retainer_used_percent');
  // That number has it as a part; no number of a report is what is available.
  facts.set('running_available', { ...available, measure: null });
  facts.set('running_used_percent', fact(found.used_percent, 'percent', 'retainer_used_percent'));
  facts.set('running_beyond', fact(found.beyond, unit, 'retainer_beyond'));
  facts.set('running_used_up_on', plainFact(found.used_up_on, 'date'));
}
