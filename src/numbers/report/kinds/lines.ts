import { needsBaseline } from '../catalogue/baseline.ts';
import type { Amount, Catalogue } from '../catalogue/catalogue.ts';
import { conditionOf, describeLineSet } from '../catalogue/line-set.ts';
import { parseSum, type SignedTerm, spaced } from '../catalogue/measure-formula.ts';
import type { Selection } from '../request/query.ts';
import { feeParts, readsAgreedFees, readsPlannedFees } from '../source/agreed-fees.ts';
import { kindColumn } from '../source/compared-lines.ts';
import { otherAmounts } from '../source/fee-lines.ts';
import { filterConditions } from '../source/filter.ts';
import { LINE_AMOUNTS, WITHOUT_AGREED_FEE } from '../source/line-amounts.ts';
import { namedLinesBeside } from '../source/named-revenue.ts';
import { isInWindow, kindConditions } from '../source/query-sql.ts';
import { LINES_MART } from '../source/relations.ts';
import { aliased, list, type SqlColumn } from '../source/sql-columns.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { type Kind, overlaps, type TermSql, UNKNOWN } from './kind.ts';

/** Returns the facts of sums of lines: cells, each with the sets of lines that it is in (`flags`). */
export function lineFacts(flags: readonly SqlColumn[], sums: readonly SqlColumn[]): Facts {
  return {
    name: 'sums',
    of: ({ hasOverlap }, { name }) => {
      const cells = hasOverlap && name === 'total' ? 'total_cells' : 'cells';
      return { from: `(SELECT ${list(['*'], flags.map(aliased))} FROM ${cells}) AS cells` };
    },
    sums: () => sums,
  };
}

/** One sum over a set of lines: `<lines>.<amount>` in the catalogue. */
export interface Term {
  readonly lines: string;
  readonly amount: string;
}

/** Returns the membership of a line, or of a cell, in a set of lines. */
export function flagOf({ lines }: Catalogue, name: string): SqlColumn {
  const set = lines.get(name);
  return { name: `in_${name}`, expression: set ? conditionOf(set) : 'FALSE' };
}

export function amountOf({ lines, amount }: Term): string {
  return `${lines}__${amount}`;
}

/** Returns the column that is true if a term has lines. */
export function hasLines({ lines }: Term): string {
  return `has_${lines}`;
}

export function isHours({ amount }: Term): boolean {
  return amount.startsWith('hours');
}

/** Returns the aggregates of a term over the cells of a row. */
export function compileTerm(term: Term): SqlColumn[] {
  const flag = `in_${term.lines}`;
  const sum = { name: amountOf(term), expression: `SUM(CASE WHEN ${flag} THEN ${term.amount} END)` };
  return isHours(term) ? [sum] : [sum, { name: hasLines(term), expression: `BOOL_OR(${flag})` }];
}

/** Returns the SQL of a sum measure over the columns of its terms: of all lines of a row, or of one line. */
export function compileSum(terms: readonly SignedTerm[]): string {
  const signed = terms.map((term, index) => {
    const operator = term.sign < 0 ? ' - ' : index > 0 ? ' + ' : '';
    return `${operator}COALESCE(${amountOf(term)}, 0)`;
  });
  if (terms.every(isHours)) return signed.join('');
  return `CASE WHEN ${isUnknown(terms)} THEN NULL ELSE ${signed.join('')} END`;
}

/** Tests that there are lines and none of them has the amount (R5). */
export function isUnknown(terms: readonly Term[]): string {
  return `COALESCE(${terms.map(amountOf).join(', ')}) IS NULL AND (${terms.map(hasLines).join(' OR ')})`;
}

/** Returns the clauses of the lines of a query with their names, and the properties that sets of lines have (`listed`). */
export function listedParts(plan: SummaryPlan): string[] {
  const { source, querySql } = plan;
  const isAsked = querySql.hasStatus('listed.status');
  const fees = source.contracts === 'none' || !readsAgreedFees(plan) ? undefined : joinFees(plan);
  const columns = fees?.columns ?? (readsAgreedFees(plan) ? otherAmounts(plan) : []);
  return [
    ...(fees ? feeParts(plan, 'by line') : []),
    `listed AS (
  SELECT listed.*, ${isAsked} AS is_asked, listed.billable AS is_billable,
    listed.date <= ${querySql.cutoff} AS is_to_date, listed.date > ${querySql.today} AS is_future${columns.map((column) => `, ${aliased(column)}`).join('')}
  FROM ${namedLinesBeside(plan, fees !== undefined)} AS listed${fees ? ` ${fees.join}` : ''}
  WHERE ${listedConditions(plan)}
)`,
  ];
}

/** Returns the condition, over rows called `listed`, that they are lines of a query. */
export function listedConditions({ query, querySql }: SummaryPlan): string {
  return [
    isInWindow(querySql, 'listed.date'),
    ...kindConditions(query.selection.report, 'listed'),
    ...filterConditions(query.selection, 'listed'),
  ].join('\n    AND ');
}

