import { type Catalogue, type Measure, parsePercent, parseSum } from './catalogue.ts';

/** The measures of people, over the columns that capacity gives a row: capacity, time_off, overtime, and covered (scheduled within capacity). */
const PEOPLE: Readonly<Record<NonNullable<Measure['people']>, string>> = {
  capacity: 'COALESCE(capacity, 0)',
  time_off: 'COALESCE(time_off, 0)',
  overtime: 'COALESCE(overtime, 0)',
  unscheduled: 'COALESCE(capacity, 0) - COALESCE(covered, 0)',
};

/** One sum over some lines of a row: `<lines>.<amount>` of the catalogue. */
interface Term {
  readonly lines: string;
  readonly amount: string;
}

/** The SQL of a set of measures: first the sums over the cells, then the measures over those sums. */
export interface MeasureSql {
  /** Columns of the aggregate over `cells`. */
  readonly sums: readonly string[];
  /** Columns over the aggregate (and over capacity and budget columns of the same row), each able to use those before it. */
  readonly measures: readonly string[];
}

/**
 * Compiles measures. A sum over no lines is 0, over lines without any amount null; a percentage is null when any sum in it is.
 * Percentages need the measures that they are of, which therefore come first, shown or not.
 */
export function compileMeasures(catalogue: Catalogue, measures: readonly Measure[]): MeasureSql {
  const needed = withParts(catalogue, measures);
  const terms = new Map<string, Term>();
  for (const measure of needed) for (const term of termsOf(measure)) terms.set(nameOf(term), term);
  return {
    sums: [...terms.values()].flatMap((term) => compileTerm(catalogue, term)),
    measures: needed.map((measure) => `${compileMeasure(catalogue, measure)} AS ${measure.name}`),
  };
}

/** The measures asked for and those that they are made of, in an order in which each comes after its parts. */
export function withParts(catalogue: Catalogue, measures: readonly Measure[]): Measure[] {
  const found = new Set<Measure>();
  for (const measure of measures) {
    for (const name of measure.percent ? parsePercent(measure.percent) : []) {
      const part = catalogue.measures.get(name);
      if (part) found.add(part);
    }
    found.add(measure);
  }
  return [...found];
}

function termsOf(measure: Measure): Term[] {
  return parseSum(measure.sum ?? '');
}

function nameOf({ lines, amount }: Term): string {
  return `${lines}__${amount}`;
}

function compileTerm(catalogue: Catalogue, term: Term): string[] {
  const condition = catalogue.lines.get(term.lines);
  const sum = `SUM(CASE WHEN ${condition} THEN ${term.amount} END)`;
  if (term.amount.startsWith('hours')) return [`COALESCE(${sum}, 0) AS ${nameOf(term)}`];
  return [`${sum} AS ${nameOf(term)}`, `COUNT(CASE WHEN ${condition} THEN 1 END) AS ${nameOf(term)}__lines`];
}

function compileMeasure(catalogue: Catalogue, measure: Measure): string {
  if (measure.sum) return compileSum(measure);
  if (measure.percent) return compilePercent(catalogue, measure.percent);
  return measure.people ? PEOPLE[measure.people] : `budget__${measure.budget}`;
}

function compileSum(measure: Measure): string {
  const terms = parseSum(measure.sum ?? '');
  const sum = terms
    .map((term, index) => `${term.sign < 0 ? ' - ' : index > 0 ? ' + ' : ''}COALESCE(${nameOf(term)}, 0)`)
    .join('');
  if (terms.every(({ amount }) => amount.startsWith('hours'))) return sum;
  const names = terms.map(nameOf);
  const lineCount = names.map((name) => `COALESCE(${name}__lines, 0)`).join(' + ');
  return `CASE WHEN COALESCE(${names.join(', ')}) IS NOT NULL OR ${lineCount} = 0 THEN ${sum} END`;
}

function compilePercent(catalogue: Catalogue, percent: string): string {
  const [part, whole] = parsePercent(percent);
  const priced = [part, whole]
    .flatMap((name) => termsOf(catalogue.measures.get(name) ?? ({} as Measure)))
    .filter(({ amount }) => !amount.startsWith('hours'))
    .map(nameOf);
  const ratio = `percent(${part}, ${whole})`;
  if (priced.length === 0) return ratio;
  const unknown = [...new Set(priced)].map((name) => `${name} IS NULL AND ${name}__lines > 0`).join(' OR ');
  return `CASE WHEN ${unknown} THEN NULL ELSE ${ratio} END`;
}
