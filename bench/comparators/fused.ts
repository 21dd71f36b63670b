import type { DuckDBConnection } from '@duckdb/node-api';
import { readNumber, withConnection } from '../connection.ts';

/*
 * Comparator of the build: the ledger's lines from the typed tables, tuned by hand. Comments cite rule ids.
 * The small tables made first count in the time. Techniques:
 * - rates, roles and work hours become half-open ranges per person, so each line joins its own by hash;
 * - allocations are cut at those ranges and priced before they are spread over days: a quarter of the rows to price;
 * - a range stores its work days as a mask of 7 bits, so there is no join with a calendar;
 * - days off are an anti-join on one integer key;
 * - the terms of project, phase and teams are read once per combination with a person;
 * - kinds, statuses and sources are enumerations: text is slow to write to a file.
 */

const always = "DATE '1970-01-01'";
const kinds = "ENUM ('scheduled', 'actual', 'expense')";
const statuses = "ENUM ('draft', 'tentative', 'confirmed', 'completed', 'canceled')";
const sources = "ENUM ('none', 'person', 'role', 'phase_team', 'phase', 'project_team', 'project')";
const never = "DATE '2100-01-01'";

/** D2: the least days between two occurrences; month steps keep the weekday and its place in the month. */
const macros = [
  'CREATE OR REPLACE TEMP MACRO step_days(state) AS [7, 28, 14, 21, 42, 56, 84, 168, 336][state]',
  `CREATE OR REPLACE TEMP MACRO same_weekday(start, month) AS
     month + (dayofweek(start) - dayofweek(month) + 7)::INTEGER % 7 + (day(start)::INTEGER - 1) // 7 * 7`,
  `CREATE OR REPLACE TEMP MACRO month_occurrence(start, months) AS
     CASE WHEN month(same_weekday(start, (date_trunc('month', start) + to_months(months))::DATE)) =
               month((date_trunc('month', start) + to_months(months))::DATE)
          THEN same_weekday(start, (date_trunc('month', start) + to_months(months))::DATE)
          ELSE same_weekday(start, (date_trunc('month', start) + to_months(months))::DATE) - 7 END`,
  "CREATE OR REPLACE TEMP MACRO day_key(people_id, day) AS people_id * 100000 + (day - DATE '1970-01-01')",
];

/** Returns items with their repeats, one row per occurrence (D2); marks possible overlaps (D3). */
function occurrencesOf(items: string): string {
  return `
    SELECT id, people_id, start_date AS first_day, end_date AS last_day,
           repeat_state > 0 AND end_date - start_date >= step_days(repeat_state) AS overlapping
    FROM ${items}
    UNION ALL
    SELECT id, people_id, occurrence, least(occurrence + (end_date - start_date)::INTEGER, repeat_end),
           end_date - start_date >= step_days(repeat_state)
    FROM (
      SELECT *, start_date + (unnest(range(1, (repeat_end - start_date) // step_days(repeat_state) + 1))
                              * step_days(repeat_state))::INTEGER AS occurrence
      FROM ${items} WHERE repeat_state IN (1, 3, 4, 5) AND repeat_end >= start_date
      UNION ALL
      SELECT *, month_occurrence(start_date, unnest(range(1, (repeat_end - start_date) // step_days(repeat_state) + 1))
                                             * (step_days(repeat_state) // 28)) AS occurrence
      FROM ${items} WHERE repeat_state IN (2, 6, 7, 8, 9) AND repeat_end >= start_date
    ) AS repeats
    WHERE occurrence <= repeat_end`;
}

