import { type Catalogue, type Dimension, type Measure, type Period, parsePercent } from './catalogue.ts';
import { buildCondition, columnOf } from './filter.ts';
import { compileMeasures } from './measure.ts';
import type { Query } from './parameters.ts';
import { type Calendar, dateLiteral, periodEnd, periodStart } from './period.ts';
import type { Column } from './table.ts';

/** A statement that gives a report's rows and, marked by is_total, its totals. */
export interface Compiled {
  readonly sql: string;
  /** The columns after is_total. */
  readonly columns: readonly Column[];
}

/** What rows are grouped by: one per dimension, and one for the interval. */
interface Key {
  readonly name: string;
  readonly dimension: Dimension | undefined;
  readonly period: Period | undefined;
}

/** The ids that a budget of a level is found by, and the dimensions that have them. */
const BUDGET_LEVELS = [
  { level: 'task', ids: ['project_id', 'phase_id', 'task_meta_id'], dimensions: ['project', 'phase', 'task'] },
  { level: 'phase', ids: ['project_id', 'phase_id'], dimensions: ['project', 'phase'] },
  { level: 'project', ids: ['project_id'], dimensions: ['project'] },
] as const;

/** Everything that the parts of the statement are made from. */
interface Plan {
  readonly catalogue: Catalogue;
  readonly query: Query;
  readonly calendar: Calendar;
  readonly keys: readonly Key[];
  /** Every dimension is the person's or a period: a row's people are all people with its attributes, idle ones too. */
  readonly isOfPeople: boolean;
  readonly hasOverlap: boolean;
  readonly hasCapacity: boolean;
  readonly hasBudget: boolean;
}

/**
 * Compiles a report that sums: one pass over the ledger of the window by the rows' keys and by what distinguishes the measures (`cells`),
 * everything else from that small result. Totals come from the lines, not from the rows, so that the two can be held against each other.
 */
export function compileSummary(catalogue: Catalogue, query: Query, calendar: Calendar): Compiled {
  const plan = planSummary(catalogue, query, calendar);
  const columns = [...keyColumns(plan), ...query.measures.map(measureColumn)];
  const measures = compileMeasures(catalogue, query.measures);
  const parts = [
    ...lineParts(plan),
    ...(plan.hasCapacity || query.report.population ? memberParts(plan) : []),
    rowKeys(plan),
    `row_sums AS (SELECT ${list(keyNames(plan), measures.sums)} FROM cells ${groupBy(keyNames(plan))})`,
    `total_sums AS (SELECT ${list(measures.sums) || 'COUNT(*) AS cell_count'} FROM ${plan.hasOverlap ? 'total_cells' : 'cells'})`,
    ...(plan.hasCapacity ? capacityParts(plan) : []),
    ...(plan.hasBudget ? budgetParts(plan) : []),
    rowPart(plan, measures.measures),
    totalPart(plan, measures.measures),
  ];
  const shown = columns.map(({ name }) => `"${name}"`);
  const totals = columns.map(({ name }, index) => (isSummed(plan, name) ? `"${name}"` : `NULL AS "${columns[index]?.name}"`));
  const sql = `WITH ${parts.join(',\n')}
SELECT FALSE AS is_total, ${shown.join(', ')} FROM report_rows
UNION ALL
SELECT TRUE AS is_total, ${totals.join(', ')} FROM report_totals
ORDER BY ${['is_total', ...sortColumns(plan, columns)].join(', ')}`;
  return { sql, columns };
}

function planSummary(catalogue: Catalogue, query: Query, calendar: Calendar): Plan {
  const keys: Key[] = query.dimensions.map((dimension) => ({
    name: `key_${dimension.name}`,
    dimension,
    period: dimension.period,
  }));
  if (query.interval) keys.push({ name: 'key_interval', dimension: undefined, period: query.interval });
  const needed = query.measures.flatMap((measure) => [measure, ...partsOf(catalogue, measure)]);
  return {
    catalogue,
    query,
    calendar,
    keys,
    isOfPeople: keys.every(({ dimension, period }) => period || dimension?.person),
    hasOverlap: query.dimensions.some(({ overlaps }) => overlaps),
    hasCapacity: needed.some(({ people }) => people),
    hasBudget: needed.some(({ budget }) => budget),
  };
}

