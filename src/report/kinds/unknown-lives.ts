import { memberParts, rowKeysPart } from '../source/members.ts';
import { orderOf } from '../source/name-order.ts';
import { list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import { earnedParts, lifeLevelOf } from './earned-lives.ts';

/** Compiles the projects or phases of a query whose earned value is unknown, because a line of theirs lacks the rate. */
export function compileUnknownLives(plan: SummaryPlan): string {
  const { level, ids } = lifeLevelOf(plan);
  const { alone } = plan.source;
  const parts = [...lineParts(plan), ...memberParts(plan), rowKeysPart(plan), ...earnedParts(plan)];
  const isOfPhases = level === 'phase';
  const phases = isOfPhases
    ? `LEFT JOIN ${alone.relation('phases')} AS phases ON phases.phase_id = lives.phase_id`
    : '';
  const order = orderOf({ name: 'project', unit: 'text' }, false);
  return `WITH ${parts.join(',\n')}
SELECT ${list(
    ids.map((id) => `CAST(lives.${id} AS VARCHAR) AS ${id}`),
    ['projects.project', `${isOfPhases ? 'phases.phase' : 'NULL'} AS phase`],
  )}
FROM earned_values AS lives
LEFT JOIN ${alone.relation('named_projects')} AS projects ON projects.project_id = lives.project_id
${phases}
WHERE NOT lives.is_known
ORDER BY ${list(
    order,
    ids.map((id) => `lives.${id}`),
  )}`;
}
