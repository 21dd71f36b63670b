import { FIRST_DATE, LAST_DATE } from '../../../base/calendar/index.ts';
import type { Value } from '../../../base/database/index.ts';
import { budgetUses, IS_FORECAST, levelOf, USE_IN_UNIT } from '../kinds/budget-amounts.ts';
import { linkNumber } from '../plan/links.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { keyColumnsOf, measuredFact, plainFact, spellPerson, type ToldRow, type ToldRows } from './row-facts.ts';

/** The whole life of a budget, by its row. Days are YYYY-MM-DD. */
interface BudgetLife {
  readonly passed_on: string | null;
  readonly forecast_passed_on: string | null;
  readonly plan: Value;
  readonly plan_percent: Value;
  readonly plan_passed_on: string | null;
  readonly people_id: Value;
  readonly person: string | null;
  readonly person_value: Value;
}

/**
 * Adds the days on which budgets are passed, by what is used, by the forecast and by the plan alone, and who used most of each.
 * Like budgets, these are of the whole life of a project or phase, whatever the window and the filters.
 */
export async function addBudgetDays(context: ReportContext, query: Query, rows: ToldRows): Promise<void> {
  const budgeted = rows.all.filter(({ facts }) => (facts.get('budget_total')?.value ?? null) !== null);
  if (budgeted.length === 0) return;
  const keyNames = keyColumnsOf(query);
  const projects = new Set(budgeted.map(({ keys }) => BigInt(keys['project_id'] ?? 0)));
  const sql = compileBudgetDays(planSummary(query, context.company), [...projects]);
  for (const life of await context.database.rows<BudgetLife & Record<string, Value>>(sql)) {
    const row = rows.find(keyNames.map((name) => life[name] ?? null));
    if (row) addLife(query, row, life);
  }
}

function addLife(query: Query, { keys, facts }: ToldRow, life: BudgetLife): void {
  const wholeLife = wholeLifeOf(query);
  const isOfHours = facts.get('budget_unit')?.value === 'hours';
  const [planned, used] = isOfHours
    ? ['scheduled_billable_hours', 'actual_billable_hours']
    : ['scheduled_value', 'actual_fees'];
  const untilDay = (measure: string, day: string | null) => () =>
    linkNumber(query, measure, { ...keys, cutoff_date: day });
  const plan = () => linkNumber(wholeLife, planned ?? '', keys);
  const planUntil = () => linkNumber(wholeLife, planned ?? '', { ...keys, end_date: life.plan_passed_on });
  const ofPerson = () => linkNumber(wholeLife, used ?? '', { ...keys, people_id: life.people_id });
  const forecastUntil = () => linkNumber(query, 'budget_forecast', keys);
  facts.set(
    'budget_passed_on',
    measuredFact(life.passed_on, 'date', 'budget_used', untilDay('budget_used', life.passed_on)),
  );
  facts.set(
    'budget_forecast_passed_on',
    measuredFact(life.forecast_passed_on, 'date', 'budget_forecast', forecastUntil),
  );
  facts.set('budget_plan_passed_on', measuredFact(life.plan_passed_on, 'date', planned ?? '', planUntil));
  facts.set('budget_plan', measuredFact(life.plan, 'budget', planned ?? '', plan));
  facts.set('budget_plan_percent', { ...plainFact(life.plan_percent, 'percent'), query: plan });
  if (life.people_id === null) return;
  const name = spellPerson(life.person, life.people_id);
  facts.set('budget_used.person', measuredFact(name, 'text', used ?? '', ofPerson));
  facts.set('budget_used.person.value', measuredFact(life.person_value, 'budget', used ?? '', ofPerson));
}

/** Returns a query without filters, over all days. */
function wholeLifeOf(query: Query): Query {
  const { cutoff_date = '', status = '' } = query.understood;
  return { ...query, understood: { start_date: FIRST_DATE, end_date: LAST_DATE, cutoff_date, status } };
}

