import type { Dimension } from './catalogue.ts';
import { buildCondition } from './filter.ts';
import { dateLiteral, periodStart } from './period.ts';
import { groupBy, keyNames, list, type Plan } from './plan.ts';

/**
 * The lines of the window that the filters let through, with the keys of their rows (`lines`; `row_lines` where a line may stand in several
 * rows), and their sums by key and by what distinguishes the measures (`cells`; `total_cells` without keys where rows overlap).
 */
export function lineParts(plan: Plan): string[] {
  const { query, calendar } = plan;
  const statuses = query.statuses.map((status) => `'${status}'`).join(', ');
  const kinds = query.report.lines?.map((kind) => `'${kind}'`).join(', ');
  const keys = plan.keys
    .filter(({ dimension }) => !dimension?.overlaps)
    .map(({ name, dimension, period }) => {
      const expression = period ? periodStart(period, 'ledger.date', calendar) : lineColumn(dimension);
      return `${expression} AS ${name}`;
    });
  const joins = [
    ...(keys.some((key) => key.startsWith('project.'))
      ? ['LEFT JOIN marts.projects AS project ON project.project_id = ledger.project_id']
      : []),
    ...(keys.some((key) => key.startsWith('person.'))
      ? ['LEFT JOIN marts.people AS person ON person.people_id = ledger.people_id']
      : []),
  ];
  const conditions = [
    `ledger.date BETWEEN ${dateLiteral(query.startDate)} AND ${dateLiteral(query.endDate)}`,
    `ledger.status <> 'canceled'`,
    `ledger.kind IN (${kinds})`,
    ...query.filters.map((filter) => buildCondition(filter, query.report, 'ledger')),
  ];
  const lines = `lines AS (
  SELECT ${list(keys, ['ledger.date', 'ledger.people_id', 'ledger.project_id', 'ledger.phase_id', 'ledger.task_meta_id', 'ledger.kind'])},
    ledger.status IN (${statuses}) AS is_asked, ledger.status = 'tentative' AS is_tentative, ledger.billable AS is_billable,
    ledger.date <= ${dateLiteral(query.cutoffDate)} AS is_to_date, ledger.hours, ledger.cost, ledger.fee
  FROM core.ledger AS ledger ${joins.join(' ')}
  WHERE ${conditions.join('\n    AND ')}
)`;
  if (!plan.hasOverlap) return [lines, cells('cells', 'lines', keyNames(plan))];
  const rowLines = `row_lines AS (
  SELECT lines.*, project_tags.tag AS key_tag
  FROM lines LEFT JOIN marts.project_tags ON project_tags.project_id = lines.project_id
)`;
  return [lines, rowLines, cells('cells', 'row_lines', keyNames(plan)), cells('total_cells', 'lines', [])];
}

function cells(name: string, lines: string, keys: readonly string[]): string {
  return `${name} AS (
  SELECT ${list(keys, ['kind', 'is_asked', 'is_tentative', 'is_billable', 'is_to_date'])},
    SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee,
    SUM(CASE WHEN cost IS NULL THEN hours END) AS hours_without_cost_rate,
    SUM(CASE WHEN fee IS NULL THEN hours END) AS hours_without_bill_rate
  FROM ${lines} ${groupBy([...keys, 'kind', 'is_asked', 'is_tentative', 'is_billable', 'is_to_date'])}
)`;
}

function lineColumn(dimension: Dimension | undefined): string {
  return dimension?.line ?? 'NULL';
}
