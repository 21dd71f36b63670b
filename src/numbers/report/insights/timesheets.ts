import type { Value } from '../../../base/database/index.ts';
import { countsAs } from '../../relation/line-kinds.ts';
import { linkNumber } from '../plan/links.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { filterConditions } from '../source/filter.ts';
import { isInWindow, querySqlOf, statusLiteral } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import { unloggedConditions } from '../source/unlogged-days.ts';
import {
  keyColumnsOf,
  measuredFact,
  plainFact,
  type RowFact,
  spellPerson,
  type ToldRow,
  type ToldRows,
} from './row-facts.ts';

/** Unit: days. */
const DAYS_IN_WEEK = 7;

/** The days of a row's work, as YYYY-MM-DD, and the hours beyond some of them. */
interface RowDays {
  readonly last_actual_date: string | null;
  /** The first day after it that is in the window; null if that is after the last day to date. */
  readonly silent_from: string | null;
  readonly silent_to: string;
  readonly silent_days: Value;
  readonly silent_hours: Value;
  readonly people_id: Value;
  readonly person: string | null;
  readonly person_hours: Value;
  /** The missing hours up to the last day on which they are missed; the person with most of them. */
  readonly overdue_to: string | null;
  readonly overdue_hours: Value;
  readonly overdue_fees: Value;
  readonly overdue_id: Value;
  readonly overdue_person: string | null;
  readonly overdue_person_hours: Value;
  readonly project_end_date: string | null;
  /** The first day after it that is in the window. */
  readonly late_from: string | null;
  readonly late_actual_hours: Value;
  readonly late_scheduled_hours: Value;
}

/**
 * Adds the last days of logged time, the hours scheduled since, those missing, and those after the project's end.
 * Hours are those of the window; the days of logged time are of the whole life of the row.
 */
export async function addTimesheets({ database }: ReportContext, query: Query, rows: ToldRows): Promise<void> {
  if (rows.all.length === 0) return;
  const keyNames = keyColumnsOf(query);
  for (const days of await database.rows<RowDays & Record<string, Value>>(compileDays(query))) {
    const row = rows.find(keyNames.map((name) => days[name] ?? null));
    if (row) addDays(query, row, days);
  }
}

function addDays(query: Query, { keys, facts }: ToldRow, days: RowDays): void {
  const { last_actual_date: last, silent_from, silent_to, people_id } = days;
  const { startDate, endDate } = query.selection;
  const ofPeriod = (measure: string, from: string | null, to: string, more: Readonly<Record<string, Value>> = {}) => {
    return () => linkNumber(query, measure, { ...keys, ...more, period_start: from, period_end: to });
  };
  const set = (name: string, fact: RowFact) => facts.set(name, fact);
  const ofLastDay = () => linkNumber(query, 'actual_hours', { ...keys, start_date: last, end_date: last });
  set('last_actual_date', measuredFact(last, 'date', 'actual_hours', ofLastDay));
  set('silent_days', plainFact(days.silent_days, 'count'));
  const silent = ofPeriod('scheduled_to_date_hours', silent_from, silent_to);
  set('silent_hours', measuredFact(days.silent_hours, 'hours', 'scheduled_to_date_hours', silent));
  if (people_id !== null) {
    const ofPerson = ofPeriod('scheduled_to_date_hours', silent_from, silent_to, { people_id });
    const name = spellPerson(days.person, people_id);
    set('silent_hours.person', measuredFact(name, 'text', 'scheduled_to_date_hours', ofPerson));
    set('silent_hours.person.value', measuredFact(days.person_hours, 'hours', 'scheduled_to_date_hours', ofPerson));
  }
  const missing = ofPeriod('missing_hours', startDate, days.overdue_to ?? endDate);
  set('overdue_hours', measuredFact(days.overdue_hours, 'hours', 'missing_hours', missing));
  set('overdue_to', measuredFact(days.overdue_to, 'date', 'missing_hours', missing));
  const fees = ofPeriod('missing_fees', startDate, days.overdue_to ?? endDate);
  set('overdue_fees', measuredFact(days.overdue_fees, 'money', 'missing_fees', fees));
  if (days.overdue_id !== null) {
    const ofPerson = ofPeriod('missing_hours', startDate, days.overdue_to ?? endDate, { people_id: days.overdue_id });
    const name = spellPerson(days.overdue_person, days.overdue_id);
    set('overdue_hours.person', measuredFact(name, 'text', 'missing_hours', ofPerson));
    set('overdue_hours.person.value', measuredFact(days.overdue_person_hours, 'hours', 'missing_hours', ofPerson));
  }
  set('project_end_date', plainFact(days.project_end_date, 'date'));
  for (const [name, measure] of [
    ['late_actual_hours', 'actual_hours'],
    ['late_scheduled_hours', 'scheduled_hours'],
  ] as const) {
    set(name, measuredFact(days[name], 'hours', measure, ofPeriod(measure, days.late_from, endDate)));
  }
}