function compileBudgetDays(plan: SummaryPlan, projects: readonly bigint[]): string {
  const { level, ids } = levelOf(plan);
  const keys = ids.join(', ');
  const { querySql } = plan;
  const source = plan.source.alone;
  const same = (left: string, right: string) => ids.map((id) => `${left}.${id} = ${right}.${id}`).join(' AND ');
  const total = (name: string) => `SUM(${name}) OVER (PARTITION BY ${keys} ORDER BY date) AS ${name}`;
  const keysOf = (relation: string) => ids.map((id) => `${relation}.${id}`).join(', ');
  return `WITH budgets AS (
  SELECT ${keys}, budget_unit, budget_total FROM ${source.relation('budgets')} WHERE level = '${level}' AND project_id IN (${projects.join(', ')})
),
life_lines AS (
  SELECT ${keysOf('budgets')}, budget_unit, date, people_id, kind, billable, hours, fee, date <= ${querySql.cutoff} AS is_to_date,
    ${querySql.hasStatus('status')} AS is_asked
  FROM budgets JOIN ${source.relation('ledger')} AS ledger ON ${same('ledger', 'budgets')}
  WHERE billable AND date IS NOT NULL
),
uses AS (SELECT *, ${USE_IN_UNIT} AS amount FROM ${budgetUses(source, 'life_lines')}),
days AS (
  SELECT ${keys}, date, SUM(CASE WHEN is_used THEN amount END) AS used, SUM(CASE WHEN ${IS_FORECAST} THEN amount END) AS forecast,
    SUM(CASE WHEN is_planned THEN amount END) AS planned, COUNT(CASE WHEN is_planned THEN 1 END) AS planned_lines, date > ${querySql.cutoff} AS is_later
  FROM uses GROUP BY ${keys}, date
),
running AS (SELECT ${keys}, date, is_later, ${['used', 'forecast', 'planned'].map(total).join(', ')} FROM days),
passed AS (
  SELECT ${keysOf('budgets')}, MIN(CASE WHEN used > budget_total THEN date END) AS passed_on,
    MIN(CASE WHEN is_later AND forecast > budget_total THEN date END) AS forecast_passed_on,
    MIN(CASE WHEN planned > budget_total THEN date END) AS plan_passed_on
  FROM running JOIN budgets ON ${same('running', 'budgets')}
  GROUP BY ${keysOf('budgets')}
),
plans AS (
  SELECT ${keys}, CASE WHEN SUM(planned_lines) = 0 THEN 0 ELSE SUM(planned) END AS plan FROM days GROUP BY ${keys}
),
ranked AS (
  SELECT ${keysOf('uses')}, uses.people_id, people.person, SUM(amount) AS person_value,
    ROW_NUMBER() OVER (PARTITION BY ${keysOf('uses')} ORDER BY SUM(amount) DESC NULLS LAST, people.person NULLS LAST, uses.people_id) AS rank
  FROM uses LEFT JOIN ${source.relation('named_people')} AS people ON people.people_id = uses.people_id
  WHERE is_used AND uses.people_id IS NOT NULL
  GROUP BY ${list([keysOf('uses')], ['uses.people_id', 'people.person'])}
)
SELECT ${keysOf('budgets')}, CAST(passed_on AS VARCHAR) AS passed_on, CAST(forecast_passed_on AS VARCHAR) AS forecast_passed_on,
  plan, pl_percent(plan, budget_total) AS plan_percent, CAST(plan_passed_on AS VARCHAR) AS plan_passed_on,
  people_id, person, CAST(person_value AS DECIMAL(38, 6)) AS person_value
FROM budgets
JOIN plans ON ${same('plans', 'budgets')}
JOIN passed ON ${same('passed', 'budgets')}
LEFT JOIN ranked ON ${same('ranked', 'budgets')} AND rank = 1`;
}
