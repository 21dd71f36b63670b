import { kindsOf } from '../../relation/line-kinds.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { parsePoints, parseRatio } from '../catalogue/measure-formula.ts';
import { termsOf } from '../catalogue/measure-meaning.ts';
import { fromMoneyUnits, hourUnits, quotient } from '../source/exact-units.ts';
import { type CellFormula, type Kind, type Ratio, roundedCells } from './kind.ts';
import { isHours, isUnknown } from './lines.ts';

const percentOf = (part: string, whole: string) => `pl_percent(${part}, ${whole})`;

const ratioOf = (part: string, whole: string) =>
  fromMoneyUnits(quotient(`(10000 * ${hourUnits(part)})`, hourUnits(whole)));

/**
 * Compiles a percentage or another ratio: null when a labour amount in it is unknown for one of its sets of lines. A forecast whose plan has no
 * known cost has one, of what was done, but a margin on it would count the plan as free.
 * @param divide Returns SQL of the rounded quotient.
 */
function compileRatio(catalogue: Catalogue, text: string, divide: typeof percentOf): string {
  const [part, whole] = parseRatio(text);
  const terms = [part, whole].flatMap((name) => catalogue.measures.get(name) ?? []).flatMap(termsOf);
  const labour = [...kindsOf('plan'), ...kindsOf('work')];
  const ofLabour = terms.filter(
    (term) => !isHours(term) && labour.includes(catalogue.lines.get(term.lines)?.kind ?? ''),
  );
  const ratio = divide(part, whole);
  if (ofLabour.length === 0) return ratio;
  const unknown = new Set(ofLabour.map((term) => isUnknown([term])));
  return `CASE WHEN ${[...unknown].join(' OR ')} THEN NULL ELSE ${ratio} END`;
}

/** Compiles a difference of percentages: null when one of them is, rounded once from the amounts of both. */
function compilePoints({ measures }: Catalogue, points: string): string {
  const names = parsePoints(points);
  const amounts = names.flatMap((name) => parseRatio(measures.get(name)?.of ?? ''));
  const unknown = names.map((name) => `${name} IS NULL`).join(' OR ');
  return `CASE WHEN ${unknown} THEN NULL ELSE pl_points(${amounts.join(', ')}) END`;
}

/** Returns the columns that a ratio divides. @param suffix The end of the names of the columns of one period. */
function columnsOf(ratio: string, suffix: string): Ratio {
  const [part, whole] = parseRatio(ratio);
  return { part: `${part}${suffix}`, whole: `${whole}${suffix}` };
}

function describeRatio(ratio: string): string {
  const [part, whole] = parseRatio(ratio);
  return `\`${part}\` / \`${whole}\``;
}

function indexFormula(index: string): CellFormula {
  const [part = '', whole = ''] = index
    .replaceAll(/[a-z_]+/g, '[$&]')
    .replaceAll(' - ', '-')
    .split(' / ');
  return roundedCells(part, whole, '4');
}

const QUOTIENT = {
  addsUp: () => 'no',
  source: () => 'The two columns of the formula',
} as const;

/** A ratio of two measures, rounded to 4 decimals. */
export const RATIO_KIND: Kind<string> = {
  ...QUOTIENT,
  step: 1,
  amount: (ratio, catalogue) => compileRatio(catalogue, ratio, ratioOf),
  words: describeRatio,
  total: (ratio, _, suffix) => columnsOf(ratio, suffix),
};

/** A ratio x 100. */
export const PERCENT_KIND: Kind<string> = {
  ...RATIO_KIND,
  amount: (ratio, catalogue) => compileRatio(catalogue, ratio, percentOf),
  words: (ratio) => `${describeRatio(ratio)} x 100`,
};

/** A quotient of measures, or of differences of two, rounded half away from zero to 4 decimals. */
export const INDEX_KIND: Kind<string> = {
  ...QUOTIENT,
  step: 2,
  amount: (index) => {
    const [part = '', whole = ''] = index.split(' / ');
    return ratioOf(part, whole);
  },
  words: (index) => index.replaceAll(/[a-z_]+/g, '`$&`').replaceAll('` - `', '` less `'),
  total: indexFormula,
  inRow: indexFormula,
};

export const POINTS_KIND: Kind<string> = {
  ...QUOTIENT,
  step: 3,
  amount: (points, catalogue) => compilePoints(catalogue, points),
  words: (points) => {
    const [minuend, subtrahend] = parsePoints(points);
    return `\`${minuend}\` less \`${subtrahend}\``;
  },
  total: (points, { selection }, suffix) => {
    const [minuend, subtrahend] = parsePoints(points).map((name) =>
      columnsOf(selection.catalogue.measures.get(name)?.of ?? '', suffix),
    );
    return minuend && subtrahend ? { minuend, subtrahend } : 'given';
  },
};
