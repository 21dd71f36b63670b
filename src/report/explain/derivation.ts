import type { Catalogue, Dimension, Measure, Report } from '../catalogue/catalogue.ts';
import { isEarned, isEarnedText, TEXTS_BESIDE } from '../catalogue/earned.ts';
import { describeLineSet } from '../catalogue/line-set.ts';
import { parsePoints, parseRatio, parseSum } from '../catalogue/measure-formula.ts';
import { describeDerivation } from '../catalogue/measure-words.ts';
import type { Column } from '../catalogue/table.ts';
import { isOfPeople } from '../plan/plan-summary.ts';
import type { Query } from '../request/query.ts';
import { type CellFormula, earnedInRow, earnedTotal, indexFormula } from './earned-formulas.ts';

/**
 * The derivation of a total.
 * sum: the rows added up. own: the same, but not comparable with another table's total.
 * A ratio of two totals, the difference of two such ratios, or another formula over totals. given: only the report can compute it, since rows overlap.
 */
export type Total = 'sum' | 'own' | 'given' | Ratio | RatioDifference | CellFormula;

/** The names of the columns that a percentage or another ratio divides. */
export interface Ratio {
  readonly part: string;
  readonly whole: string;
}

/** A difference of percentages, which is rounded once: of their exact ratios. */
export interface RatioDifference {
  readonly minuend: Ratio;
  readonly subtrahend: Ratio;
}

export interface Derivation {
  readonly formula: string;
  readonly source: string;
  readonly total: Total;
  /** The formula of a cell in the row of a project or phase; absent from columns that aren't made of others. */
  readonly inRow?: CellFormula;
  /** The names of the texts without which the number isn't shown; absent where there are none. */
  readonly beside?: readonly string[];
}

/** Returns a function that finds the derivation of a column of a query's report. */
export function derivationFinder({ selection, grouping }: Query): (column: Column) => Derivation {
  const { catalogue, report } = selection;
  const { dimensions } = grouping;
  return ({ name, measure: shown = name }) => {
    const measure = report.lines && !report.compares && catalogue.measures.get(shown);
    if (measure) {
      return {
        formula: formatDerivation(catalogue, measure),
        source: sourceOf(catalogue, measure),
        total: totalOf(catalogue, measure, name.slice(shown.length), grouping),
        ...inRowOf(measure),
        ...(isEarned(measure) && !isEarnedText(measure) && { beside: TEXTS_BESIDE }),
      };
    }
    if (report.compares && report.list?.[name])
      return { formula: 'Both states compared, line by line.', source: 'marts.lines of both states', total: 'given' };
    if (report.relation)
      return { formula: 'As it stands in the source.', source: `${report.relation}.${name}`, total: 'given' };
    return {
      formula: "Looked up by the row's key.",
      source: attributeSource(report, dimensions, name),
      total: 'given',
    };
  };
}

/** Tests whether every project or phase is in one row of a query. */
function hasOwnLives({ dimensions, interval }: Query['grouping']): boolean {
  const isOfProjects = ({ line = '', overlaps }: Dimension) =>
    !overlaps && /^project\.|^ledger\.(project|phase)_id$/.test(line);
  return interval === undefined && dimensions.every(isOfProjects);
}

/** Returns the formula of a measure in the row of a project or phase. */
function inRowOf({ earned, index }: Measure): Pick<Derivation, 'inRow'> {
  const inRow = index ? indexFormula(index) : earned && earnedInRow(earned);
  return inRow ? { inRow } : {};
}

/** @param suffix The end of the names of the columns of one period. */
function totalOf(
  { measures }: Catalogue,
  { sum, percent, points, ratio = percent, index, people, person_days, effect, earned }: Measure,
  suffix: string,
  grouping: Query['grouping'],
): Total {
  const ratioOf = (text: string): Ratio => {
    const [part, whole] = parseRatio(text);
    return { part: `${part}${suffix}`, whole: `${whole}${suffix}` };
  };
  if (ratio) return ratioOf(ratio);
  if (points) {
    const [minuend, subtrahend] = parsePoints(points).map((name) => ratioOf(measures.get(name)?.percent ?? ''));
    if (minuend && subtrahend) return { minuend, subtrahend };
  }
  if (index) return indexFormula(index);
  const made = earned && earnedTotal(earned);
  if (made) return made;
  const { dimensions } = grouping;
  if (dimensions.some(({ overlaps }) => overlaps)) return 'given';
  if (sum) return 'sum';
  if (effect) return 'own';
  if (earned) return hasOwnLives(grouping) && earned !== 'source' && earned !== 'technique' ? 'own' : 'given';
  // Weeks are shared by rows of periods.
  return (people || (person_days && person_days !== 'plan_error')) && isOfPeople(dimensions) ? 'own' : 'given';
}

function sourceOf({ lines }: Catalogue, { sum, people, person_days, budget, effect, earned }: Measure): string {
  if (sum) {
    const terms = parseSum(sum).map(
      (term) => `${columnOf(term.amount)} where ${describeLineSet(lines.get(term.lines))}`,
    );
    return `marts.lines: ${[...new Set(terms)].join('; ')}`;
  }
  if (earned) return 'marts.budgets, marts.lines: hours, cost, fee';
  if (effect) return 'marts.lines: hours, cost, fee';
  if (person_days) return 'marts.lines: hours, cost, fee';
  if (people) return 'core.work_hours, core.time_off_days, marts.lines: hours';
  return budget ? 'marts.budgets, marts.lines: hours, fee' : 'The two columns of the formula';
}

function columnOf(amount: string): string {
  return amount.startsWith('hours') ? 'hours' : amount;
}

function attributeSource({ columns }: Report, dimensions: readonly Dimension[], name: string): string {
  const [owner, attribute] = columns?.[name]?.split('.') ?? [];
  const dimension = dimensions.find((each) => (owner ? each.name === owner : name in each.attributes));
  if (!dimension) return name.startsWith('budget') ? 'marts.budgets' : 'marts.lines.date';
  const [relation, key] = dimension.relation
    ? [dimension.relation, attribute ?? name]
    : ['marts.lines', lineKey(dimension)];
  return `${relation}.${key}`;
}

function lineKey({ line, key, period }: Dimension): string {
  return period ? 'date' : (line?.split('.')[1] ?? key);
}

/** Returns a text with quotes for Markdown, and the labels of measures for their names. */
export function plainWords({ measures }: Catalogue, text: string): string {
  const words = text
    .replaceAll(/`(\w+)`/g, (_, name: string) => measures.get(name)?.label ?? name)
    .replaceAll('*', '"');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Returns the derivation of a measure as a sentence. */
export function formatDerivation(catalogue: Catalogue, measure: Measure): string {
  return `${plainWords(catalogue, describeDerivation(measure))}.`;
}
