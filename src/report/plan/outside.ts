import type { Measure } from '../catalogue/measure-kinds.ts';
import { BUDGET_LEVELS, membersPart } from '../kinds/budget-amounts.ts';
import { isOfWhole } from '../kinds/kinds.ts';
import type { SeenPart, Selection } from '../request/query.ts';
import { PART_MEMBERS } from '../source/part-rows.ts';
import type { Facts } from '../source/summary-plan.ts';

/*
 * Numbers of whole projects and whole people are blank for readers who see a part of one (L2): used hours of a budget would
 * be too few, and what remains of it too many.
 */

/** The projects of a row that the reader sees in part. */
const PROJECTS_OUTSIDE: Facts = {
  name: 'outside_projects',
  parts: (plan) => [membersPart(plan, BUDGET_LEVELS[2], 'seen_projects')],
  of: () => ({
    from: `seen_projects JOIN ${PART_MEMBERS.projects} AS members ON members.project_id = seen_projects.project_id`,
  }),
  sums: () => [{ name: 'has_outside_projects', expression: 'BOOL_OR(NOT members.is_whole)' }],
};

/** Returns the facts that say which rows have measures that the reader sees in part. */
export function outsideFacts({ part }: Pick<Selection, 'part'>, measures: readonly Measure[]): Facts[] {
  return part?.projects === 'some' && measures.some((measure) => isOfWhole(measure) === 'projects')
    ? [PROJECTS_OUTSIDE]
    : [];
}

/** Returns the SQL of a measure in a row: null where the reader sees a part of it. */
export function blankOutside({ part }: Pick<Selection, 'part'>, measure: Measure, expression: string): string {
  const condition = seenCondition(part, measure, 'has_outside_projects IS NOT TRUE');
  // The type of the blank is that of the number.
  return condition === undefined ? expression : `CASE WHEN ${condition} THEN ${expression} END`;
}

/** Returns the SQL of the contributions to a number (`whole`), all null if the reader sees a part of what it is about. */
export function contributionsSeen({ part }: Pick<Selection, 'part'>, measure: Measure): string {
  const outside = `SELECT project_id FROM ${PART_MEMBERS.projects} WHERE NOT is_whole`;
  const condition = seenCondition(
    part,
    measure,
    `NOT EXISTS (SELECT 1 FROM whole AS facts WHERE facts.project_id IN (${outside}))`,
  );
  return condition === undefined ? '*' : `* REPLACE (CASE WHEN ${condition} THEN contribution END AS contribution)`;
}

/** Returns the condition that a measure is seen whole; undefined if it always is. @param ofProjects The one for those of projects. */
function seenCondition(part: SeenPart | undefined, measure: Measure, ofProjects: string): string | undefined {
  const whole = isOfWhole(measure);
  const seen = whole && part?.[whole];
  if (seen === 'none') return 'FALSE';
  return seen === 'some' ? ofProjects : undefined;
}