function compileDays(query: Query): string {
  const source = stateSource(query.selection);
  const querySql = querySqlOf(query.selection);
  const { start, end, cutoff } = querySql;
  const ids = keyColumnsOf(query);
  const keys = ids.join(', ');
  const keysOf = (relation: string) => ids.map((id) => `${relation}.${id}`).join(', ');
  const same = (left: string, right: string) => ids.map((id) => `${left}.${id} = ${right}.${id}`).join(' AND ');
  // The plan that the row's hours are of.
  const scheduled = isScheduled('compared', source);
  const filters = filterConditions(query.selection, 'ledger').map((condition) => `\n    AND ${condition}`);
  return `WITH last_actuals AS (
  SELECT ${keysOf('ledger')}, MAX(date) AS last_actual FROM ${source.alone.relation('ledger')} AS ledger
  WHERE ${countsAs('work')} AND date <= ${cutoff} AND status <> ${statusLiteral('canceled')}${filters.join('')}
  GROUP BY ${keysOf('ledger')}
),
work AS (
  SELECT ${keysOf('ledger')}, people_id, date, ${countsAs('work')} AS is_actual, hours
  FROM ${source.relation('ledger')} AS ledger
  WHERE ${isInWindow(querySql, 'date')} AND status <> ${statusLiteral('canceled')}
    AND (${countsAs('work')} AND date <= ${cutoff} OR ${scheduled} AND ${querySql.hasStatus('status')})${filters.join('')}
),
spans AS (
  SELECT ${keysOf('days')}, MAX(last_actual) AS last_actual, MIN(first_planned) AS first_planned, MAX(projects.end_date) AS project_end
  FROM (
    SELECT ${keys}, last_actual, CAST(NULL AS DATE) AS first_planned FROM last_actuals
    UNION ALL SELECT ${keys}, CAST(NULL AS DATE), MIN(CASE WHEN NOT is_actual THEN date END) FROM work GROUP BY ${keys}
  ) AS days
  LEFT JOIN ${source.relation('named_projects')} AS projects ON projects.project_id = days.project_id
  GROUP BY ${keysOf('days')}
),
dated AS (
  SELECT work.*, NOT is_actual AND date <= ${cutoff} AND date > COALESCE(last_actual, pl_add_days(first_planned, -1)) AS is_silent, date > project_end AS is_late
  FROM work JOIN spans ON ${same('spans', 'work')}
),
people_hours AS (
  SELECT ${keys}, people_id, SUM(CASE WHEN is_silent THEN hours END) AS silent_hours,
    SUM(CASE WHEN is_late AND is_actual THEN hours END) AS late_actual_hours, SUM(CASE WHEN is_late AND NOT is_actual THEN hours END) AS late_scheduled_hours
  FROM dated GROUP BY ${keys}, people_id
),
ranked AS (
  SELECT people_hours.*, people.person,
    ROW_NUMBER() OVER (PARTITION BY ${keysOf('people_hours')} ORDER BY silent_hours DESC NULLS LAST, people.person NULLS LAST, people_hours.people_id) AS rank
  FROM people_hours
  LEFT JOIN ${source.relation('named_people')} AS people ON people.people_id = people_hours.people_id
),
sums AS (
  SELECT ${keys}, SUM(silent_hours) AS silent_hours, SUM(late_actual_hours) AS late_actual_hours,
    SUM(late_scheduled_hours) AS late_scheduled_hours
  FROM ranked GROUP BY ${keys}
),
${missingParts(query).join(',\n')}
SELECT ${keysOf('spans')}, CAST(last_actual AS VARCHAR) AS last_actual_date,
  CAST(GREATEST(COALESCE(pl_add_days(last_actual, 1), ${start}), ${start}) AS VARCHAR) AS silent_from, CAST(LEAST(${cutoff}, ${end}) AS VARCHAR) AS silent_to,
  pl_days_between(COALESCE(last_actual, pl_add_days(spans.first_planned, -1)), ${cutoff}) AS silent_days,
  COALESCE(sums.silent_hours, 0) AS silent_hours, ranked.people_id, ranked.person, ranked.silent_hours AS person_hours, CAST(project_end AS VARCHAR) AS project_end_date,
  CAST(GREATEST(pl_add_days(project_end, 1), ${start}) AS VARCHAR) AS late_from, COALESCE(sums.late_actual_hours, 0) AS late_actual_hours,
  COALESCE(sums.late_scheduled_hours, 0) AS late_scheduled_hours,
  CAST((SELECT LEAST(last_day, ${end}) FROM due) AS VARCHAR) AS overdue_to, COALESCE(missing.row_hours, 0) AS overdue_hours, missing.row_fees AS overdue_fees,
  missing.people_id AS overdue_id, missing.person AS overdue_person, missing.hours AS overdue_person_hours
FROM spans
LEFT JOIN sums ON ${same('sums', 'spans')}
LEFT JOIN ranked ON ${same('ranked', 'spans')} AND rank = 1
LEFT JOIN missing ON ${same('missing', 'spans')} AND missing.rank = 1`;
}

