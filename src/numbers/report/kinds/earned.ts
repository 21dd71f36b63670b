import type { Dimension } from '../catalogue/catalogue.ts';
import type { EarnedSum } from '../catalogue/earned-choice.ts';
import { EARNED_SUMS } from '../catalogue/earned-choice.ts';
import type { EarnedPart } from '../catalogue/measure-kinds.ts';
import type { Grouping } from '../request/query.ts';
import { kindColumn } from '../source/compared-lines.ts';
import { fromUnits, quotient, toUnits } from '../source/exact-units.ts';
import { memberParts, rowKeysPart } from '../source/members.ts';
import { LINES_MART, relationName } from '../source/relations.ts';
import { aliased, list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import { budgetLineId } from './budget-amounts.ts';
import {
  amountOfSum,
  EARNED,
  earnedAmount,
  earnedDistinctions,
  earnedFlags,
  earnedParts,
  lifeLevelOf,
} from './earned-lives.ts';
import { type CellFormula, type Kind, roundedCells, termOf } from './kind.ts';

/** Returns SQL of a part, which is hours or money, in whole units. */
function unitsOf(part: EarnedPart): string {
  return toUnits(`earned__${part}`, 'earned__scale');
}

/** The SQL of each measure of earned value, from what a row shows (E4). */
const AMOUNTS: Readonly<Record<EarnedPart, string>> = {
  source: 'earned__source',
  technique: 'earned__technique',
  progress_part: 'earned__progress_part',
  progress_whole: 'earned__progress_whole',
  percent: 'earned__percent',
  budget: 'earned__budget',
  planned: 'earned__planned',
  value: 'earned__value',
  actual: 'earned__actual',
  indexed_budget: 'earned__indexed_budget',
  indexed_planned: 'earned__indexed_planned',
  indexed_actual: 'earned__indexed_actual',
  schedule_variance: 'earned__value - earned__indexed_planned',
  cost_variance: 'earned__value - earned__indexed_actual',
  eac_plan: 'earned__actual + earned__later',
  eac_budget: 'earned__indexed_actual + earned__indexed_budget - earned__value',
  eac_cpi: fromUnits(
    `(${quotient(`(${unitsOf('indexed_budget')} * ${unitsOf('indexed_actual')})`, `(${unitsOf('value')} * earned__unit)`)} * earned__unit)`,
    'earned__scale',
  ),
  later: 'earned__later',
  variance_at_completion: 'earned__budget - (earned__actual + earned__later)',
};

/** The sums that are unknown while any line of the lives lacks the rate. */
const UNKNOWN_TOGETHER: readonly EarnedSum[] = ['actual', 'later'];

/** Returns the lines behind a sum of earned value (`whole`), and the budgets behind budgets at completion. */
function lineRows(plan: SummaryPlan, sum: EarnedSum): string[] {
  const lifeLevel = lifeLevelOf(plan);
  const { level, ids } = lifeLevel;
  const { source } = plan;
  const { amount, condition } = earnedAmount(plan.query.selection.earned.earnedIn);
  const { sets, sums } = earnedFlags(plan);
  const own = amountOfSum(plan, sum) === 'hours' ? 'hours' : amount;
  const contribution = UNKNOWN_TOGETHER.includes(sum)
    ? `CASE WHEN (SELECT is_known FROM earned_known) THEN ${own} END`
    : own;
  const budgets =
    sum === 'budget'
      ? `
  UNION ALL
  SELECT 'budget' AS kind, ${budgetLineId(lifeLevel, 'lives')} AS line_id, CAST(NULL AS DATE) AS date,
    NULL AS people_id, NULL AS person, budgets.project_id, project, budgets.phase_id, phase,
    NULL AS task_meta_id, NULL AS task, NULL AS status, NULL AS billable, NULL AS hours, budget AS contribution
  FROM earned_values AS lives
  JOIN ${source.relation('budgets')} AS budgets ON budgets.level = '${level}' AND ${ids.map((id) => `budgets.${id} = lives.${id}`).join(' AND ')}
  LEFT JOIN ${source.alone.relation('named_projects')} AS projects ON projects.project_id = budgets.project_id
  LEFT JOIN ${source.alone.relation('phases')} AS phases ON phases.phase_id = budgets.phase_id
  WHERE lives.source = 'budget'`
      : '';
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    rowKeysPart(plan),
    ...earnedParts(plan),
    earnedKnownPart(),
    `listed_lives AS (
  SELECT lines.*, lives.source
  FROM (SELECT *, ${list(earnedDistinctions(plan).map(aliased))} FROM ${source.relation('named_lines')} AS named WHERE ${condition}) AS lines
  JOIN earned_values AS lives ON ${ids.map((id) => `lives.${id} = lines.${id}`).join(' AND ')}
)`,
    `listed_sets AS (SELECT *, ${list(sets.map(aliased))} FROM listed_lives)`,
    `listed_uses AS (SELECT *, ${list(sums.map(aliased))} FROM listed_sets)`,
    `whole AS (
  SELECT ${kindColumn(source)}, line_id, date, people_id, person, project_id, project, phase_id, phase,
    task_meta_id, task, CAST(status AS VARCHAR) AS status, billable, hours, ${contribution} AS contribution
  FROM listed_uses
  WHERE of_${sum}${sum === 'budget' ? " AND source <> 'budget'" : ''}${budgets}
)`,
  ];
}

