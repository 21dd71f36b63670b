import { columnOfOrder, type Dimension } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { periodEnd } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import { lineFacts } from '../kinds/lines.ts';
import { crewPart, memberParts, rowKeysPart } from '../source/members.ts';
import { orderOf } from '../source/name-order.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, groupBy, list } from '../source/sql-columns.ts';
import { type Facts, hasCrew, keyNames, rowLines, type SummaryPlan, type SumScope } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import { linkColumns } from './links.ts';
import { compileMeasures } from './measure-sql.ts';

/** The text of a summary's plan: a statement that returns the rows and the totals, marked by is_total. */
export interface SummaryStatement {
  readonly sql: string;
  /** The columns of the report. */
  readonly columns: readonly Column[];
  /** The columns after those, which find the lines of a row. */
  readonly links: readonly SqlColumn[];
  readonly countSql: string;
}

/**
 * Compiles a report that sums: one pass over the ledger into `cells`, everything else from those.
 * Totals come from the cells, not from the rows, so the two are independent and can be compared.
 * @param added The columns between is_total and those of the report.
 */
export function compileSummary(plan: SummaryPlan, added: readonly SqlColumn[] = []): SummaryStatement {
  const { parts, columns, links, order, keyParts } = compileMeasured(plan, [
    ...lineParts(plan),
    ...[...plan.facts].flatMap((facts) => facts.shared?.(plan) ?? []),
  ]);
  const sql = `WITH ${parts.join(',\n')}
SELECT ${list(['is_total'], added.map(aliased), [quoted([...columns, ...links])])}
FROM measures
ORDER BY ${order}`;
  return { sql, columns, links, countSql: `WITH ${keyParts.join(',\n')} SELECT COUNT(*) AS count FROM row_keys` };
}

/** The clauses WITH that make the relation `measures`: the rows and the totals, marked by is_total. */
interface Measured extends Pick<SummaryStatement, 'columns' | 'links'> {
  readonly parts: readonly string[];
  /** Those of the clauses that make the keys of the rows, `row_keys`. */
  readonly keyParts: readonly string[];
  /** The terms of the clause ORDER BY. */
  readonly order: string;
}

/**
 * @param cellParts The clauses of the lines and of their sums by row key.
 * @param beside Further columns of the rows.
 */
export function compileMeasured(
  plan: SummaryPlan,
  cellParts: readonly string[],
  beside: readonly SqlColumn[] = [],
): Measured {
  const { query } = plan;
  const { flags, sums, amounts, ratios } = compileMeasures(query.selection, query.grouping.measures);
  const asked = { name: 'is_asked', expression: plan.querySql.hasStatus('status') };
  const cellFlags = plan.properties.has(asked.name) ? [asked, ...flags] : flags;
  const columns = [...namingColumns(plan), ...query.grouping.measures.map(measureColumn)];
  const keyParts = [...cellParts, ...memberParts(plan), ...(hasCrew(plan) ? [crewPart(plan)] : []), rowKeysPart(plan)];
  const facts = [lineFacts(cellFlags, sums), ...plan.facts];
  return {
    parts: [
      ...keyParts,
      ...facts.flatMap((each) => sumParts(plan, each)),
      partsPart(plan, facts, beside),
      `amounts AS (SELECT *, ${list(amounts.map(aliased)) || '0 AS nothing'} FROM parts)`,
      `measures AS (SELECT *, ${list(ratios.map(aliased)) || '0 AS no_ratio'} FROM amounts)`,
    ],
    keyParts,
    columns,
    links: linkColumns(plan),
    order: ['is_total', ...sortColumns(plan, columns)].join(', '),
  };
}