/** Returns the hours that are missed (`missing`), by person and with their sum in the row, up to the last day that is due (`due`). */
function missingParts(query: Query): string[] {
  const source = stateSource(query.selection);
  const querySql = querySqlOf(query.selection);
  const { cutoff } = querySql;
  const keys = keyColumnsOf(query)
    .map((id) => `ledger.${id}`)
    .join(', ');
  const conditions = [
    isInWindow(querySql, 'ledger.date'),
    `${countsAs('plan', 'ledger.kind')} AND ${querySql.hasStatus('ledger.status')}`,
    'ledger.date <= (SELECT last_day FROM due)',
    ...unloggedConditions({ source, querySql }),
    ...filterConditions(query.selection, 'ledger'),
  ];
  const { least_days: least } = query.selection.catalogue.insights.rules.get('missing_time')?.thresholds ?? {};
  const days = least?.value ?? 0;
  return [
    `due AS (
  SELECT pl_add_days(MIN(day), -1) AS last_day
  FROM (
    SELECT pl_add_days(${cutoff}, -series.back) AS day FROM UNNEST(pl_number_series(0, ${DAYS_IN_WEEK * (days + 1)})) AS series (back)
    CROSS JOIN ${source.alone.relation('settings')} WHERE pl_hours_on(week_hours, pl_add_days(${cutoff}, -series.back)) > 0
    ORDER BY day DESC LIMIT ${days}
  ) AS work_days
)`,
    `missing_people AS (
  SELECT ${keys}, people_id, SUM(hours) AS hours, SUM(fee) AS fees
  FROM ${source.alone.relation('ledger')} AS ledger WHERE ${conditions.join(' AND ')} GROUP BY ${keys}, people_id
)`,
    `missing AS (
  SELECT ledger.*, people.person, SUM(hours) OVER (PARTITION BY ${keys}) AS row_hours, SUM(fees) OVER (PARTITION BY ${keys}) AS row_fees,
    ROW_NUMBER() OVER (PARTITION BY ${keys} ORDER BY hours DESC, people.person NULLS LAST, ledger.people_id) AS rank
  FROM missing_people AS ledger
  LEFT JOIN ${source.relation('named_people')} AS people ON people.people_id = ledger.people_id
)`,
  ];
}