/** Returns whether every line of the lives has the amount (`earned_known`). */
function earnedKnownPart(): string {
  return 'earned_known AS (SELECT COALESCE(BOOL_AND(is_known), TRUE) AS is_known FROM earned_values)';
}

/** The terms of the sums of lines. */
const TERMS: Readonly<Record<EarnedSum, string>> = {
  progress_part: 'work that is done',
  progress_whole: 'work that is done or to be done',
  budget: 'budgets, or all that is scheduled where there is none',
  planned: 'scheduled up to the cutoff',
  actual: 'logged up to the cutoff',
  later: 'scheduled after the cutoff',
};

const WORDS: Readonly<Record<EarnedPart, string>> = {
  source: "where the row's budgets at completion come from",
  technique: 'the parameter `technique`',
  progress_part:
    "over the whole life of the row's projects or phases, by the technique: actual hours up to the cutoff, or the scheduled amount of completed lines; billable hours but for cost",
  progress_whole: 'the same plus scheduled hours after the cutoff, or the scheduled amount of all lines',
  percent:
    '`progress_part` / `progress_whole` x 100; of several projects or phases together `earned_value` / `indexed_budget_at_completion` x 100',
  budget: "the row's budgets in the unit of `earned_in`, each once, and all that is scheduled where there is none",
  planned: 'scheduled to date over the whole life, with billable expense fees to date in fees',
  value: '`progress_part` / `progress_whole` x `budget_at_completion` of each project or phase, rounded once',
  actual: 'logged up to the cutoff over the whole life, with billable expense fees to date in fees',
  indexed_budget: '`budget_at_completion` of the projects or phases that have an `earned_value`',
  indexed_planned: '`planned_value` of the projects or phases that have an `earned_value`',
  indexed_actual: '`actual_to_date` of the projects or phases that have an `earned_value`',
  schedule_variance: '`earned_value` less `indexed_planned_value`',
  cost_variance: '`earned_value` less `indexed_actual_to_date`',
  eac_plan: '`actual_to_date` plus `estimate_to_complete`',
  eac_budget: '`indexed_actual_to_date` plus `indexed_budget_at_completion` less `earned_value`',
  eac_cpi: '`indexed_budget_at_completion` x `indexed_actual_to_date` / `earned_value`, rounded once',
  later: 'scheduled after the cutoff over the whole life, with billable expense fees after it in fees',
  variance_at_completion: '`budget_at_completion` less `eac_plan`',
};