/** D1: work hours as ranges, during employment only. Unknown people have the account's hours. */
const schedules = `
  CREATE OR REPLACE TEMP TABLE schedules AS
  WITH
  account AS (SELECT coalesce(any_value(work_days_hours), [0, 8, 8, 8, 8, 8, 0]) AS hours FROM settings),
  weeks AS (
    SELECT people_id, work_days_hours, map_entries(work_days_hours_history) AS history,
           coalesce(list_sum(work_days_hours) = 0, FALSE)
             AND coalesce(list_sum(flatten(map_values(work_days_hours_history))), 0) = 0 AS is_by_call
    FROM people
  ),
  entries AS (
    SELECT people_id, ${always} AS valid_from,
           CASE WHEN is_by_call THEN account.hours ELSE coalesce(work_days_hours, account.hours) END AS hours
    FROM weeks, account
    UNION ALL
    SELECT people_id, entry.key, entry.value
    FROM (SELECT people_id, unnest(history) AS entry FROM weeks WHERE NOT is_by_call) AS changes
  ),
  ranges AS (
    SELECT people_id, hours, greatest(valid_from, coalesce(start_date, ${always})) AS valid_from,
           least(lead(valid_from, 1, ${never}) OVER (PARTITION BY people_id ORDER BY valid_from),
                 coalesce(end_date + 1, ${never})) AS valid_to
    FROM entries JOIN people USING (people_id)
  ),
  strangers AS (
    SELECT people_id FROM tasks UNION SELECT unnest(people_ids) FROM tasks
    UNION SELECT people_id FROM timeoffs UNION SELECT unnest(people_ids) FROM timeoffs
  )
  SELECT people_id, valid_from, valid_to, hours,
         list_sum(list_transform(range(7), lambda n: CASE WHEN hours[n + 1] > 0 THEN 1 << n ELSE 0 END))::INTEGER
           AS mask
  FROM (
    SELECT people_id, valid_from, valid_to, hours FROM ranges WHERE valid_from < valid_to
    UNION ALL
    SELECT people_id, ${always}, ${never}, hours FROM strangers ANTI JOIN people USING (people_id), account
    WHERE people_id IS NOT NULL
  ) AS all_ranges`;

/** R1, R3: each person's role and cost rate as ranges that cover all time. */
const rates = `
  CREATE OR REPLACE TEMP TABLE rates AS
  WITH
  contracts AS (
    SELECT people_id, coalesce(contract.effective_date, start_date, ${always}) AS valid_from, n, contract.role_id,
           contract.cost_rate, coalesce(contract.cost_rate_from, 'person') AS cost_rate_source
    FROM (SELECT people_id, start_date, unnest(contracts) AS contract, generate_subscripts(contracts, 1) AS n
      FROM people)
    UNION ALL
    SELECT people_id, coalesce(effective_date, ${always}), 1, role_id, cost_rate, 'person'
    FROM people WHERE coalesce(len(contracts), 0) = 0 AND cost_rate IS NOT NULL
    UNION ALL
    SELECT people_id, ${always}, 0, role_id, NULL, NULL FROM people
  ),
  contract_ranges AS (
    SELECT *, lead(valid_from, 1, ${never}) OVER (PARTITION BY people_id ORDER BY valid_from) AS valid_to
    FROM (SELECT * FROM contracts QUALIFY row_number() OVER (PARTITION BY people_id, valid_from ORDER BY n DESC) = 1)
  ),
  role_entries AS (
    SELECT role_id, coalesce(entry.effective_date, ${always}) AS valid_from, n, entry.rate
    FROM (SELECT role_id, unnest(cost_rate_history) AS entry, generate_subscripts(cost_rate_history, 1) AS n FROM roles)
    UNION ALL
    SELECT role_id, ${always}, 0, NULL FROM roles
  ),
  role_ranges AS (
    SELECT *, lead(valid_from, 1, ${never}) OVER (PARTITION BY role_id ORDER BY valid_from) AS valid_to
    FROM (SELECT * FROM role_entries QUALIFY row_number() OVER (PARTITION BY role_id, valid_from ORDER BY n DESC) = 1)
  ),
  priced AS (
    SELECT people_id, valid_from, valid_to, role_id, cost_rate, cost_rate_source
    FROM contract_ranges WHERE cost_rate IS NOT NULL
    UNION ALL
    SELECT people_id, greatest(c.valid_from, r.valid_from), least(c.valid_to, r.valid_to), c.role_id, r.rate,
           CASE WHEN r.rate IS NULL THEN 'none' ELSE 'role' END
    FROM contract_ranges c JOIN role_ranges r ON r.role_id = c.role_id AND r.valid_from < c.valid_to
      AND r.valid_to > c.valid_from
    WHERE c.cost_rate IS NULL
    UNION ALL
    SELECT people_id, valid_from, valid_to, role_id, NULL, 'none'
    FROM contract_ranges ANTI JOIN roles USING (role_id) WHERE cost_rate IS NULL
  )
  SELECT priced.* REPLACE (cost_rate_source::${sources} AS cost_rate_source), people.default_hourly_rate AS person_rate,
         roles.default_hourly_rate AS role_rate
  FROM priced JOIN people USING (people_id) LEFT JOIN roles ON roles.role_id = priced.role_id`;

