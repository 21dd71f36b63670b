import type { Baseline } from '../catalogue/baseline.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { comparesPlan } from '../catalogue/measure-meaning.ts';
import { BUDGET_LEVELS, membersPart } from '../kinds/budget-amounts.ts';
import { UNKNOWN } from '../kinds/kind.ts';
import { needsBills, wholesOf } from '../kinds/kinds.ts';
import { listedConditions } from '../kinds/lines.ts';
import type { DataScope, SeenKind, SeenPart, Selection } from '../request/query.ts';
import { PART_MEMBERS, PART_OUTSIDE } from '../source/part-rows.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';

/*
 * Numbers of whole projects and whole people are blank for readers who see a part of one (L2): used hours of a budget would
 * be too few, and what remains of it too many.
 */

/** The relation that finds whom or what a row is of: by its own keys, or by those that its lines name. */
const OF_ROWS = {
  people: { ids: ['people_id'], dimensions: ['person'] },
  projects: BUDGET_LEVELS[2],
  // The same rows, for what contracts decide alone.
  contracts: BUDGET_LEVELS[2],
} as const satisfies Readonly<Record<SeenKind, object>>;

/** The people or projects of a row that the reader sees in part. */
function factsOutside(whole: SeenKind): Facts {
  const {
    ids: [id],
  } = OF_ROWS[whole];
  const seen = `seen_${whole}`;
  return {
    name: `outside_${whole}`,
    parts: (plan) => [membersPart(plan, OF_ROWS[whole], seen)],
    of: ({ source: { baseline } }) => {
      const join = (relation: string, alias: string) =>
        `JOIN ${relation} AS ${alias} ON ${alias}.${id} = ${seen}.${id}`;
      if (!baseline) return { from: `${seen} ${join(PART_MEMBERS[whole], 'members')}` };
      const kept = join(outsideThen(baseline, whole), 'outside_then');
      return { from: `${seen} LEFT ${join(PART_OUTSIDE[whole], 'outside')} LEFT ${kept}` };
    },
    sums: ({ source: { baseline } }) =>
      baseline
        ? [
            { name: `has_outside_${whole}`, expression: `BOOL_OR(outside.${id} IS NOT NULL)` },
            { name: `has_outside_${whole}_then`, expression: `BOOL_OR(outside_then.${id} IS NOT NULL)` },
          ]
        : [{ name: `has_outside_${whole}`, expression: 'BOOL_OR(NOT members.is_whole)' }],
  };
}

/** Returns the relation of the people or projects that a part has not all of in the state whose plan is compared. */
function outsideThen({ catalog }: Baseline, whole: SeenKind): string {
  return `${catalog}.${PART_OUTSIDE[whole]}`;
}

const OUTSIDE: Readonly<Record<SeenKind, Facts>> = {
  people: factsOutside('people'),
  projects: factsOutside('projects'),
  contracts: factsOutside('contracts'),
};

/**
 * Returns what a reader of a part sees whole: with a baseline never all, since whom or what a part has all of in one state it may have
 * nothing of in the other. Undefined for readers of everything.
 */
export function sightOf(
  { part, baseline }: Omit<DataScope, 'seesRates'>,
  whole: SeenKind,
): SeenPart[SeenKind] | undefined {
  const seen = part?.[whole];
  return seen === 'all' && baseline ? 'some' : seen;
}

/** Returns the facts that say which rows have measures that the reader sees in part. */
export function outsideFacts(selection: Selection, measures: readonly Measure[]): Facts[] {
  return (['people', 'projects', 'contracts'] as const)
    .filter(
      (whole) => sightOf(selection, whole) === 'some' && measures.some((measure) => wholesOf(measure).includes(whole)),
    )
    .map((whole) => OUTSIDE[whole]);
}

/** Tests whether a sum of a measure may be blank beside parts of it that the reader sees whole. */
export function maySeeInPart(selection: Omit<DataScope, 'seesRates'>, measure: Measure): boolean {
  return wholesOf(measure).some((whole) => sightOf(selection, whole) === 'some');
}

/** The definitions and the data that decide what a measure is blank for. */
type Sight = Pick<Selection, 'catalogue' | 'part' | 'baseline'> & Partial<Pick<Selection, 'bills'>>;

/** Returns the SQL of a measure in a row: null where the reader sees a part of it, and of bills in a company without any. */
export function blankOutside(selection: Sight, measure: Measure, expression: string): string {
  if (selection.bills === 'none' && needsBills(measure)) return UNKNOWN;
  const condition = seenCondition(selection, measure, (whole, states) =>
    states.map(({ suffix }) => `has_outside_${whole}${suffix} IS NOT TRUE`),
  );
  // The type of the blank is that of the number.
  return condition === undefined ? expression : `CASE WHEN ${condition} THEN ${expression} END`;
}

/** Returns the condition that the reader sees whole what a number with the contributions `whole` is about; undefined if always. */
export function numberCondition(plan: SummaryPlan, measure: Measure): string | undefined {
  return seenCondition(plan.query.selection, measure, (whole, states) => isWithoutOthers(plan, whole, states));
}

/** Returns the conditions that no row behind a number is of others, and no line of its row, either, as a row may have none of its lines. */
function isWithoutOthers(plan: SummaryPlan, whole: SeenKind, states: readonly SeenState[]): string[] {
  const {
    ids: [id],
  } = OF_ROWS[whole];
  // Time of others isn't among the days of a capacity, as the reader sees none of it.
  const lines = `(SELECT listed.${id} FROM ${plan.source.relation('ledger')} AS listed WHERE ${listedConditions(plan)})`;
  return states.flatMap(({ outside }) =>
    ['whole', lines].map(
      (facts) => `NOT EXISTS (SELECT 1 FROM ${facts} AS facts WHERE facts.${id} IN (${outside(whole)}))`,
    ),
  );
}

/** A state in which a part has to have all that a number is about. */
interface SeenState {
  /** The end of the names of its sums. */
  readonly suffix: '' | '_then';
  /** Returns the statement that selects the people or projects that the part has not all of. */
  outside(whole: SeenKind): string;
}

/** Returns the states that a measure is about: that of the baseline only where its plan is compared. */
function statesOf({ catalogue, baseline }: Sight, measure: Measure): SeenState[] {
  const outside = (relation: string, whole: SeenKind) => `SELECT ${OF_ROWS[whole].ids[0]} FROM ${relation}`;
  if (!baseline)
    return [{ suffix: '', outside: (whole) => `${outside(PART_MEMBERS[whole], whole)} WHERE NOT is_whole` }];
  const reported: SeenState = { suffix: '', outside: (whole) => outside(PART_OUTSIDE[whole], whole) };
  if (!comparesPlan(catalogue, measure)) return [reported];
  return [reported, { suffix: '_then', outside: (whole) => outside(outsideThen(baseline, whole), whole) }];
}

/** Returns the condition that a measure is seen whole; undefined if it always is. @param ofSome Those where some are. */
function seenCondition(
  selection: Sight,
  measure: Measure,
  ofSome: (whole: SeenKind, states: readonly SeenState[]) => readonly string[],
): string | undefined {
  const wholes = wholesOf(measure);
  if (wholes.some((whole) => sightOf(selection, whole) === 'none')) return 'FALSE';
  const some = wholes.filter((whole) => sightOf(selection, whole) === 'some');
  const conditions = some.flatMap((whole) => ofSome(whole, statesOf(selection, measure)));
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}