export function quoted(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

/** Adds up facts by the keys of the rows, and all of them for the totals, each scope by itself. */
function sumParts(plan: SummaryPlan, facts: Facts): string[] {
  const scopes: readonly SumScope[] = [
    { name: 'row', keys: keyNames(plan), lines: rowLines(plan) },
    { name: 'total', keys: [], lines: 'lines' },
  ];
  const sums = facts.sums(plan).map(aliased);
  return [
    ...(facts.parts?.(plan) ?? []),
    ...scopes.flatMap((scope) => {
      const { parts = [], from, keys = scope.keys } = facts.of(plan, scope);
      // A count makes one row of totals from any number of facts, as sums do.
      const columns = list(keys, sums) || 'COUNT(*) AS nothing';
      const grouping = keys.length > 0 ? `\n  ${groupBy(keys)}` : '';
      return [...parts, `${scope.name}_${facts.name} AS (\n  SELECT ${columns}\n  FROM ${from}${grouping}\n)`];
    }),
  ];
}

/** Returns the measures' inputs: one row for each row of the report, and one for the totals. */
function partsPart(plan: SummaryPlan, facts: readonly Facts[], beside: readonly SqlColumn[]): string {
  const rows = [...attributesShown(plan), ...periodColumns(plan), ...linkColumns(plan), ...beside];
  const values = facts.flatMap((each) => each.sums(plan).map(({ name }) => name));
  const joins = [...facts.map(({ name }) => joinByKeys(`row_${name}`, plan)), ...attributeJoins(plan)];
  // Computed once: otherwise rows and totals have a pipeline of all measures each.
  return `parts AS MATERIALIZED (
  SELECT ${list(['FALSE AS is_total'], rows.map(aliased), values)}
  FROM row_keys ${joins.join('\n    ')}
  UNION ALL
  SELECT ${list(
    ['TRUE AS is_total'],
    rows.map(({ name }) => `NULL AS "${name}"`),
    values,
  )}
  FROM ${facts.map(({ name }) => `total_${name}`).join(' CROSS JOIN ')}
)`;
}

/** Returns the joins of the relations that name a row, by the keys of `row_keys`. */
export function attributeJoins({ query, source }: SummaryPlan): string[] {
  return query.grouping.dimensions
    .filter(({ relation }) => relation)
    .map(
      ({ name, relation = '', key }) =>
        `LEFT JOIN ${source.defined(relation)} AS of_${name} ON of_${name}.${key} = row_keys.key_${name}`,
    );
}

function periodColumns({ query, querySql }: SummaryPlan): SqlColumn[] {
  if (!query.grouping.interval) return [];
  const start = 'row_keys.key_interval';
  return [
    { name: 'period_start', expression: `GREATEST(${start}, ${querySql.start})` },
    { name: 'period_end', expression: `LEAST(${periodEnd(query.grouping.interval, start)}, ${querySql.end})` },
  ];
}

function joinByKeys(relation: string, plan: SummaryPlan): string {
  const names = keyNames(plan);
  if (names.length === 0) return `CROSS JOIN ${relation}`;
  return `LEFT JOIN ${relation} ON ${names.map((name) => `${relation}.${name} IS NOT DISTINCT FROM row_keys.${name}`).join(' AND ')}`;
}

/** Returns the columns that name a row, each with the SQL that looks it up by the row's keys. */
export function attributesShown({
  query,
}: Pick<SummaryPlan, 'query'>): (SqlColumn & { dimension: Dimension; attribute: string })[] {
  const targets = query.selection.report.columns
    ? Object.entries(query.selection.report.columns)
    : query.grouping.dimensions.flatMap(({ name, shown }) =>
        shown.map((attribute) => [attribute, `${name}.${attribute}`] as const),
      );
  return targets.flatMap(([column, target]) => {
    const [name, attribute = ''] = target.split('.');
    const dimension = query.grouping.dimensions.find((entry) => entry.name === name);
    if (!dimension) return [];
    const key = `row_keys.key_${dimension.name}`;
    const value = attribute === dimension.key || !dimension.relation ? key : `of_${dimension.name}.${attribute}`;
    const missing = dimension.missing?.[attribute];
    const expression = missing ? `CASE WHEN ${key} IS NULL THEN '${missing}' ELSE ${value} END` : value;
    return [{ name: column, expression, dimension, attribute }];
  });
}

export function namingColumns(plan: Pick<SummaryPlan, 'query' | 'facts'>): Column[] {
  const attributes = attributesShown(plan).flatMap(({ name, dimension, attribute }) => {
    const entry = dimension.attributes[attribute];
    return entry ? [plainColumn(name, entry.label, entry.unit, entry.description)] : [];
  });
  const period = plan.query.grouping.interval
    ? [
        plainColumn('period_start', 'Period start', 'date', 'The first day of the period that is in the window.'),
        plainColumn('period_end', 'Period end', 'date', 'The last day of the period that is in the window.'),
      ]
    : [];
  const added = [...plan.facts].flatMap(({ columns = [] }) => columns);
  return [...attributes, ...period, ...added];
}

function plainColumn(name: string, label: string, unit: Column['unit'], description: string): Column {
  return { name, label, unit, description, needsRates: false, better: undefined };
}

export function measureColumn(measure: Measure): Column {
  const { name, label, unit, description, better, unjudged } = measure;
  return { name, label, unit, description, needsRates: measure.needs_rates ?? false, better, unjudged };
}

function sortColumns(plan: SummaryPlan, columns: readonly Column[]): string[] {
  const defaults = plan.query.selection.report.sort ?? attributesShown(plan).map(({ name }) => name);
  const period = plan.query.grouping.interval ? ['period_start'] : [];
  const asked = (plan.query.presentation.sort ?? []).map(
    ({ column, isDescending }) => `${isDescending ? '-' : ''}${column}`,
  );
  return [...asked, ...defaults, ...period].flatMap((order) => {
    const column = columns.find(({ name }) => name === columnOfOrder(order));
    return column ? orderOf(column, order.startsWith('-')) : [];
  });
}
