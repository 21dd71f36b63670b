import { FIRST_DATE, LAST_DATE } from '../../../base/calendar/index.ts';
import { dateLiteral, periodEnd, periodStart } from '../catalogue/period.ts';
import { type BookedAmounts, keptClosings, selectRestated } from '../source/booked-lines.ts';
import { columnOfFilter, filterConditions, isNotGiven } from '../source/filter.ts';
import { repeatedKeys } from '../source/lookups.ts';
import { querySqlOf } from '../source/query-sql.ts';
import { groupBy, list } from '../source/sql-columns.ts';
import {
  keyNames,
  keysOnce,
  periodKeys,
  type RowKey,
  type SummaryPlan,
  type SumScope,
} from '../source/summary-plan.ts';
import { lineKeys, windowParts } from '../source/window-lines.ts';

/*
 * Balances of bills (M2): each is a sum over all days up to the last day of a row, or the cutoff if that is earlier. So rows read the sums of all
 * days before by their other keys (`billing_facts`), and add up those of their own days.
 */

/** The amounts of core.billing_days. */
export const BILLED_AMOUNTS = ['unbilled', 'undecided', 'decided', 'covered', 'difference', 'changed'] as const;

const MONEY = 'CAST(0 AS DECIMAL(38, 4))';

/** Tests whether a plan has bills; without any all balances are blank (M6). */
export function hasBills({ query }: Pick<SummaryPlan, 'query'>): boolean {
  return query.selection.bills !== 'none';
}

/** Tests whether a plan has bills that name the work that they cover (M3). */
export function hasCovers({ query }: Pick<SummaryPlan, 'query'>): boolean {
  return hasBills({ query }) && query.selection.bills !== 'lines';
}

/** The columns of a line that bills have, too. */
const PLACES = ['project_id', 'phase_id', 'task_meta_id'];

/** Returns SQL that blanks a sum of what bills cover, unless all keys and filters of a plan are of projects, phases and project tasks: bills have no person. */
export function ofPlaces(plan: Pick<SummaryPlan, 'keys' | 'query'>, sum: string): string {
  const isKnown = plan.keys.every(
    ({ dimension, period }) => period !== undefined || !isOfPerson(dimension?.line ?? ''),
  );
  return isKnown ? unlessFiltered(plan, PLACES, sum) : UNKNOWN_SUM;
}

function isOfPerson(line: string): boolean {
  return line.startsWith('person.') || ['ledger.people_id', 'ledger.role_id', 'ledger.billable'].includes(line);
}

/** Returns SQL that blanks a sum over contracts, unless all keys and filters of a plan are of whole projects, so that a row may have whole contracts. */
export function ofContracts(plan: Pick<SummaryPlan, 'keys' | 'query'>, sum: string): string {
  const isWhole = plan.keys.every(({ dimension, period }) => {
    const line = dimension?.line ?? '';
    return period !== undefined || line === 'ledger.project_id' || line.startsWith('project');
  });
  return isWhole ? unlessFiltered(plan, ['project_id'], sum) : UNKNOWN_SUM;
}

const UNKNOWN_SUM = 'CAST(NULL AS DECIMAL(38, 4))';

/** Returns SQL that blanks a sum if lines are filtered by other columns. */
function unlessFiltered(
  { query: { selection } }: Pick<SummaryPlan, 'query'>,
  columns: readonly string[],
  sum: string,
): string {
  const others = selection.filters.filter((filter) => !columns.includes(columnOfFilter(filter, selection.report)));
  return others.length === 0 ? sum : `CASE WHEN ${others.map(isNotGiven).join(' AND ')} THEN ${sum} END`;
}

/**
 * Returns the sums of all days up to the end of a plan's window by its keys but periods, contract, project, and day: once (`billing_once`), and for each row that
 * they belong to (`billing_facts`); and the keys of rows with an open balance (`billing_keys`).
 * @param position SQL of what a line adds to the position of its contract.
 * @param closed SQL of the same in parts, where it is known what closings have kept of it.
 */
export function billingParts(plan: SummaryPlan, position: string, closed: BookedAmounts | undefined): string[] {
  const { source } = plan;
  const repeats = repeatedKeys(plan);
  const repeated = repeats.map(({ relation, column, name }) => `${relation}.${column} AS ${name}`);
  const joins = repeats.map(
    ({ relation, key }) =>
      `LEFT JOIN ${source.relation(relation)} AS ${relation} ON ${relation}.${key} = billing_once.${key}`,
  );
  return [
    `billing_once AS (
  ${[selectPositions(plan, position), selectDays(plan), ...(closed ? [selectRestatedDays(plan, closed)] : [])].join(
    '\n  UNION ALL BY NAME\n  ',
  )}
)`,
    `billing_facts AS (SELECT ${list(['billing_once.*'], repeated)} FROM billing_once ${joins.join(' ')})`,
    `billing_keys AS (${selectOpenKeys(plan, closed !== undefined)})`,
  ];
}