/** Returns the clauses of the lines of a sum (`whole`), with the terms of each: an amount, null outside the term's set of lines. */
export function lineRows(plan: SummaryPlan, sum: string): string[] {
  const { query, source } = plan;
  const terms = parseSum(sum);
  const sets = [...new Set(terms.map(({ lines }) => lines))];
  const amounts = terms.map((term): SqlColumn => {
    const { expression } = LINE_AMOUNTS[term.amount as Amount];
    return { name: amountOf(term), expression: `CASE WHEN in_${term.lines} THEN ${expression} END` };
  });
  const isBehind = terms.map((term) => (isHours(term) ? `${amountOf(term)} IS NOT NULL` : hasLines(term)));
  return [
    ...listedParts(plan),
    `sets AS (SELECT *, ${list(sets.map((set) => aliased(flagOf(query.selection.catalogue, set))))} FROM listed)`,
    `terms AS (SELECT *, ${list(
      sets.map((set) => `in_${set} AS has_${set}`),
      amounts.map(aliased),
    )} FROM sets)`,
    `whole AS (SELECT ${source.baseline ? `* REPLACE (${kindColumn(source)})` : '*'}, ${compileSum(terms)} AS contribution FROM terms WHERE ${isBehind.join(' OR ')})`,
  ];
}

/** Returns the columns that an agreed fee adds to listed lines, and the joins that find them. */
function joinFees(plan: SummaryPlan): { readonly columns: readonly SqlColumn[]; readonly join: string } {
  const earned = `SELECT line_id, earned_fee, fee_beyond FROM agreed_fees
    UNION ALL SELECT line_id, earned_fee, 0 AS fee_beyond FROM revenue_lines`;
  const found = [joinAmounts('fees', earned, ['earned_fee', 'fee_beyond'])];
  if (readsPlannedFees(plan))
    found.push(joinAmounts('planned', 'SELECT line_id, planned_fee FROM planned_fees', ['planned_fee']));
  return { columns: found.flatMap(({ columns }) => columns), join: found.map(({ join }) => join).join(' ') };
}

/** Returns amounts of listed lines that a statement has by their ids, those of lines without an agreed fee where it has none, and its join. */
function joinAmounts(alias: string, select: string, names: readonly Amount[]) {
  const columns = names.map(
    (name): SqlColumn => ({
      name,
      expression: `CASE WHEN ${alias}.line_id IS NULL THEN ${WITHOUT_AGREED_FEE[name]} ELSE ${alias}.${name} END`,
    }),
  );
  return { columns, join: `LEFT JOIN (${select}) AS ${alias} ON ${alias}.line_id = listed.line_id` };
}

const AMOUNT_WORDS: Readonly<Record<string, string>> = {
  hours: 'hours',
  cost: 'cost',
  fee: 'fee',
  hours_without_cost_rate: 'hours without a cost rate',
  hours_without_bill_rate: 'billable hours without a bill rate',
  earned_fee: 'earned revenue',
  planned_fee: 'revenue of the plan',
  fee_beyond: 'fees beyond contracts',
  amount: 'amount',
};

/** Describes a term of a sum, such as "hours of *scheduled to date* lines". */
function describeTerm({ lines, amount }: Term): string {
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

function termsOfLines(sum: string, { catalogue }: Selection): TermSql[] {
  return parseSum(sum).map((term) => ({
    sign: term.sign < 0 ? '-' : '+',
    label: describeTerm(term),
    condition: isHours(term) ? `${amountOf(term)} IS NOT NULL` : hasLines(term),
    expression: amountOf(term),
    isMoney: !isHours(term),
    ...measureOf(catalogue, term),
  }));
}

/** Returns the measure that a term is or, of a sum of one amount of several kinds of lines, the part that it is. */
function measureOf(catalogue: Catalogue, { lines, amount }: Term): Pick<TermSql, 'measure' | 'part'> {
  const sums = [...catalogue.measures.values()].flatMap(({ kind, of, name }) =>
    kind === 'sum' ? [{ name, terms: parseSum(String(of)) }] : [],
  );
  const has = (terms: readonly Term[]) => terms.some((term) => term.lines === lines && term.amount === amount);
  const alone = sums.find(({ terms }) => terms.length === 1 && has(terms));
  if (alone) return { measure: alone.name };
  const kindOf = (set: string) => catalogue.lines.get(set)?.kind;
  const key = kindOf(lines) ?? null;
  const wider = sums.find(({ terms }) => {
    const isOfOneAmount = terms.every((term) => term.sign > 0 && term.amount === amount);
    return isOfOneAmount && has(terms) && terms.filter((term) => kindOf(term.lines) === key).length === 1;
  });
  return wider ? { measure: wider.name, part: { by: 'kind', key } } : {};
}

function isOfBills(sum: string): boolean {
  return parseSum(sum).some(({ amount }) => amount === 'amount');
}

export const LINE_KIND: Kind<string> = {
  wholes: (sum) => {
    if (isOfBills(sum)) return ['projects'];
    return parseSum(sum).some(({ amount }) => amount in WITHOUT_AGREED_FEE) ? ['contracts'] : [];
  },
  needsBills: isOfBills,
  amounts: (sum) => parseSum(sum).map(({ amount }) => amount as Amount),
  amount: (sum, catalogue) => {
    const terms = parseSum(sum);
    return needsBaseline(catalogue, terms) ? UNKNOWN : compileSum(terms);
  },
  rows: {
    parts: lineRows,
    columns: 'of_sums',
    isOfDays: true,
    terms: (sum, _, selection) => termsOfLines(sum, selection),
  },
  words: describeSum,
  addsUp: () => 'yes',
  source: (sum, { lines }) => {
    const terms = parseSum(sum).map(
      ({ amount, lines: set }) =>
        `${amount.startsWith('hours') ? 'hours' : amount} where ${describeLineSet(lines.get(set))}`,
    );
    return `${LINES_MART}: ${[...new Set(terms)].join('; ')}`;
  },
  total: (_, query) => (overlaps(query) ? 'given' : 'sum'),
};
