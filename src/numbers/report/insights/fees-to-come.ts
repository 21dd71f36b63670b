import { planSummary } from '../plan/plan-summary.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { selectLives } from '../source/life-facts.ts';
import { keyColumnsOf, plainFact, type ToldRow, type ToldRows } from './row-facts.ts';

/**
 * Adds to each row whether a fixed fee of it is still to come (K6): 1 if it is earned by milestones or when it is done, and the place hasn't
 * ended, else 0. Reads the lives of places only if a row loses money, as nothing else depends on it.
 */
export async function addFeesToCome({ database, company }: ReportContext, query: Query, rows: ToldRows): Promise<void> {
  const isLoss = ({ facts }: ToldRow) => /^-.*[1-9]/.test(facts.get('actual_profit')?.value ?? '');
  const places = rows.all.some(isLoss) ? await database.rows<Place>(compilePlaces(planSummary(query, company))) : [];
  const hasPhases = keyColumnsOf(query).includes('phase_id');
  const toCome = new Set(places.map(({ project_id, phase_key }) => `${project_id} ${hasPhases ? phase_key : 0}`));
  for (const { keys, facts } of rows.all) {
    const own = [0, ...(hasPhases ? [keys['phase_id']] : [])].map((phase) => `${keys['project_id']} ${phase}`);
    facts.set('fee_to_come', plainFact(own.some((key) => toCome.has(key)) ? 1 : 0, 'count'));
  }
}

interface Place {
  readonly project_id: number;
  readonly phase_key: number;
}

function compilePlaces(plan: ReturnType<typeof planSummary>): string {
  return `SELECT DISTINCT project_id, phase_key FROM (${selectLives(plan, () => 'SELECT * FROM fee_lives')}) AS lives
WHERE contract = 'fixed' AND NOT is_canceled AND recognise IN ('done', 'milestones') AND end_day IS NULL`;
}
