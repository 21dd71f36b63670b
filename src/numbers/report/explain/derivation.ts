import type { Catalogue, Dimension, Report } from '../catalogue/catalogue.ts';
import { TEXTS_BESIDE } from '../catalogue/earned-choice.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isEarnedNumber } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import type { CellFormula, Total } from '../kinds/kind.ts';
import { describeDerivation, formulaInRow, sourceOf, totalOf } from '../kinds/kinds.ts';
import type { Query } from '../request/query.ts';
import { LINES_MART, relationName } from '../source/relations.ts';

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
      const inRow = formulaInRow(measure);
      return {
        formula: formatDerivation(catalogue, measure),
        source: sourceOf(measure, catalogue),
        total: totalOf(measure, { selection, grouping }, name.slice(shown.length)),
        ...(inRow && { inRow }),
        ...(isEarnedNumber(measure) && { beside: TEXTS_BESIDE }),
      };
    }
    if (report.compares && report.list?.[name])
      return { formula: 'Both states compared, line by line.', source: `${LINES_MART} of both states`, total: 'given' };
    if (report.relation)
      return { formula: 'As it stands in the source.', source: `${report.relation}.${name}`, total: 'given' };
    return {
      formula: "Looked up by the row's key.",
      source: attributeSource(report, dimensions, name),
      total: 'given',
    };
  };
}

function attributeSource({ columns }: Report, dimensions: readonly Dimension[], name: string): string {
  const [owner, attribute] = columns?.[name]?.split('.') ?? [];
  const dimension = dimensions.find((each) => (owner ? each.name === owner : name in each.attributes));
  if (!dimension) return name.startsWith('budget') ? relationName('budgets') : `${LINES_MART}.date`;
  const [relation, key] = dimension.relation
    ? [dimension.relation, attribute ?? name]
    : [LINES_MART, lineKey(dimension)];
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

export function formatDerivation(catalogue: Catalogue, measure: Measure): string {
  return `${plainWords(catalogue, describeDerivation(measure))}.`;
}
