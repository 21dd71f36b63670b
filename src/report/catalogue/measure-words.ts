import { type BridgeEffect, type Effect, partsOfEffect } from './bridges.ts';
import { parsePoints, parseRatio, parseSum } from './measure-formula.ts';
import type { BudgetPart, CapacityPart, EarnedPart, Measure, PersonDaysPart } from './measure-kinds.ts';

const AMOUNT_WORDS: Readonly<Record<string, string>> = {
  hours: 'hours',
  cost: 'cost',
  fee: 'fee',
  hours_without_cost_rate: 'hours without a cost rate',
  hours_without_bill_rate: 'billable hours without a bill rate',
};

const PEOPLE_WORDS: Readonly<Record<CapacityPart, string>> = {
  capacity: "work hours less time off, over the row's employees and contractors and its days",
  capacity_to_date: 'the same up to the cutoff',
  time_off: "time off within work hours, over the row's employees and contractors and its days",
  overtime:
    "scheduled hours above capacity, person by person and day by day, over the row's employees and contractors and its days",
  future_overtime: 'the same after today',
  unscheduled:
    "capacity above scheduled hours, person by person and day by day, over the row's employees and contractors and its days",
};

const PERSON_DAYS_WORDS: Readonly<Record<PersonDaysPart, string>> = {
  unlogged: 'scheduled less actual hours, person by person and day by day up to the cutoff, where they are more than 0',
  unlogged_cost:
    'the scheduled cost of each such day x unlogged hours / scheduled hours of the day, rounded once to the minor unit',
  unlogged_fees:
    'the scheduled fee of each such day x unlogged hours / scheduled hours of the day, rounded once to the minor unit',
  covered: 'scheduled or actual hours, whichever are fewer, person by person and day by day up to the cutoff',
  plan_error: 'actual less scheduled hours up to the cutoff without their sign, person by person and week by week',
};

const BUDGET_WORDS: Readonly<Record<BudgetPart, string>> = {
  total: "the row's budgets added up, if they have one unit",
  used: 'the part of those budgets used up to the cutoff',
  remaining: '`budget_total` less what is known of `budget_used`',
  forecast: '`budget_used` plus hours or fees after the cutoff',
};

const EARNED_WORDS: Readonly<Record<EarnedPart, string>> = {
  source: "where the row's budgets at completion come from",
  technique: 'the parameter `technique`',
  progress_part:
    "over the whole life of the row's projects or phases, by the technique: actual hours up to the cutoff, or the scheduled amount of completed lines; billable hours but for cost",
  progress_whole: 'the same plus scheduled hours after the cutoff, or the scheduled amount of all lines',
  percent:
    '`progress_part` / `progress_whole` x 100; of several projects or phases together `earned_value` / `budget_at_completion` x 100',
  budget: "the row's budgets in the unit of `earned_in`, each once, and all that is scheduled where there is none",
  planned: 'scheduled to date over the whole life, with billable expense fees to date in fees',
  value: '`progress_part` / `progress_whole` x `budget_at_completion` of each project or phase, rounded once',
  actual: 'logged up to the cutoff over the whole life, with billable expense fees to date in fees',
  schedule_variance: '`earned_value` less `planned_value`',
  cost_variance: '`earned_value` less `actual_to_date`',
  eac_plan: '`actual_to_date` plus `estimate_to_complete`',
  eac_budget: '`actual_to_date` plus `budget_at_completion` less `earned_value`',
  eac_cpi: '`budget_at_completion` x `actual_to_date` / `earned_value`, rounded once',
  later: 'scheduled after the cutoff over the whole life, with billable expense fees after it in fees',
  variance_at_completion: '`budget_at_completion` less `eac_plan`',
};

const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  volume:
    'actual less scheduled hours to date of each project, role and person x the average rate of all lines scheduled to date',
  project_mix: 'these hours x the average rate of the project less that of all lines',
  role_mix: 'these hours x the average rate of the role on the project less that of the project',
  people: 'these hours x the rate of the person in the role less that of the role on the project',
  unpriced: 'hours without a rate, actual less scheduled to date, x the rate of the person in the role, with a minus',
  billability:
    'billable hours x the scheduled fee of a billable hour, less all hours with a fee x the rate of the person in the role; actual less scheduled to date',
  rate: 'the rest of the difference between scheduled to date and actual',
};

/** Describes the derivation of a measure: measures in backticks, sets of lines in asterisks. */
export function describeDerivation({ kind, of }: Measure): string {
  switch (kind) {
    case 'sum':
      return describeSum(of);
    case 'points': {
      const [minuend, subtrahend] = parsePoints(of);
      return `\`${minuend}\` less \`${subtrahend}\``;
    }
    case 'percent':
      return `${describeRatio(of)} x 100`;
    case 'ratio':
      return describeRatio(of);
    case 'index':
      return of.replaceAll(/[a-z_]+/g, '`$&`').replaceAll('` - `', '` less `');
    case 'person_days':
      return PERSON_DAYS_WORDS[of];
    case 'earned':
      return EARNED_WORDS[of];
    case 'effect':
      return describeEffect(of);
    case 'people':
      return PEOPLE_WORDS[of];
    case 'budget':
      return BUDGET_WORDS[of];
  }
}

function describeRatio(ratio: string): string {
  const [part, whole] = parseRatio(ratio);
  return `\`${part}\` / \`${whole}\``;
}

function describeEffect(name: BridgeEffect): string {
  const [bridge, effect] = partsOfEffect(name);
  const ofCost = bridge === 'profit' && effect !== 'billability' ? `, less \`cost_${effect}_effect\`` : '';
  return bridge === 'profit' ? `\`fees_${effect}_effect\`${ofCost}` : EFFECT_WORDS[effect];
}

/** Describes a term of a sum, such as "hours of *scheduled to date* lines". */
export function describeTerm({ lines, amount }: { readonly lines: string; readonly amount: string }): string {
  return `${AMOUNT_WORDS[amount] ?? amount} of *${spaced(lines)}* lines`;
}

/** Describes a sum, such as "hours of actual, less hours of scheduled to date". */
function describeSum(sum: string): string {
  return parseSum(sum)
    .map(({ sign, lines, amount }, index) => {
      const term = describeTerm({ lines, amount });
      if (index === 0) return sign < 0 ? `less ${term}` : term;
      return `${sign < 0 ? 'less' : 'plus'} ${term}`;
    })
    .join(', ');
}

/** Returns whether rows of a measure add up: yes, no, over people, over projects, over people and projects. */
export function describeAddition({ kind, of }: Measure): string {
  switch (kind) {
    case 'sum':
    case 'effect':
      return 'yes';
    case 'people':
      return 'over people';
    case 'person_days':
      return of === 'plan_error' ? 'over people and weeks' : 'over people';
    case 'budget':
      return 'over projects';
    case 'earned':
      return ['source', 'technique', 'percent', 'eac_cpi'].includes(of) ? 'no' : 'over projects';
    default:
      return 'no';
  }
}

/** Returns a name in words. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}
