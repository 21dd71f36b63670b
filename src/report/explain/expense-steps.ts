import { type Evidence, fact, type LineStep, levels, step } from './line-steps.ts';

/** Describes the decisions of the rules about an expense, in their order. */
export function expenseSteps(line: Evidence, seesRates: boolean): LineStep[] {
  return [expenseDay(), expenseBillable(line), ...expenseAmounts(line, seesRates)];
}

function expenseDay(): LineStep {
  return step('day', 'Why this day has a line', 'A3', {
    text: 'An expense is a line on its date. It is actual up to the cutoff.',
  });
}

function expenseBillable(line: Evidence): LineStep {
  const asked = [
    { label: 'The project is non-billable', value: line['project_non_billable'] || null },
    { label: 'The expense itself', value: line['record_billable'] },
  ];
  return step('billable', 'Why this is billable or not', 'S2', {
    text: `The expense is ${line['billable'] ? 'billable' : 'not billable'}.`,
    levels: levels(asked, 'boolean'),
  });
}

/** A cost and its markup give the fee away, and the other way round: without the scope rates only the fee is shown. */
function expenseAmounts(line: Evidence, seesRates: boolean): LineStep[] {
  const cost = step('cost', 'Why this cost', 'A1, A3', {
    text: 'The cost of the expense, rounded once, here.',
    facts: [fact('Cost of the record', line['record_cost'], 'money'), fact('Rounded', line['cost'], 'money')],
  });
  const markup = fact('Markup', line['markup'], line['markup_type'] === 1 ? 'money' : 'percent');
  const fee = step('fee', 'Why this fee', 'A1, A3', {
    text: line['billable']
      ? 'The cost with its markup, rounded once, here.'
      : 'An expense that is not billable has a fee of 0.',
    facts: [...(seesRates && line['billable'] ? [markup] : []), fact('Fee', line['fee'], 'money')],
  });
  return seesRates ? [cost, fee] : [fee];
}