/** R2, R4: the teams, one row per person in each. */
const teams = [
  `CREATE OR REPLACE TEMP TABLE phase_members AS
   SELECT phase_id, people_id, role_id, hourly_rate
   FROM (
     SELECT phase_id, m.people_id, m.role_id, m.hourly_rate, 1 AS own, n
     FROM (SELECT phase_id, unnest(phase_team) AS m, generate_subscripts(phase_team, 1) AS n FROM phases)
     UNION ALL
     SELECT m.phase_id, m.people_id, m.role_id, m.hourly_rate, 0, n
     FROM (SELECT project_id, unnest(project_team) AS m, generate_subscripts(project_team, 1) AS n FROM projects) AS t
     LEFT JOIN phases ON phases.phase_id = m.phase_id
     WHERE m.phase_id > 0 AND coalesce(phases.project_id = t.project_id, TRUE)
   )
   QUALIFY row_number() OVER (PARTITION BY phase_id, people_id ORDER BY own DESC, n DESC) = 1`,
  `CREATE OR REPLACE TEMP TABLE project_members AS
   SELECT project_id, m.people_id, m.role_id, m.hourly_rate
   FROM (SELECT project_id, unnest(project_team) AS m, generate_subscripts(project_team, 1) AS n FROM projects)
   WHERE coalesce(m.phase_id, 0) = 0
   QUALIFY row_number() OVER (PARTITION BY project_id, m.people_id ORDER BY n DESC) = 1`,
];

/** D4: the days on which confirmed time off takes all of the work hours. */
const daysOff = `
  CREATE OR REPLACE TEMP TABLE days_off AS
  WITH
  spans AS (
    SELECT timeoff_id AS id, coalesce(full_day = 1, hours IS NULL) AS is_full, hours, start_date, end_date,
           coalesce(repeat_state, 0) AS repeat_state, repeat_end,
           unnest(CASE WHEN len(people_ids) > 0 THEN list_distinct(people_ids) ELSE [people_id] END) AS people_id
    FROM timeoffs WHERE coalesce(status, 2) = 2
  ),
  items AS (
    SELECT spans.* EXCLUDE (repeat_end),
           coalesce(repeat_end, people.end_date, (spans.start_date + INTERVAL 2 YEARS)::DATE) AS repeat_end
    FROM spans LEFT JOIN people USING (people_id)
  ),
  occurrences AS (${occurrencesOf('items')}),
  days AS (
    SELECT DISTINCT id, people_id, hours AS work_hours, first_day + unnest(range(last_day - first_day + 1))::INTEGER
      AS date
    FROM (
      SELECT id, people_id, hours, greatest(first_day, valid_from) AS first_day, least(last_day, valid_to - 1)
        AS last_day
      FROM occurrences JOIN schedules USING (people_id) WHERE first_day < valid_to AND last_day >= valid_from
    )
  )
  SELECT day_key(people_id, date) AS day_key
  FROM days JOIN (SELECT DISTINCT id, is_full, hours FROM items) USING (id)
  WHERE work_hours[dayofweek(date) + 1] > 0
  GROUP BY people_id, date
  HAVING bool_or(is_full) OR sum(hours) >= any_value(work_hours[dayofweek(date) + 1])`;