function partsOf(catalogue: Catalogue, measure: Measure): Measure[] {
  return (measure.percent ? parsePercent(measure.percent) : []).flatMap((name) => catalogue.measures.get(name) ?? []);
}

// The lines of the window, and their sums by key and by what distinguishes the measures.

function lineParts(plan: Plan): string[] {
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

// Rows without lines: the members of the report's population, and idle people.

function memberParts(plan: Plan): string[] {
  const { query, calendar } = plan;
  const days = `SELECT CAST(${dateLiteral(query.startDate)} + CAST(day AS INTEGER) AS DATE) AS date
    FROM UNNEST(generate_series(0, ${dateLiteral(query.endDate)} - ${dateLiteral(query.startDate)})) AS series (day)`;
  const periods = periodKeys(plan).map(
    ({ name, period }) => `${period ? periodStart(period, 'date', calendar) : 'date'} AS ${name}`,
  );
  return [
    `periods AS (SELECT DISTINCT ${list(periods) || '1 AS whole_window'} FROM (${days}) AS days)`,
    `members AS (${selectMembers(plan)})`,
  ];
}

function selectMembers(plan: Plan): string {
  const { query } = plan;
  const population = plan.isOfPeople
    ? { relation: 'marts.people', columns: ['people_id', 'role_id'], always: 'active' }
    : query.report.population;
  const keys = entityKeys(plan).map(({ name, dimension }) => `member.${(dimension?.line ?? '').split('.')[1]} AS ${name}`);
  const id = plan.isOfPeople ? ['member.people_id'] : [];
  const columns = query.filters.map((filter) => columnOf(filter, query.report));
  const isReachable = columns.every((column) => population?.columns.includes(column));
  const conditions = [
    'member.is_known',
    ...(query.includesEmpty ? [] : [population?.always ? `member.${population.always}` : 'FALSE']),
    ...(isReachable ? query.filters.map((filter) => buildCondition(filter, query.report, 'member')) : ['FALSE']),
  ];
  return `SELECT ${list(keys, id) || '1 AS member'} FROM ${population?.relation ?? 'marts.projects'} AS member WHERE ${conditions.join(' AND ')}`;
}

function rowKeys(plan: Plan): string {
  const names = keyNames(plan);
  const fromLines = `SELECT DISTINCT ${list(names) || '1 AS whole_window'} FROM cells`;
  const isPopulated = plan.query.report.population || (plan.isOfPeople && plan.hasCapacity);
  if (!isPopulated) return `row_keys AS (${fromLines})`;
  const members = plan.isOfPeople && plan.hasCapacity ? 'crew' : 'members';
  const fromMembers = `SELECT DISTINCT ${list(names) || '1 AS whole_window'} FROM ${members} CROSS JOIN periods`;
  const crew = members === 'crew' ? `${crewPart(plan)},\n` : '';
  return `${crew}row_keys AS (${fromLines} UNION ${fromMembers})`;
}

// Capacity: the people of a row, and the days of the window.

function crewPart(plan: Plan): string {
  if (!plan.isOfPeople) {
    const keys = list(keyNames(plan), ['people_id']);
    return `crew AS (
  SELECT DISTINCT ${keys} FROM ${rowLines(plan)}
  WHERE people_id IS NOT NULL AND (kind = 'scheduled' AND is_asked OR kind = 'actual' AND is_to_date)
)`;
  }
  const keys = list(entityKeys(plan).map(({ name }) => name), ['people_id']);
  return `crew AS (SELECT ${keys} FROM members UNION SELECT ${keys} FROM lines WHERE people_id IS NOT NULL)`;
}

function capacityParts(plan: Plan): string[] {
  const { query, calendar } = plan;
  const isPopulated = plan.isOfPeople;
  const [start, end] = [dateLiteral(query.startDate), dateLiteral(query.endDate)];
  const periods = periodKeys(plan);
  const periodNames = periods.map(({ name }) => name);
  const crewKeys = plan.isOfPeople ? entityKeys(plan).map(({ name }) => name) : keyNames(plan);
  const samePeriod = plan.isOfPeople ? [] : periodNames.map((name) => `crew.${name} = people_capacity.${name}`);
  const rowNames = keyNames(plan).map((name) =>
    crewKeys.includes(name) ? `crew.${name}` : `people_capacity.${name}`,
  );
  return [
    ...(isPopulated ? [] : [crewPart(plan)]),
    `work_days AS (
  SELECT people_id, add_days(GREATEST(valid_from, ${start}), series.day) AS date, sunday_hours, monday_hours, tuesday_hours,
    wednesday_hours, thursday_hours, friday_hours, saturday_hours
  FROM core.work_hours
  CROSS JOIN UNNEST(number_series(0, days_between(GREATEST(valid_from, ${start}), LEAST(add_days(valid_to, -1), ${end})))) AS series (day)
  WHERE valid_from <= ${end} AND valid_to > ${start} AND people_id IN (SELECT people_id FROM crew)
)`,
    `capacity_days AS (
  SELECT work_days.people_id, work_days.date,
    weekday_entry(weekday(work_days.date), sunday_hours, monday_hours, tuesday_hours, wednesday_hours, thursday_hours, friday_hours,
      saturday_hours) - COALESCE(time_off_days.time_off_hours, 0) AS capacity,
    COALESCE(time_off_days.time_off_hours, 0) AS time_off
  FROM work_days
  LEFT JOIN core.time_off_days ON time_off_days.people_id = work_days.people_id AND time_off_days.date = work_days.date
)`,
    `people_capacity AS (
  SELECT ${list(
    ['people_id'],
    periods.map(({ name, period }) => `${periodStart(period ?? 'day', 'date', calendar)} AS ${name}`),
    ['SUM(capacity) AS capacity', 'SUM(time_off) AS time_off'],
  )}
  FROM capacity_days ${groupBy(['people_id', ...periodNames])}
)`,
    `row_capacity AS (
  SELECT ${list(rowNames, ['SUM(capacity) AS capacity', 'SUM(time_off) AS time_off'])}
  FROM crew JOIN people_capacity ON ${['people_capacity.people_id = crew.people_id', ...samePeriod].join(' AND ')}
  ${groupBy(rowNames)}
)`,
    `total_capacity AS (
  SELECT SUM(capacity) AS capacity, SUM(time_off) AS time_off
  FROM people_capacity WHERE people_id IN (SELECT people_id FROM crew)
)`,
    overtime('row_overtime', rowLines(plan), keyNames(plan)),
    overtime('total_overtime', 'lines', []),
  ];
}

function overtime(name: string, lines: string, keys: readonly string[]): string {
  return `${name} AS (
  SELECT ${list(keys, [
    'SUM(GREATEST(scheduled.hours - COALESCE(capacity_days.capacity, 0), 0)) AS overtime',
    'SUM(LEAST(scheduled.hours, COALESCE(capacity_days.capacity, 0))) AS covered',
  ])}
  FROM (
    SELECT ${list(keys, ['people_id', 'date', 'SUM(hours) AS hours'])}
    FROM ${lines} WHERE kind = 'scheduled' AND is_asked ${groupBy([...keys, 'people_id', 'date'])}
  ) AS scheduled
  LEFT JOIN capacity_days ON capacity_days.people_id = scheduled.people_id AND capacity_days.date = scheduled.date
  ${groupBy(keys)}
)`;
}

// Budgets: the whole life of the projects, phases or tasks of a row.

function budgetParts(plan: Plan): string[] {
  const { query } = plan;
  const names = query.dimensions.map(({ name }) => name);
  const level = BUDGET_LEVELS.find((entry) => names.includes(entry.level)) ?? BUDGET_LEVELS[2];
  const ids = level.ids.join(', ');
  const isKeyed = level.dimensions.every((name) => names.includes(name));
  const keys = keyNames(plan);
  const members = isKeyed
    ? `SELECT ${list(keys, level.ids.map((id, index) => `key_${level.dimensions[index]} AS ${id}`))} FROM row_keys`
    : `SELECT DISTINCT ${list(keys, [ids])} FROM ${rowLines(plan)}`;
  const cutoff = dateLiteral(query.cutoffDate);
  const statuses = query.statuses.map((status) => `'${status}'`).join(', ');
  const used = `(kind = 'actual' OR kind = 'expense' AND billable) AND date <= ${cutoff}`;
  const after = `(kind = 'scheduled' AND status IN (${statuses}) OR kind = 'expense' AND billable) AND date > ${cutoff}`;
  const join = level.ids.map((id) => `budget_use.${id} = budgets.${id}`).join(' AND ');
  const sums = ['total', 'used', 'remaining', 'forecast'].map(
    (name) => `CASE WHEN COUNT(DISTINCT budget_unit) = 1 THEN SUM(${name}) END AS budget__${name}`,
  );
  const unit = 'CASE WHEN COUNT(DISTINCT budget_unit) = 1 THEN MIN(budget_unit) END AS budget_unit';
  const joinMembers = level.ids.map((id) => `entities.${id} = budget_members.${id}`).join(' AND ');
  return [
    `budget_members AS (${members})`,
    `budget_use AS (
  SELECT ${ids},
    SUM(CASE WHEN ${used} AND billable THEN hours END) AS used_hours,
    SUM(CASE WHEN ${after} AND billable THEN hours END) AS later_hours,
    SUM(CASE WHEN ${used} THEN fee END) AS used_fees,
    SUM(CASE WHEN ${after} THEN fee END) AS later_fees,
    COUNT(CASE WHEN ${used} THEN 1 END) AS used_lines,
    COUNT(CASE WHEN ${after} THEN 1 END) AS later_lines
  FROM core.ledger GROUP BY ${ids}
)`,
    `budget_amounts AS (
  SELECT ${level.ids.map((id) => `budgets.${id}`).join(', ')}, budgets.budget_unit, budgets.budget_total AS total,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0)
      WHEN used_fees IS NOT NULL OR COALESCE(used_lines, 0) = 0 THEN COALESCE(used_fees, 0)
    END AS used,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0) + COALESCE(later_hours, 0)
      WHEN COALESCE(used_fees, later_fees) IS NOT NULL OR COALESCE(used_lines + later_lines, 0) = 0
        THEN COALESCE(used_fees, 0) + COALESCE(later_fees, 0)
    END AS forecast
  FROM marts.budgets LEFT JOIN budget_use ON ${join}
  WHERE budgets.level = '${level.level}'
)`,
    `entities AS (SELECT *, total - used AS remaining FROM budget_amounts)`,
    `row_budget AS (
  SELECT ${list(keys, [unit], sums)} FROM budget_members JOIN entities ON ${joinMembers} ${groupBy(keys)}
)`,
    `total_budget AS (
  SELECT ${list([unit], sums)}
  FROM (SELECT DISTINCT ${ids} FROM budget_members) AS budget_members JOIN entities ON ${joinMembers}
)`,
  ];
}

// The rows with their names, and the totals.

function rowPart(plan: Plan, measures: readonly string[]): string {
  const { query, keys } = plan;
  const relations = query.dimensions.filter(({ relation }) => relation);
  const joins = [
    joinByKeys('row_sums', plan),
    ...(plan.hasCapacity ? [joinByKeys('row_capacity', plan), joinByKeys('row_overtime', plan)] : []),
    ...(plan.hasBudget ? [joinByKeys('row_budget', plan)] : []),
    ...relations.map(
      ({ name, relation, key }) => `LEFT JOIN ${relation} AS of_${name} ON of_${name}.${key} = row_keys.key_${name}`,
    ),
  ];
  const interval = keys.find(({ name }) => name === 'key_interval');
  const period = interval?.period
    ? [
        `GREATEST(key_interval, ${dateLiteral(query.startDate)}) AS period_start`,
        `LEAST(${periodEnd(interval.period, 'key_interval')}, ${dateLiteral(query.endDate)}) AS period_end`,
      ].map((column) => column.replaceAll('key_interval', 'row_keys.key_interval'))
    : [];
  return `report_rows AS (
  SELECT ${list(
    attributesShown(plan).map(({ column, expression }) => `${expression} AS "${column}"`),
    period,
    plan.hasBudget ? ['budget_unit'] : [],
    measures,
  )}
  FROM row_keys ${joins.join('\n    ')}
)`;
}

function totalPart(plan: Plan, measures: readonly string[]): string {
  const others = [
    ...(plan.hasCapacity ? ['total_capacity', 'total_overtime'] : []),
    ...(plan.hasBudget ? ['total_budget'] : []),
  ];
  return `report_totals AS (
  SELECT ${list(plan.hasBudget ? ['budget_unit'] : [], measures)}
  FROM total_sums ${others.map((name) => `CROSS JOIN ${name}`).join(' ')}
)`;
}

function joinByKeys(relation: string, plan: Plan): string {
  const names = keyNames(plan);
  if (names.length === 0) return `CROSS JOIN ${relation}`;
  return `LEFT JOIN ${relation} ON ${names.map((name) => `${relation}.${name} IS NOT DISTINCT FROM row_keys.${name}`).join(' AND ')}`;
}

/** The columns that name a row, each with the SQL that looks it up by the row's keys. */
function attributesShown({ query }: Plan): { column: string; expression: string; dimension: Dimension; attribute: string }[] {
  const targets = query.report.columns
    ? Object.entries(query.report.columns)
    : query.dimensions.flatMap(({ name, shown }) => shown.map((attribute) => [attribute, `${name}.${attribute}`] as const));
  return targets.flatMap(([column, target]) => {
    const [name, attribute = ''] = target.split('.');
    const dimension = query.dimensions.find((entry) => entry.name === name);
    if (!dimension) return [];
    const key = `row_keys.key_${dimension.name}`;
    const value = attribute === dimension.key || !dimension.relation ? key : `of_${dimension.name}.${attribute}`;
    const missing = dimension.missing?.[attribute];
    const expression = missing ? `CASE WHEN ${key} IS NULL THEN '${missing}' ELSE ${value} END` : value;
    return [{ column, expression, dimension, attribute }];
  });
}

function keyColumns(plan: Plan): Column[] {
  const attributes = attributesShown(plan).flatMap(({ column, dimension, attribute }) => {
    const entry = dimension.attributes[attribute];
    return entry ? [plainColumn(column, entry.label, entry.unit, entry.description)] : [];
  });
  const period = plan.query.interval
    ? [
        plainColumn('period_start', 'Period start', 'date', 'The first day of the period that is in the window.'),
        plainColumn('period_end', 'Period end', 'date', 'The last day of the period that is in the window.'),
      ]
    : [];
  const unit = plan.hasBudget
    ? [plainColumn('budget_unit', 'Budget unit', 'text', 'What the budget is counted in: hours, or the currency.')]
    : [];
  return [...attributes, ...period, ...unit];
}

function plainColumn(name: string, label: string, unit: Column['unit'], description: string): Column {
  return { name, label, unit, description, needsRates: false, better: undefined };
}

function measureColumn(measure: Measure): Column {
  const { name, label, unit, description, better } = measure;
  return { name, label, unit, description, needsRates: measure.needs_rates ?? false, better };
}

function isSummed(plan: Plan, column: string): boolean {
  return column === 'budget_unit' || plan.query.measures.some(({ name }) => name === column);
}

function sortColumns(plan: Plan, columns: readonly Column[]): string[] {
  const defaults = plan.query.report.sort ?? attributesShown(plan).map(({ column }) => column);
  const period = plan.query.interval ? ['period_start'] : [];
  const asked = (plan.query.sort ?? []).map(({ column, isDescending }) => `"${column}" ${isDescending ? 'DESC' : 'ASC'} NULLS LAST`);
  const rest = [...defaults, ...period].filter((name) => columns.some((column) => column.name === name));
  return [...asked, ...rest.map((name) => `"${name}" NULLS LAST`)];
}

function keyNames({ keys }: Plan): string[] {
  return keys.map(({ name }) => name);
}

function periodKeys({ keys }: Plan): Key[] {
  return keys.filter(({ period }) => period);
}

function entityKeys({ keys }: Plan): Key[] {
  return keys.filter(({ period }) => !period);
}

function rowLines({ hasOverlap }: Plan): string {
  return hasOverlap ? 'row_lines' : 'lines';
}

function list(...parts: readonly (readonly string[])[]): string {
  return parts.flat().join(', ');
}

function groupBy(columns: readonly string[]): string {
  return columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : '';
}