/** The formulas of measures of earned value from others in the same row, of one project or of all (E3). */
const FORMULAS: Readonly<Partial<Record<EarnedPart, CellFormula>>> = {
  schedule_variance: { cells: '[earned_value]-[indexed_planned_value]' },
  cost_variance: { cells: '[earned_value]-[indexed_actual_to_date]' },
  eac_plan: { cells: '[actual_to_date]+[estimate_to_complete]' },
  eac_budget: { cells: '[indexed_actual_to_date]+[indexed_budget_at_completion]-[earned_value]' },
  eac_cpi: roundedCells('[indexed_budget_at_completion]*[indexed_actual_to_date]', '[earned_value]', '[digits]'),
  variance_at_completion: { cells: '[budget_at_completion]-[eac_plan]' },
};

/** Returns the formula of a sum that indexes divide, in the row of a project or phase: blank without an earned value. */
function indexedCells(sum: string): CellFormula {
  return { cells: `IF([earned_value]="","",[${sum}])` };
}

/** The formulas of one project or phase alone. */
const OF_ONE: Readonly<Partial<Record<EarnedPart, CellFormula>>> = {
  indexed_budget: indexedCells('budget_at_completion'),
  indexed_planned: indexedCells('planned_value'),
  indexed_actual: indexedCells('actual_to_date'),
  percent: roundedCells('[progress_part]', '[progress_whole]', '4'),
  value: roundedCells('[progress_part]*[budget_at_completion]', '[progress_whole]', '[digits]'),
};

/** Tests whether every project or phase is in one row of a query. */
function hasOwnLives({ dimensions, interval }: Pick<Grouping, 'dimensions' | 'interval'>): boolean {
  const isOfProjects = ({ line = '', overlaps: isShared }: Dimension) =>
    !isShared && /^project\.|^ledger\.(project|phase)_id$/.test(line);
  return interval === undefined && dimensions.every(isOfProjects);
}

/** The parts that aren't sums of rows, whatever the rows. */
const NO_SUMS: readonly EarnedPart[] = ['source', 'technique', 'percent', 'eac_cpi'];

/** The parts of earned value that are of the projects or phases with an earned value alone. */
const OF_VALUE: readonly EarnedPart[] = [
  'percent',
  'value',
  'indexed_budget',
  'indexed_planned',
  'indexed_actual',
  'schedule_variance',
  'cost_variance',
  'eac_budget',
  'eac_cpi',
];

function sumOf(part: EarnedPart): EarnedSum | undefined {
  return EARNED_SUMS.find((sum) => sum === part);
}

/** Earned value, over the whole life of projects or phases. */
export const EARNED_KIND: Kind<EarnedPart> = {
  wholes: () => ['projects'],
  facts: () => [EARNED],
  isOfEarnedValue: (part) => OF_VALUE.includes(part),
  amount: (part) => AMOUNTS[part],
  rows: {
    parts: (plan, part) => lineRows(plan, sumOf(part) ?? 'actual'),
    columns: 'of_earned',
    // Unknown while a line of a life lacks the amount.
    nothing: (part) =>
      part === 'actual' || part === 'later' ? '(SELECT CASE WHEN is_known THEN 0 END FROM earned_known)' : '0',
    terms: (part, { name }) => {
      const sum = sumOf(part);
      return sum ? [termOf('+', TERMS[sum], 'contribution', name)] : [];
    },
  },
  words: (part) => WORDS[part],
  addsUp: (part) => (NO_SUMS.includes(part) ? 'no' : 'over projects'),
  source: () => `${relationName('budgets')}, ${LINES_MART}: hours, cost, fee`,
  total: (part, { grouping }) => {
    const made =
      part === 'percent' ? roundedCells('[earned_value]', '[indexed_budget_at_completion]', '4') : FORMULAS[part];
    if (made) return made;
    return hasOwnLives(grouping) && part !== 'source' && part !== 'technique' ? 'own' : 'given';
  },
  inRow: (part) => OF_ONE[part] ?? FORMULAS[part],
};