/** D2, D3, D6: allocations cut at each change of work hours or rates, with their work weekdays. */
const stretches = `
  CREATE OR REPLACE TEMP TABLE stretches AS
  WITH
  items AS (
    SELECT task_id AS id, tasks.people_id, tasks.start_date, tasks.end_date, coalesce(repeat_state, 0) AS repeat_state,
           coalesce(repeat_end_date, projects.end_date, (tasks.start_date + INTERVAL 2 YEARS)::DATE) AS repeat_end
    FROM (
      SELECT task_id, people_id, project_id, start_date, end_date, repeat_state, repeat_end_date
      FROM tasks WHERE coalesce(len(people_ids), 0) = 0 AND hours > 0
      UNION ALL
      SELECT task_id, unnest(list_distinct(people_ids)), project_id, start_date, end_date, repeat_state, repeat_end_date
      FROM tasks WHERE len(people_ids) > 0 AND hours > 0
    ) AS tasks LEFT JOIN projects USING (project_id)
  ),
  occurrences AS (${occurrencesOf('items')}),
  ranges AS (
    SELECT people_id, greatest(s.valid_from, r.valid_from) AS valid_from, least(s.valid_to, r.valid_to) AS valid_to,
      s.mask,
           r.role_id, r.cost_rate, r.cost_rate_source, r.person_rate, r.role_rate
    FROM schedules s JOIN rates r USING (people_id) WHERE s.valid_from < r.valid_to AND s.valid_to > r.valid_from
    UNION ALL
    SELECT people_id, valid_from, valid_to, mask, NULL, NULL, 'none', NULL, NULL FROM schedules ANTI
      JOIN people USING (people_id)
  ),
  cut AS (
    SELECT id, people_id, overlapping, greatest(o.first_day, valid_from) AS first_day, least(o.last_day,
      valid_to - 1) AS last_day,
           o.first_day AS occurrence, o.first_day >= valid_from AND o.last_day < valid_to AS is_whole, mask,
           role_id, cost_rate, cost_rate_source, person_rate, role_rate
    FROM occurrences o JOIN ranges USING (people_id) WHERE o.first_day < valid_to AND o.last_day >= valid_from
  ),
  covered AS (
    SELECT *, ((1 << least(last_day - first_day + 1, 7)::INTEGER) - 1) << dayofweek(first_day)::INTEGER AS weekdays
      FROM cut
  ),
  worked AS (SELECT * EXCLUDE (weekdays), mask & (weekdays | (weekdays >> 7)) <> 0 AS has_work FROM covered),
  masked AS (
    SELECT * REPLACE (CASE WHEN has_work THEN mask ELSE 127 END AS mask) FROM worked WHERE is_whole
    UNION ALL
    SELECT * REPLACE (CASE WHEN bool_or(has_work) OVER (PARTITION BY id, people_id, occurrence) THEN mask ELSE 127
      END AS mask)
    FROM worked WHERE NOT is_whole
  )
  SELECT id, people_id, first_day, (last_day - first_day + 1)::INTEGER AS days, mask,
         role_id, cost_rate, cost_rate_source, person_rate, role_rate
  FROM masked WHERE NOT overlapping
  UNION ALL
  SELECT DISTINCT id, people_id, day, 1, 127, role_id, cost_rate, cost_rate_source, person_rate, role_rate
  FROM (SELECT *, first_day + unnest(range(last_day - first_day + 1))::INTEGER AS day FROM masked WHERE overlapping)
  WHERE (mask >> dayofweek(day)::INTEGER) & 1 = 1`;

/** D9: a phase or project task of another project is not the item's. */
const ownParts = `
    CASE WHEN ph.project_id <> placed.project_id THEN 0 ELSE placed.phase_id END AS phase_id,
    CASE WHEN pt.project_id <> placed.project_id THEN NULL ELSE placed.task_meta_id END AS task_meta_id`;

const partsOf = (items: string) => `
  SELECT placed.* REPLACE (${ownParts})
  FROM ${items} AS placed
  LEFT JOIN phases ph ON ph.phase_id = placed.phase_id
  LEFT JOIN project_tasks pt ON pt.task_meta_id = placed.task_meta_id`;

/** D8: the project of records without one, from their allocation, else from their project task, else from their phase. */
const unplaced = `
  CREATE OR REPLACE TEMP TABLE unplaced AS
  SELECT given.* REPLACE (coalesce(given.project_id, ph.project_id, 0) AS project_id)
  FROM (
    SELECT l.* REPLACE (
      coalesce(t.project_id, pt.project_id) AS project_id,
      CASE WHEN l.phase_id > 0 THEN l.phase_id WHEN t.task_id IS NOT NULL THEN t.phase_id ELSE pt.phase_id END AS phase_id
    )
    FROM logged_time l
    LEFT JOIN tasks t ON t.task_id = l.task_id
    LEFT JOIN project_tasks pt ON pt.task_meta_id = l.task_meta_id
    WHERE coalesce(l.project_id, 0) = 0
  ) AS given LEFT JOIN phases ph ON ph.phase_id = given.phase_id`;

