import { type Catalogue, type Dimension, type Measure, parsePercent, parseSum, type Report } from './catalogue.ts';
import { describeDerivation } from './dictionary.ts';
import type { Column } from './table.ts';

/**
 * The derivation of a total.
 * sum: the rows added up. own: the same, but not comparable with another table's total.
 * part and whole: the ratio of two totals. given: only the report can compute it, since rows overlap.
 */
export type Total = 'sum' | 'own' | 'given' | { readonly part: string; readonly whole: string };

export interface Derivation {
  readonly formula: string;
  readonly source: string;
  readonly total: Total;
}

/**
 * Returns a function that finds the derivation of a report's column.
 * @param dimensions The dimensions of the rows.
 */
export function derivationFinder(
  catalogue: Catalogue,
  report: Report,
  dimensions: readonly Dimension[],
): (column: Column) => Derivation {
  const isOfPeople = dimensions.every(({ person, period }) => person || period);
  const hasOverlap = dimensions.some(({ overlaps }) => overlaps);
  return ({ name }) => {
    const measure = report.lines && catalogue.measures.get(name);
    if (measure) {
      return {
        formula: plainWords(catalogue, describeDerivation(measure)),
        source: sourceOf(catalogue, measure),
        total: totalOf(measure, isOfPeople, hasOverlap),
      };
    }
    if (report.relation)
      return { formula: 'As it stands in the source.', source: `${report.relation}.${name}`, total: 'given' };
    return {
      formula: "Looked up by the row's key.",
      source: attributeSource(report, dimensions, name),
      total: 'given',
    };
  };
}

function totalOf({ sum, percent, people }: Measure, isOfPeople: boolean, hasOverlap: boolean): Total {
  if (percent) {
    const [part, whole] = parsePercent(percent);
    return { part, whole };
  }
  if (hasOverlap) return 'given';
  if (sum) return 'sum';
  return people && isOfPeople ? 'own' : 'given';
}

function sourceOf({ lines }: Catalogue, { sum, people, budget }: Measure): string {
  if (sum) {
    const terms = parseSum(sum).map((term) => `${columnOf(term.amount)} where ${inWords(lines.get(term.lines) ?? '')}`);
    return `marts.ledger: ${[...new Set(terms)].join('; ')}`;
  }
  if (people) return 'core.work_hours, core.time_off_days, marts.ledger: hours';
  return budget ? 'marts.budgets, marts.ledger: hours, fee' : 'The two columns of the formula';
}

/** Translates the condition of a set of lines into words. */
function inWords(condition: string): string {
  return condition
    .replace('NOT is_to_date', 'date after the cutoff')
    .replace('is_to_date', 'date up to the cutoff')
    .replace('is_asked', 'status asked for')
    .replace('NOT is_billable', 'not billable')
    .replace('is_billable', 'billable')
    .replace('is_tentative', "status = 'tentative'")
    .replaceAll(' AND ', ', ');
}

function columnOf(amount: string): string {
  return amount.startsWith('hours') ? 'hours' : amount;
}

function attributeSource({ columns }: Report, dimensions: readonly Dimension[], name: string): string {
  const [owner, attribute] = columns?.[name]?.split('.') ?? [];
  const dimension = dimensions.find((each) => (owner ? each.name === owner : name in each.attributes));
  if (!dimension) return name.startsWith('budget') ? 'marts.budgets' : 'marts.ledger.date';
  const [relation, key] = dimension.relation
    ? [dimension.relation, attribute ?? name]
    : ['marts.ledger', lineKey(dimension)];
  return `${relation}.${key}`;
}

function lineKey({ line, key, period }: Dimension): string {
  return period ? 'date' : (line?.split('.')[1] ?? key);
}

/** Removes the Markdown and replaces the names of measures by their labels. */
function plainWords({ measures }: Catalogue, text: string): string {
  const words = text.replaceAll(/`(\w+)`/g, (_, name: string) => measures.get(name)?.label ?? name).replaceAll('*', '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
