import type { Meta } from '../../../report/catalogue/table.ts';
import { namePlan } from '../../describe-meta.ts';
import { sumFormula } from '../package/formula.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { type SummaryBridge, stepsBetween } from './bridge-steps.ts';

/** The steps in words, beside the amounts. */
const NOTES: Readonly<Record<string, string>> = {
  'Scheduled to date': 'The plan up to the cutoff.',
  Volume: "More or fewer hours than scheduled, at the plan's average.",
  'Project mix': 'Hours on other projects.',
  'Role mix': 'Hours in other roles of their project.',
  People: 'Hours of other people in the role.',
  'Unpriced work': 'Hours without a rate, taken out at what the plan says they are worth.',
  Billability: 'Hours billed in another share than planned.',
  Rate: 'The same person there at other rates: raises, other days.',
};

/** The further note of a plan of profit. */
const EXPENSES = ' Expenses are the same in the plan and in what was done.';

const [FIRST_LABEL, LAST_LABEL] = ['Scheduled to date', 'Actual'];

/** Returns the bridge from the plan to date to the actual amount. */
export function effectBridge(
  { sheet, columns, totals, parts, sums, headers }: WrittenTable,
  meta: Meta,
): SummaryBridge {
  const places = columns.flatMap(({ unit }, place) => (unit === 'money' ? [place] : []));
  const isKnown = places.every((place) => (totals?.[place] ?? null) !== null);
  const tables = parts.map(({ table }) => table);
  const amounts = places.map((place, i) => {
    const last = i === places.length - 1 ? LAST_LABEL : labelOf(columns[place]?.label ?? '');
    const label = i === 0 ? FIRST_LABEL : last;
    const formula = sumFormula(tables, headers[place] ?? '');
    const further = columns[place]?.name === 'scheduled_to_date_profit' ? EXPENSES : '';
    const shown = i === 0 ? namePlan(label, meta) : label;
    return { label: shown, note: (NOTES[label] ?? '') + further, amount: sums[place] ?? 0n, formula };
  });
  const better = columns.find(({ name }) => name.endsWith('_effect'))?.better;
  return {
    heading: sheet,
    title: `${sheet.replace(/ bridge$/, '')}, ${meta.currency}: from ${namePlan('the plan', meta)} to date to actual`,
    unit: 'money',
    better,
    steps: isKnown ? stepsBetween(amounts) : [],
  };
}

/** Returns the name of an effect, which stands before its amount: "Project mix" of "Project mix, effect on profit". */
function labelOf(effect: string): string {
  return effect.split(',')[0] ?? effect;
}