/** The items with their own parts. */
const items = [
  `CREATE OR REPLACE TEMP TABLE own_tasks AS ${partsOf('tasks')}`,
  `CREATE OR REPLACE TEMP VIEW own_records AS ${partsOf(`(
    SELECT * FROM logged_time WHERE hours > 0 AND project_id > 0
    UNION ALL
    SELECT * FROM unplaced WHERE hours > 0
  )`)}`,
];

/** R2, R4, S1, S2: the terms of project, phase and teams, one row per combination with a person. */
const terms = `
  CREATE OR REPLACE TEMP TABLE terms AS
  WITH pairings AS (
    SELECT people_id, project_id, coalesce(phase_id, 0) AS phase_id FROM own_records
    UNION
    SELECT stretches.people_id, project_id, coalesce(phase_id, 0) FROM stretches JOIN own_tasks
      ON own_tasks.task_id = stretches.id
  )
  SELECT f.people_id, f.project_id, f.phase_id, team_role.role_id AS role_id, ro.default_hourly_rate AS role_rate,
         coalesce(j.non_billable, 0) <> 1 AND coalesce(ph.non_billable, 0) <> 1 AS is_billable,
         coalesce(j.status, CASE WHEN j.tentative = 1 THEN 1 ELSE 2 END)::TINYINT AS project_status,
         coalesce(ph.status, 2)::TINYINT AS phase_status,
         coalesce(pm.hourly_rate, ph.default_hourly_rate, jm.hourly_rate, j.default_hourly_rate) AS bill_rate,
         CASE WHEN pm.hourly_rate IS NOT NULL THEN 'phase_team' WHEN ph.default_hourly_rate IS NOT NULL THEN 'phase'
              WHEN jm.hourly_rate IS NOT NULL THEN 'project_team' WHEN j.default_hourly_rate IS NOT NULL
                THEN 'project' END
           ::${sources} AS bill_rate_source
  FROM pairings f
  LEFT JOIN projects j ON j.project_id = f.project_id
  LEFT JOIN phases ph ON ph.phase_id = f.phase_id
  LEFT JOIN phase_members pm ON pm.phase_id = f.phase_id AND pm.people_id = f.people_id
  LEFT JOIN project_members jm ON jm.project_id = f.project_id AND jm.people_id = f.people_id,
  LATERAL (SELECT coalesce(pm.role_id, jm.role_id) AS role_id) AS team_role
  LEFT JOIN roles ro ON ro.role_id = team_role.role_id`;

/** Returns role, rates and amounts from the terms (t) and the rates of the person (r) (R2, R4, A1, A2). */
function pricedColumns(r: string, isBillable: string): string {
  return `
    coalesce(t.role_id, ${r}.role_id) AS line_role_id, ${isBillable} AS line_billable, ${r}.cost_rate AS line_cost_rate,
    coalesce(${r}.cost_rate_source, 'none'::${sources}) AS line_cost_source,
    CAST(line_hours * ${r}.cost_rate AS DECIMAL(18,2)) AS cost,
    coalesce(t.bill_rate, ${r}.person_rate, CASE WHEN t.role_id IS NULL THEN ${r}.role_rate ELSE t.role_rate END)
      AS line_bill_rate,
    CASE WHEN t.bill_rate IS NOT NULL THEN t.bill_rate_source WHEN ${r}.person_rate IS NOT NULL
      THEN 'person'::${sources}
         WHEN line_bill_rate IS NOT NULL THEN 'role'::${sources} ELSE 'none'::${sources} END AS line_bill_source,
    CASE WHEN line_billable THEN CAST(line_hours * line_bill_rate AS DECIMAL(18,2)) ELSE 0 END AS fee`;
}

const isAllocationBillable = `t.is_billable
  AND coalesce(CASE WHEN pt.task_meta_id IS NULL THEN item.billable ELSE pt.billable END, 1) <> 0`;
const isRecordBillable = 't.is_billable AND coalesce(item.billable, pt.billable, 1) <> 0';
const itemStatus = 'coalesce(item.status, 2)';
const leastFirm = `least(${itemStatus}, t.project_status, t.phase_status)`;
const mostFirm = `greatest(${itemStatus}, t.project_status, t.phase_status)`;