/** The keys of a plan but periods. */
function otherKeys({ keys }: Pick<SummaryPlan, 'keys'>): RowKey[] {
  return keys.filter(({ period }) => !period);
}

const CONTRACT = 'COALESCE(contract_of.contract, CAST(ledger.project_id AS VARCHAR)) AS contract';

function joinContracts({ source }: SummaryPlan): string {
  return `LEFT JOIN ${source.alone.relation('named_projects')} AS contract_of ON contract_of.project_id = ledger.project_id`;
}

/** Selects the position of each day, or month where all periods begin with one. */
function selectPositions(plan: SummaryPlan, position: string): string {
  const { query, source, querySql, hasFixedDays } = plan;
  const { selection } = query;
  const isOfMonths =
    hasFixedDays &&
    selection.startDate.endsWith('-01') &&
    periodKeys(plan).every(({ period }) => period === 'month' || period === 'quarter' || period === 'year');
  const day: RowKey = { name: 'billing_day', dimension: undefined, period: isOfMonths ? 'month' : 'day' };
  const [endDate = selection.endDate] = [selection.endDate, selection.cutoffDate].toSorted();
  const own = { ...selection, baseline: undefined, startDate: FIRST_DATE, endDate };
  const all: SummaryPlan = {
    ...plan,
    query: { ...query, selection: own },
    source: source.alone,
    querySql: hasFixedDays
      ? querySqlOf(own)
      : { ...querySql, start: dateLiteral(FIRST_DATE), end: `LEAST(${querySql.end}, ${querySql.cutoff})` },
    keys: [...otherKeys(plan), day],
    amounts: plan.amounts.filter((amount) => amount === 'earned_fee' || amount === 'amount'),
    hasOverlap: false,
    facts: new Set(),
    properties: new Set(['status', 'is_to_date']),
  };
  const keys = keysOnce({ ...plan, keys: otherKeys(plan) });
  return `(WITH ${windowParts(all).join(',\n')}
  SELECT ${list(keys, [CONTRACT, 'ledger.project_id', 'billing_day AS date', 'CAST(NULL AS DATE) AS item_date', `SUM(${position}) AS position`])},
    ${BILLED_AMOUNTS.map((name) => `${MONEY} AS ${name}`).join(', ')}
  FROM lines AS ledger ${joinContracts(plan)}
  GROUP BY ALL)`;
}

/** Selects what is done, and not billed, of each day; of a contract that several projects share, each of them is there. */
function selectDays(plan: SummaryPlan): string {
  const { query, source, querySql } = plan;
  const { keys, joins } = lineKeys({ ...plan, keys: otherKeys(plan) });
  const days = `(SELECT *, CAST(NULL AS BIGINT) AS people_id, CAST(NULL AS BIGINT) AS role_id, TRUE AS billable FROM ${source.alone.relation('billing_days')})`;
  const conditions = [
    `ledger.date <= LEAST(${querySql.end}, ${querySql.cutoff})`,
    ...filterConditions(query.selection, 'ledger'),
  ];
  return `(SELECT ${list(
    keys.map(({ name, expression }) => `${expression} AS ${name}`),
    [CONTRACT, 'ledger.project_id', 'ledger.date', 'ledger.item_date', `${MONEY} AS position`],
    BILLED_AMOUNTS.map((name) => `SUM(ledger.${name}) AS ${name}`),
  )}
  FROM ${days} AS ledger ${joins.join(' ')} ${joinContracts(plan)}
  WHERE ${conditions.join(' AND ')}
  GROUP BY ALL)`;
}

