import { type Catalogue, type Measure, parsePercent, parseSum } from './catalogue.ts';

/** The columns that capacity gives a row; covered is what is scheduled within capacity. */
export const CAPACITY_COLUMNS = ['capacity', 'time_off', 'overtime', 'covered', 'future_overtime'] as const;

/** The columns that budgets give a row. */
export const BUDGET_COLUMNS = [
  'budget_unit',
  'budget__total',
  'budget__used',
  'budget__remaining',
  'budget__forecast',
] as const;

/** The measures of people, over the columns that capacity gives a row. */
const PEOPLE: Readonly<Record<NonNullable<Measure['people']>, string>> = {
  capacity: 'COALESCE(capacity, 0)',
  time_off: 'COALESCE(time_off, 0)',
  overtime: 'COALESCE(overtime, 0)',
  future_overtime: 'COALESCE(future_overtime, 0)',
  unscheduled: 'COALESCE(capacity, 0) - COALESCE(covered, 0)',
};

/** A column of SQL. */
export interface SqlColumn {
  readonly name: string;
  readonly expression: string;
}

/** The SQL of a set of measures, in the four steps in which they are computed. */
export interface MeasureSql {
  /** Whether a cell is among some lines of the catalogue. */
  readonly flags: readonly SqlColumn[];
  /** Aggregates over the cells of a row, and their flags. */
  readonly sums: readonly SqlColumn[];
  /** The measures but percentages, over the sums, capacity and budget columns of a row. */
  readonly amounts: readonly SqlColumn[];
  /** The percentages, over those. */
  readonly percents: readonly SqlColumn[];
}

/** One sum over some lines of a row: `<lines>.<amount>` of the catalogue. */
interface Term {
  readonly lines: string;
  readonly amount: string;
}

/** Compiles measures, and those that they are percentages of (R5). A sum over no lines is 0, over lines without any amount null. */
export function compileMeasures(catalogue: Catalogue, measures: readonly Measure[]): MeasureSql {
  const needed = withParts(catalogue, measures);
  const terms = new Map(needed.flatMap((measure) => parseSum(measure.sum ?? '').map((term) => [nameOf(term), term])));
  const flags = new Set([...terms.values()].map(({ lines }) => lines));
  const sums = [...terms.values()].flatMap(compileTerm);
  return {
    flags: [...flags].map((lines) => ({ name: `in_${lines}`, expression: catalogue.lines.get(lines) ?? 'FALSE' })),
    sums: [...new Map(sums.map((sum) => [sum.name, sum])).values()],
    amounts: needed
      .filter(({ percent }) => !percent)
      .map((measure) => ({ name: measure.name, expression: compileAmount(measure) })),
    percents: needed.flatMap(({ name, percent }) =>
      percent ? [{ name, expression: compilePercent(catalogue, percent) }] : [],
    ),
  };
}

/** The measures and those that they are percentages of. */
export function withParts(catalogue: Catalogue, measures: readonly Measure[]): Measure[] {
  const parts = measures.flatMap(({ percent }) => (percent ? parsePercent(percent) : []));
  return [...new Set([...measures, ...parts.flatMap((name) => catalogue.measures.get(name) ?? [])])];
}

function nameOf({ lines, amount }: Term): string {
  return `${lines}__${amount}`;
}

function hasLines({ lines }: Term): string {
  return `has_${lines}`;
}

function compileTerm(term: Term): SqlColumn[] {
  const flag = `in_${term.lines}`;
  const sum = { name: nameOf(term), expression: `SUM(CASE WHEN ${flag} THEN ${term.amount} END)` };
  return term.amount.startsWith('hours') ? [sum] : [sum, { name: hasLines(term), expression: `BOOL_OR(${flag})` }];
}

function compileAmount(measure: Measure): string {
  if (measure.people) return PEOPLE[measure.people];
  return measure.budget ? `budget__${measure.budget}` : compileSum(measure.sum ?? '');
}

function compileSum(sum: string): string {
  const terms = parseSum(sum);
  const signed = terms.map((term, index) => {
    const operator = term.sign < 0 ? ' - ' : index > 0 ? ' + ' : '';
    return `${operator}COALESCE(${nameOf(term)}, 0)`;
  });
  if (terms.every(({ amount }) => amount.startsWith('hours'))) return signed.join('');
  return `CASE WHEN ${isUnknown(terms)} THEN NULL ELSE ${signed.join('')} END`;
}

/**
 * A percentage is null when any part of it is: what labour costs, or what it is billed at, of the lines that it counts. The parts of one
 * amount and one sign are one: a forecast is known if what is actual or what is to come is.
 */
function compilePercent(catalogue: Catalogue, percent: string): string {
  const [part, whole] = parsePercent(percent);
  const parts = new Map<string, Term[]>();
  for (const measure of [part, whole].flatMap((name) => catalogue.measures.get(name) ?? [])) {
    for (const { sign, lines, amount } of parseSum(measure.sum ?? '')) {
      if (amount.startsWith('hours') || lines === 'expense') continue;
      const key = `${measure.name} ${sign} ${amount}`;
      parts.set(key, [...(parts.get(key) ?? []), { lines, amount }]);
    }
  }
  const ratio = `pl_percent(${part}, ${whole})`;
  if (parts.size === 0) return ratio;
  const unknown = new Set([...parts.values()].map(isUnknown));
  return `CASE WHEN ${[...unknown].join(' OR ')} THEN NULL ELSE ${ratio} END`;
}

/** Whether there are lines, and none of them has the amount. */
function isUnknown(terms: readonly Term[]): string {
  return `COALESCE(${terms.map(nameOf).join(', ')}) IS NULL AND (${terms.map(hasLines).join(' OR ')})`;
}