const ledger = `
  CREATE TABLE ledger AS
  WITH
  scheduled AS (
    SELECT s.id, s.people_id, s.first_day, s.days, s.mask, item.project_id, t.phase_id, item.task_meta_id,
           ['draft', 'tentative', 'confirmed', 'completed', 'canceled']
             [1 + CASE WHEN ${leastFirm} < 2 AND ${mostFirm} < 4 THEN ${leastFirm} ELSE ${mostFirm} END]::${statuses}
               AS status,
           item.hours AS line_hours,
           ${pricedColumns('s', isAllocationBillable)}
    FROM stretches s
    JOIN own_tasks item ON item.task_id = s.id
    JOIN terms t ON t.people_id = s.people_id AND t.project_id = item.project_id
      AND t.phase_id = coalesce(item.phase_id, 0)
    LEFT JOIN project_tasks pt ON pt.task_meta_id = item.task_meta_id
  ),
  scheduled_days AS (SELECT *, first_day + unnest(range(days))::INTEGER AS date FROM scheduled),
  actual AS (
    SELECT item.date, item.people_id, item.project_id, t.phase_id, item.task_meta_id, item.task_id, item.logged_time_id,
           item.hours AS line_hours, ${pricedColumns('r', isRecordBillable)}
    FROM own_records item
    JOIN terms t ON t.people_id = item.people_id AND t.project_id = item.project_id
      AND t.phase_id = coalesce(item.phase_id, 0)
    LEFT JOIN rates r ON r.people_id = item.people_id AND item.date >= r.valid_from AND item.date < r.valid_to
    LEFT JOIN project_tasks pt ON pt.task_meta_id = CASE WHEN item.billable IS NULL THEN item.task_meta_id END
  )
  SELECT 'scheduled'::${kinds} AS kind, date, people_id, line_role_id AS role_id, project_id, phase_id, task_meta_id,
         id AS task_id, NULL::VARCHAR AS logged_time_id, NULL::BIGINT AS project_expense_id, status, line_billable
           AS billable,
         line_hours AS hours, line_cost_rate AS cost_rate, line_cost_source AS cost_rate_source, cost,
         line_bill_rate AS bill_rate, line_bill_source AS bill_rate_source, fee
  FROM scheduled_days ANTI JOIN days_off ON days_off.day_key = day_key(people_id, date)
  WHERE (mask >> dayofweek(date)::INTEGER) & 1 = 1
  UNION ALL
  SELECT 'actual'::${kinds}, date, people_id, line_role_id, project_id, phase_id, task_meta_id, task_id,
    logged_time_id, NULL,
         'confirmed'::${statuses}, line_billable, line_hours, line_cost_rate, line_cost_source, cost, line_bill_rate,
         line_bill_source, fee
  FROM actual
  UNION ALL
  SELECT 'expense'::${kinds}, e.date, NULL, NULL, e.project_id, 0, NULL, NULL, NULL, e.project_expense_id,
         'confirmed'::${statuses}, coalesce(e.billable, 0) = 1 AND coalesce(j.non_billable, 0) <> 1, 0, NULL, 'none'::${sources},
         CAST(e.cost AS DECIMAL(18,2)), NULL, 'none'::${sources},
         CASE WHEN coalesce(e.billable, 0) = 1 AND coalesce(j.non_billable, 0) <> 1
              THEN CAST(CASE WHEN e.markup_type = 1 THEN e.cost + coalesce(e.markup, 0)
                             ELSE e.cost * (1 + coalesce(e.markup, 0) * 0.01) END AS DECIMAL(18,2)) ELSE 0 END
  FROM project_expenses e LEFT JOIN projects j USING (project_id)`;

const statements = [
  ...macros,
  schedules,
  rates,
  ...teams,
  daysOff,
  stretches,
  unplaced,
  ...items,
  terms,
  ledger,
  'CHECKPOINT',
];

/** Builds the ledger's lines from the typed tables of a file. Returns the number of lines. */
export async function buildLedger(databaseFile: string): Promise<number> {
  return withConnection(databaseFile, async (connection) => {
    await runAll(connection, statements);
    return readNumber(connection, 'SELECT count(*) FROM ledger');
  });
}

/** Drops the ledger, so that the statement can run again. */
export async function dropLedger(databaseFile: string): Promise<void> {
  await withConnection(databaseFile, (connection) => runAll(connection, ['DROP TABLE IF EXISTS ledger', 'CHECKPOINT']));
}

async function runAll(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.run(statement);
}
