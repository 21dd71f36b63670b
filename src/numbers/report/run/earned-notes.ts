import type { Value } from '../../../base/database/index.ts';
import { formatReadable } from '../../../base/index.ts';
import { EARNED, earnedParts, lifeLevelOf } from '../kinds/earned-lives.ts';
import { factsOf, isOfEarnedValue } from '../kinds/kinds.ts';
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

/** Says what leaves totals of earned value blank, and what their indexes leave out. */
export async function noteEarnedTotals(
  context: ReportContext,
  query: Query,
  sums: Pick<Sums, 'columns' | 'totals'>,
): Promise<string[]> {
  return [...(await noteUnknownTotals(context, query, sums)), ...(await noteWithoutValue(context, query, sums))];
}

/**
 * Says how many projects or phases have no earned value, though all their amounts are known, with their sums: they are on neither side
 * of an index. A reader who sees a part of a project has no totals, and no note.
 */
async function noteWithoutValue(
  { database, company }: ReportContext,
  query: Query,
  totals: Pick<Sums, 'columns' | 'totals'>,
): Promise<string[]> {
  const { catalogue, earned, part } = query.selection;
  const shown = query.grouping.measures.filter((measure) => withParts(catalogue, [measure]).some(isOfEarnedValue));
  if (shown.length === 0 || (part && shown.every(({ name }) => isBlank(totals, name)))) return [];
  const plan = planSummary(query, company);
  const [sums] = await database.rows<Record<string, Value>>(compileWithoutValue(plan));
  if (!sums?.['count']) return [];
  const noun = lifeLevelOf(plan).level;
  const [subject, verb, object] =
    sums['count'] === 1 ? [`1 ${noun}`, 'has', 'is'] : [`${sums['count']} ${noun}s`, 'have', 'are'];
  const format = (sum: string) =>
    earned.earnedIn === 'hours'
      ? `${formatReadable(String(sums[sum]), 'hours', company.minorUnits)} h`
      : `${formatReadable(String(sums[sum]), 'money', company.minorUnits)} ${company.currency}`;
  const reason = earned.technique === 'remaining' ? 'no work is done or left to do' : 'nothing is scheduled';
  return [
    `${shown.map(({ label }) => label).join(', ')}: ${subject} ${verb} no earned value, because ${reason}, and ${object} left out of both sides: AC ${format('actual')}, PV ${format('planned')}, BAC ${format('budget')}.`,
  ];
}

/** Tests whether a total is blank. */
function isBlank({ columns, totals }: Pick<Sums, 'columns' | 'totals'>, name: string): boolean {
  return totals[columns.findIndex((column) => column.name === name)] === null;
}

/** Compiles the number of the projects or phases of a query that have no earned value, and their sums. */
function compileWithoutValue(plan: SummaryPlan): string {
  return `WITH ${livesParts(plan).join(',\n')}
SELECT CAST(COUNT(*) AS INTEGER) AS count, ${list(['actual', 'planned', 'budget'].map((sum) => `COALESCE(SUM(${sum}), 0) AS ${sum}`))}
FROM earned_values WHERE is_known AND value IS NULL`;
}

/** Returns the clauses of the lives of a query's rows (`earned_values`). */
function livesParts(plan: SummaryPlan): string[] {
  const shared = [...plan.facts].flatMap((facts) => (facts.rowKeys ? (facts.shared?.(plan) ?? []) : []));
  return [...lineParts(plan), ...shared, ...memberParts(plan), rowKeysPart(plan), ...earnedParts(plan)];
}

/** Names the projects or phases that leave totals of earned value unknown: a line of theirs lacks the rate. */
async function noteUnknownTotals(
  { database, company }: ReportContext,
  query: Query,
  totals: Pick<Sums, 'columns' | 'totals'>,
): Promise<string[]> {
  const { catalogue, earned } = query.selection;
  const blank = query.grouping.measures.filter(
    (measure) => isBlank(totals, measure.name) && withParts(catalogue, [measure]).flatMap(factsOf).includes(EARNED),
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
  const isOfPhases = level === 'phase';
  const phases = isOfPhases
    ? `LEFT JOIN ${alone.relation('phases')} AS phases ON phases.phase_id = lives.phase_id`
    : '';
  const order = orderOf({ name: 'project', unit: 'text' }, false);
  return `WITH ${livesParts(plan).join(',\n')}
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