/** Selects what has become of positions since closings have kept them, on the last day of each closing. */
function selectRestatedDays(plan: SummaryPlan, closed: BookedAmounts): string {
  const { keys, joins } = lineKeys({ ...plan, keys: otherKeys(plan) });
  const conditions = filterConditions(plan.query.selection, 'ledger');
  return `(SELECT ${list(
    keys.map(({ name, expression }) => `${expression} AS ${name}`),
    [CONTRACT, 'ledger.project_id', 'ledger.date', 'ledger.restated'],
  )}
  FROM ${selectRestated(plan, closed)} AS ledger ${joins.join(' ')} ${joinContracts(plan)}
  ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`})`;
}

/**
 * Selects the keys of rows that have a balance, though no line: each of the periods at whose end it isn't 0, or before which a closed one has changed.
 * @param isKept True if billing_facts has what has become of balances since closings have kept them.
 */
function selectOpenKeys(plan: SummaryPlan, isKept: boolean): string {
  const keys = list(keyNames({ ...plan, keys: otherKeys(plan) }));
  const periods = periodKeys(plan);
  const first = `GREATEST(${[...periods.map(({ name }) => name), plan.querySql.start].join(', ')})`;
  const restated = `SUM(CASE WHEN date < ${periods.length === 0 ? plan.querySql.start : first} THEN restated END) <> 0`;
  const open = [
    ...['position', ...BILLED_AMOUNTS].map((name) => `SUM(${name}) <> 0`),
    ...(isKept ? [restated] : []),
  ].join(' OR ');
  if (periods.length === 0)
    return `SELECT ${keys || '1 AS whole_window'} FROM billing_facts ${keys ? `GROUP BY ${keys}` : ''} HAVING ${open}`;
  const { start, end, cutoff } = plan.querySql;
  const names = periods.map(({ name }) => name);
  const starts = periods.map(({ name, period }) => `${periodStart(period ?? 'day', 'date', plan.calendar)} AS ${name}`);
  return `WITH days AS (
    SELECT ${list(starts, ['MAX(date) AS last_day'])}
    FROM (SELECT pl_add_days(${start}, series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(${start}, LEAST(${end}, ${cutoff})))) AS series (day)) AS days
    ${groupBy(names)}
  )
  SELECT ${list(keys ? [keys] : [], names)} FROM days JOIN billing_facts ON billing_facts.date <= days.last_day
  GROUP BY ${list(keys ? [keys] : [], names)} HAVING ${open}`;
}

/** The amounts of a balance by the age of the work at the last day. */
export const AGES = { age_30: [0, 30], age_60: [31, 60], age_90: [61, 90], age_older: [91, undefined] } as const;

/**
 * Returns the balances of a scope (`billing`), one row for each of its rows and each contract in it: the sums up to its last day, and those up to the day before
 * its first (opening), with what has become of these since closings have kept them (restated): unknown for a row before the end of the first closing.
 * @param isRestated True if it is known what closings have kept.
 */
export function selectBalances(plan: SummaryPlan, { name, keys }: SumScope, isRestated: boolean): string {
  const { querySql, source } = plan;
  const isOfRows = name === 'row';
  const periods = isOfRows ? periodKeys(plan) : [];
  const row = (column: string) => `row_keys.${column}`;
  const ends = periods.map((key) => periodEnd(key.period ?? 'day', row(key.name)));
  const last = `LEAST(${[...ends, querySql.end, querySql.cutoff].join(', ')})`;
  const first = `GREATEST(${[...periods.map((key) => row(key.name)), querySql.start].join(', ')})`;
  // Closings count up to the day before the row, whatever the cutoff.
  const read = isRestated ? `GREATEST(${last}, pl_add_days(${first}, -1))` : last;
  const same = otherKeys(plan).map((key) => `facts.${key.name} IS NOT DISTINCT FROM ${row(key.name)}`);
  const from = isOfRows
    ? `row_keys LEFT JOIN ${plan.hasOverlap ? 'billing_facts' : 'billing_once'} AS facts ON ${[...same, `facts.date <= ${read}`].join(' AND ')}`
    : `billing_once AS facts`;
  const age = `pl_days_between(facts.item_date, ${last})`;
  const ages = Object.entries(AGES).map(([part, [least, most]]) => {
    const isOfAge = `${age} >= ${least}${most === undefined ? '' : ` AND ${age} <= ${most}`}`;
    return `SUM(CASE WHEN ${isOfAge} THEN facts.unbilled ELSE 0 END) AS ${part}`;
  });
  return `(
    SELECT ${list(
      isOfRows ? keys.map((key) => row(key)) : [],
      ['facts.contract', 'SUM(facts.position) AS position'],
      [`SUM(CASE WHEN facts.date < ${first} THEN facts.position ELSE 0 END) AS opening`],
      [`${isRestated ? restatedOf(plan, first) : UNKNOWN_SUM} AS restated`],
      BILLED_AMOUNTS.map((each) => `SUM(facts.${each}) AS ${each}`),
      ages,
      [`COUNT(DISTINCT facts.project_id) = COALESCE(MAX(contracts.project_count), 1) AS is_whole`],
    )}
    FROM ${from}
    LEFT JOIN ${source.alone.relation('billing_contracts')} AS contracts ON contracts.contract = facts.contract
    GROUP BY ${list(isOfRows ? keys.map((key) => row(key)) : [], ['facts.contract'])}
  ) AS balances`;
}

/** Returns the SQL of what has become of the positions before a day since closings have kept them. */
function restatedOf({ query }: SummaryPlan, first: string): string {
  const [closing] = keptClosings(query.selection);
  const isClosed = `${first} > ${dateLiteral(closing?.endDate ?? LAST_DATE)}`;
  return `CASE WHEN ${isClosed} THEN SUM(CASE WHEN facts.date < ${first} THEN COALESCE(facts.restated, 0) ELSE 0 END) END`;
}
