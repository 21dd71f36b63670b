import type { Catalogue, Dimension, Report } from '../catalogue/catalogue.ts';
import { isEarned, isEarnedText, TEXTS_BESIDE } from '../catalogue/earned.ts';
import { describeLineSet } from '../catalogue/line-set.ts';
import { parsePoints, parseRatio, termsOf } from '../catalogue/measure-formula.ts';
import { type Measure, partOf } from '../catalogue/measure-kinds.ts';
import { describeDerivation } from '../catalogue/measure-words.ts';
import type { Column } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { isOfPeople } from '../source/summary-plan.ts';
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
        total: totalOf(selection, measure, name.slice(shown.length), grouping),
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
function hasOwnLives({ dimensions, interval }: Pick<Query['grouping'], 'dimensions' | 'interval'>): boolean {
  const isOfProjects = ({ line = '', overlaps }: Dimension) =>
    !overlaps && /^project\.|^ledger\.(project|phase)_id$/.test(line);
  return interval === undefined && dimensions.every(isOfProjects);
}

/** Returns the formula of a measure in the row of a project or phase. */
function inRowOf({ kind, of }: Measure): Pick<Derivation, 'inRow'> {
  const inRow = kind === 'index' ? indexFormula(of) : kind === 'earned' ? earnedInRow(of) : undefined;
  return inRow ? { inRow } : {};
}

/** @param suffix The end of the names of the columns of one period. */
function totalOf(
  { catalogue: { measures }, filters }: Query['selection'],
  { kind, of }: Measure,
  suffix: string,
  { dimensions, interval }: Query['grouping'],
): Total {
  const ratioOf = (text: string): Ratio => {
    const [part, whole] = parseRatio(text);
    return { part: `${part}${suffix}`, whole: `${whole}${suffix}` };
  };
  const overlaps = dimensions.some((dimension) => dimension.overlaps);
  switch (kind) {
    case 'percent':
    case 'ratio':
      return ratioOf(of);
    case 'points': {
      const [minuend, subtrahend] = parsePoints(of).map((name) => {
        const operand = measures.get(name);
        return ratioOf((operand && partOf(operand, 'percent')) ?? '');
      });
      return minuend && subtrahend ? { minuend, subtrahend } : 'given';
    }
    case 'index':
      return indexFormula(of);
    case 'earned':
      return (
        earnedTotal(of) ??
        (hasOwnLives({ dimensions, interval }) && of !== 'source' && of !== 'technique' ? 'own' : 'given')
      );
    case 'sum':
      return overlaps ? 'given' : 'sum';
    case 'effect':
      return overlaps ? 'given' : 'own';
    case 'people': {
      // Each period has its own people: behind a filter of lines, fewer than the window.
      const hasPeriods = interval !== undefined || dimensions.some(({ period }) => period);
      return isOfPeople(dimensions) && !(hasPeriods && filters.length > 0) ? 'own' : 'given';
    }
    case 'person_days':
      // Weeks are shared by rows of periods.
      return !overlaps && of !== 'plan_error' && isOfPeople(dimensions) ? 'own' : 'given';
    case 'budget':
      return 'given';
  }
}

function sourceOf({ lines }: Catalogue, measure: Measure): string {
  switch (measure.kind) {
    case 'sum': {
      const terms = termsOf(measure).map(
        (term) => `${columnOf(term.amount)} where ${describeLineSet(lines.get(term.lines))}`,
      );
      return `marts.lines: ${[...new Set(terms)].join('; ')}`;
    }
    case 'earned':
      return 'marts.budgets, marts.lines: hours, cost, fee';
    case 'effect':
    case 'person_days':
      return 'marts.lines: hours, cost, fee';
    case 'people':
      return 'core.work_hours, core.time_off_days, marts.lines: hours';
    case 'budget':
      return 'marts.budgets, marts.lines: hours, fee';
    default:
      return 'The two columns of the formula';
  }
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
