import type { Value } from '../../database/database.ts';
import { EARNED, earnedParts, lifeLevelOf } from '../kinds/earned-lives.ts';
import { factsOf } from '../kinds/kinds.ts';
import { withParts } from '../plan/measure-sql.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { Query } from '../request/query.ts';
import { memberParts, rowKeysPart } from '../source/members.ts';
import { orderOf } from '../source/name-order.ts';
import { list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import type { ReportContext } from './context.ts';
import type { Sums } from './prepare-sums.ts';
import { spellName } from './unknown-ids.ts';

/** The most projects or phases that a note names. Unit: names. */
const MAX_NAMED = 5;

/** Names the projects or phases that leave totals of earned value unknown: a line of theirs lacks the rate. */
export async function noteUnknownTotals(
  { database, company }: ReportContext,
  query: Query,
  { columns, totals }: Pick<Sums, 'columns' | 'totals'>,
): Promise<string[]> {
  const { catalogue, earned } = query.selection;
  const isBlank = (name: string) => totals[columns.findIndex((column) => column.name === name)] === null;
  const blank = query.grouping.measures.filter(
    (measure) => isBlank(measure.name) && withParts(catalogue, [measure]).flatMap(factsOf).includes(EARNED),
  );
  if (blank.length === 0) return [];
  const lives = await database.rows<Record<string, Value>>(compileUnknownLives(planSummary(query, company)));
  if (lives.length === 0) return [];
  const names = lives.slice(0, MAX_NAMED).map(({ project, project_id, phase, phase_id }) => {
    const name = spellName('project', project, project_id);
    return phase_id === undefined ? name : `${name}, ${spellName('phase', phase, phase_id)}`;
  });
  const more = lives.length > names.length ? [`${lives.length - names.length} more`] : [];
  const rate = earned.earnedIn === 'cost' ? 'cost rate' : 'bill rate';
  return [
    `${blank.map(({ label }) => label).join(', ')}: no total, because work of these has no ${rate}: ${[...names, ...more].join('; ')}.`,
  ];
}

/** Compiles the projects or phases of a query whose earned value is unknown, because a line of theirs lacks the rate. */
function compileUnknownLives(plan: SummaryPlan): string {
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
