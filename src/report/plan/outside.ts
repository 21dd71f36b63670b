import type { Measure } from '../catalogue/measure-kinds.ts';
import { BUDGET_LEVELS, membersPart } from '../kinds/budget-amounts.ts';
import { isOfWhole } from '../kinds/kinds.ts';
import { listedConditions } from '../kinds/lines.ts';
import type { SeenPart, Selection } from '../request/query.ts';
import { PART_MEMBERS } from '../source/part-rows.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';

/*
 * Numbers of whole projects and whole people are blank for readers who see a part of one (L2): used hours of a budget would
 * be too few, and what remains of it too many.
 */

/** The relation that finds whom or what a row is of: by its own keys, or by those that its lines name. */
const OF_ROWS = {
  people: { ids: ['people_id'], dimensions: ['person'] },
  projects: BUDGET_LEVELS[2],
} as const;

type Wholes = keyof typeof OF_ROWS;

/** The people or projects of a row that the reader sees in part. */
function factsOutside(whole: Wholes): Facts {
  const {
    ids: [id],
  } = OF_ROWS[whole];
  return {
    name: `outside_${whole}`,
    parts: (plan) => [membersPart(plan, OF_ROWS[whole], `seen_${whole}`)],
    of: () => ({
      from: `seen_${whole} JOIN ${PART_MEMBERS[whole]} AS members ON members.${id} = seen_${whole}.${id}`,
    }),
    sums: () => [{ name: `has_outside_${whole}`, expression: 'BOOL_OR(NOT members.is_whole)' }],
  };
}

const OUTSIDE: Readonly<Record<Wholes, Facts>> = { people: factsOutside('people'), projects: factsOutside('projects') };

/** Returns the facts that say which rows have measures that the reader sees in part. */
export function outsideFacts({ part }: Pick<Selection, 'part'>, measures: readonly Measure[]): Facts[] {
  return (['people', 'projects'] as const)
    .filter((whole) => part?.[whole] === 'some' && measures.some((measure) => isOfWhole(measure) === whole))
    .map((whole) => OUTSIDE[whole]);
}

/** Tests whether a sum of a measure may be blank beside parts of it that the reader sees whole. */
export function maySeeInPart({ part }: Pick<Selection, 'part'>, measure: Measure): boolean {
  const whole = isOfWhole(measure);
  return whole !== undefined && part?.[whole] === 'some';
}

/** Returns the SQL of a measure in a row: null where the reader sees a part of it. */
export function blankOutside({ part }: Pick<Selection, 'part'>, measure: Measure, expression: string): string {
  const condition = seenCondition(part, measure, (whole) => `has_outside_${whole} IS NOT TRUE`);
  // The type of the blank is that of the number.
  return condition === undefined ? expression : `CASE WHEN ${condition} THEN ${expression} END`;
}

/** Returns the condition that the reader sees whole what a number with the contributions `whole` is about; undefined if always. */
export function numberCondition(plan: SummaryPlan, measure: Measure): string | undefined {
  return seenCondition(plan.query.selection.part, measure, (whole) => isWithoutOthers(plan, whole));
}

/** Returns the condition that no row behind a number is of others, and for one of people no line of its row, either. */
function isWithoutOthers(plan: SummaryPlan, whole: Wholes): string {
  const {
    ids: [id],
  } = OF_ROWS[whole];
  const outside = `SELECT ${id} FROM ${PART_MEMBERS[whole]} WHERE NOT is_whole`;
  // Time of others isn't among the days of a capacity, as the reader sees none of it.
  const lines = `(SELECT listed.people_id FROM ${plan.source.alone.relation('ledger')} AS listed WHERE ${listedConditions(plan)})`;
  return ['whole', ...(whole === 'people' ? [lines] : [])]
    .map((from) => `NOT EXISTS (SELECT 1 FROM ${from} AS facts WHERE facts.${id} IN (${outside}))`)
    .join(' AND ');
}

/** Returns the condition that a measure is seen whole; undefined if it always is. @param ofSome The one where some are. */
function seenCondition(
  part: SeenPart | undefined,
  measure: Measure,
  ofSome: (whole: Wholes) => string,
): string | undefined {
  const whole = isOfWhole(measure);
  const seen = whole && part?.[whole];
  if (seen === 'none') return 'FALSE';
  return whole && seen === 'some' ? ofSome(whole) : undefined;
}
