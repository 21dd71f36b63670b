import { fewestDecimals, trimZeros } from '../../../base/index.ts';
import { describeCheck, remedyOf } from '../catalogue/check-words.ts';
import type { FindingCause } from '../catalogue/table.ts';
import { buildConditions } from '../plan/plan-list.ts';
import type { Query } from '../request/query.ts';
import { querySqlOf } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import type { ReportContext } from './context.ts';

/** Checks whose findings have a person as their cause. */
const BY_PERSON = ['hours_without_cost_rate', 'hours_without_bill_rate'];

/**
 * Reads all findings of a query of the report data-quality by their cause, gravest first: their check, and the person
 * who has no rate.
 */
export async function readCauses({ database, company }: ReportContext, query: Query): Promise<FindingCause[]> {
  const trim = (text: string | null, unit: string) =>
    text === null ? null : trimZeros(text, fewestDecimals(unit, company.minorUnits));
  const rows = await database.rows<Omit<FindingCause, 'cause' | 'remedy'>>(compileCauses(query));
  return rows.map((row) => ({
    ...row,
    cause: describeCheck(row.check).what,
    hours: trim(row.hours, 'hours'),
    scheduled_hours: trim(row.scheduled_hours, 'hours'),
    amount_at_risk: trim(row.amount_at_risk, 'money'),
    remedy: remedyOf(row),
  }));
}

function compileCauses(query: Query): string {
  const byPerson = BY_PERSON.map((check) => `'${check}'`);
  const source = stateSource(query.selection).alone;
  const [amount = 'NULL'] = source.costs('SUM(listed.amount_at_risk)');
  return `WITH causes AS (
  SELECT "check", severity, CASE WHEN "check" IN (${byPerson.join(', ')}) THEN people_id END AS cause_people_id,
    CAST(COUNT(*) AS INTEGER) AS findings, CAST(COUNT(CASE WHEN resource = 'tasks' THEN 1 END) AS INTEGER) AS scheduled_days,
    CAST(MIN(date) AS VARCHAR) AS first_date, SUM(hours) AS hours,
    SUM(CASE WHEN resource = 'tasks' THEN hours END) AS scheduled_hours, ${amount} AS amount_at_risk
  FROM ${source.relation('data_quality')} AS listed
  WHERE ${buildConditions(query, querySqlOf(query.selection))}
  GROUP BY "check", severity, cause_people_id
)
SELECT "check", severity, CAST(causes.cause_people_id AS VARCHAR) AS people_id,
  COALESCE(people.person, 'Unknown person ' || CAST(causes.cause_people_id AS VARCHAR)) AS person,
  causes.cause_people_id IS NULL OR COALESCE(people.is_known, FALSE) AS is_known, findings, scheduled_days, first_date, hours, scheduled_hours, amount_at_risk
FROM causes
LEFT JOIN ${source.relation('named_people')} AS people ON people.people_id = causes.cause_people_id
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, hours DESC NULLS LAST, findings DESC, "check", cause_people_id`;
}
