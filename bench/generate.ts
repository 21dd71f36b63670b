import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Size, SizeName } from './company.ts';
import { endYear, parseSize, sizes } from './company.ts';
import { quote, withConnection } from './connection.ts';

/*
 * A company is laid out in lanes: a lane holds one project after another, and a person works in six lanes. So the
 * project, phase and task of a record follow from its person and day by arithmetic, without a search.
 * All randomness is DuckDB's hash() of ids, so a size always gives the same files.
 */

const dirtyEvery = 20_000;
const phasesPerProject = 4;
const tasksPerProject = 6;
const expensesPerProject = 20;
const allocationsPerPersonYear = 40;
const timeoffsPerPersonYear = 8;
const lanesPerPerson = 6;

const settings = {
  name: 'Bench & Sons',
  currency: 'USD',
  work_days_hours: [0, 8, 8, 8, 8, 8, 0],
  time_zone: 'UTC',
  week_starts_on: 1,
  fiscal_year_starts_in: 1,
};

interface Period {
  readonly origin: string;
  readonly days: number;
  readonly slots: number;
  readonly slotDays: number;
  readonly lanes: number;
}

function periodOf(size: Size): Period {
  const start = Date.UTC(endYear - size.years + 1, 0, 1);
  const days = (Date.UTC(endYear + 1, 0, 1) - start) / 86_400_000;
  return {
    origin: `DATE '${endYear - size.years + 1}-01-01'`,
    days,
    slots: size.years,
    slotDays: Math.floor(days / size.years),
    lanes: Math.floor(size.projects / size.years),
  };
}

/** Returns the statements for the shared macros and small tables. Days count from the start of the period. */
function layout(size: Size, period: Period): readonly string[] {
  const { origin, days, slots, slotDays, lanes } = period;
  return [
    // Joins keep their written order, so that the records keep theirs.
    "SET disabled_optimizers = 'join_order,build_side_probe_side'",
    'CREATE MACRO pick(seed, salt, n) AS (hash(seed, salt) % n)::INTEGER',
    `CREATE MACRO day(d) AS ${origin} + d`,
    `CREATE MACRO lane_of(p, k) AS (hash(p, k, 1) % ${lanes})::INTEGER`,
    'CREATE MACRO lane_shift(lane) AS pick(lane, 2, 180) - 90',
    `CREATE MACRO project_at(lane, d) AS
       lane * ${slots} + least(greatest((d - lane_shift(lane)) // ${slotDays}, 0), ${slots - 1})`,
    `CREATE MACRO phase_at(j, first_day, length, d) AS
       3000000 + j * ${phasesPerProject} + least(${phasesPerProject - 1},
         (d - first_day) * ${phasesPerProject} // length)`,
    `CREATE TABLE staff AS
       SELECT p::INTEGER AS p,
              CASE WHEN pick(p, 11, 8) = 0 THEN pick(p, 12, ${Math.floor(days / 3)}) ELSE -pick(p, 12, 1500) END
                AS first_day,
              CASE WHEN pick(p, 13, 12) = 0 THEN ${days} - pick(p, 14, ${Math.floor(days / 3)}) END AS last_day
       FROM range(${size.people}) r(p)`,
    `CREATE TABLE plans AS
       SELECT j::INTEGER AS j,
              CASE WHEN j % ${slots} = 0 THEN 0
                ELSE (j % ${slots}) * ${slotDays} + lane_shift(j // ${slots}) END::INTEGER
                AS first_day,
              CASE WHEN j % ${slots} = ${slots - 1} THEN ${days}
                   ELSE (j % ${slots} + 1) * ${slotDays} + lane_shift(j // ${slots}) END::INTEGER AS end_day
       FROM range(${lanes * slots}) r(j)`,
    `CREATE TABLE teams AS
       SELECT j, p, pick(p, hash(j, 5), 10) AS class
       FROM (SELECT DISTINCT p::INTEGER AS p, lane_of(p, k) AS lane
             FROM range(${size.people}) a(p), range(${lanesPerPerson}) b(k)) AS homes
       JOIN plans ON plans.j // ${slots} = homes.lane`,
  ];
}

function smallResources(size: Size): Record<string, string> {
  const departments = Math.max(6, Math.floor(size.people / 40));
  return {
    departments: `
      SELECT 100 + i AS department_id, ['Design', 'Engineering', 'Research', 'Delivery', 'Advisory'][1 + i % 5]
        || ' ' || i AS name,
             CASE WHEN i >= 5 THEN 100 + i % 5 END AS parent_id
      FROM range(${departments}) r(i)`,
    clients: `SELECT 5000 + i AS client_id, 'Client ' || i AS name FROM range(${Math.ceil(size.projects / 4)}) r(i)`,
    accounts: `
      SELECT 700 + i AS account_id, 'Manager ' || i AS name, 'manager' || i || '@bench.example' AS email, 2
        AS account_type,
             1 AS active
      FROM range(20) r(i)`,
    roles: `
      SELECT 300 + i AS role_id, ['Analyst', 'Designer', 'Developer', 'Architect', 'Lead'][1 + i % 5] || ' '
        || (1 + i // 5) AS name,
             CASE WHEN i % 6 <> 5 THEN (80 + 5 * i)::DECIMAL(18,4)::VARCHAR END AS default_hourly_rate,
             list_transform(range(4), lambda n: {
               'rate': (35 + 2 * i + 2 * n)::DECIMAL(18,4)::VARCHAR,
               'effective_date': CASE WHEN n > 0 THEN make_date(${endYear - size.years} + n, 1 + (i % 12)::INTEGER,
                 1) END
             }) AS cost_rate_history
      FROM range(24) r(i)`,
    project_stages: `
      SELECT 800 + i AS stage_id, ['Draft', 'Proposed', 'Active', 'Done', 'Lost'][i + 1] AS name, i AS status, i
        AS sort_order
      FROM range(5) r(i)`,
  };
}

function peopleAndProjects(size: Size, period: Period): Record<string, string> {
  const { days } = period;
  const departments = Math.max(6, Math.floor(size.people / 40));
  return {
    people: `
      SELECT 1000000 + p AS people_id, 'Person ' || p AS name, 'P-' || p AS people_code, 'p' || p || '@bench.example'
        AS email,
             ['Consultant', 'Engineer', 'Designer', 'Manager'][1 + pick(p, 21, 4)] AS job_title,
             100 + pick(p, 22, ${departments}) AS department_id,
             CASE WHEN pick(p, 23, 20) > 0 THEN 300 + pick(p, 24, 24) END AS role_id,
             CASE WHEN pick(p, 25, 10) < 2 THEN
                    [[0, 8, 8, 8, 8, 0, 0], [0, 6, 6, 6, 6, 6, 0], [0, 7.5, 7.5, 7.5, 7.5, 7.5, 0], [0, 0, 8, 8, 8,
                      8, 4]]
                      [1 + pick(p, 26, 4)]
                  WHEN pick(p, 25, 10) < 6 THEN [0, 8, 8, 8, 8, 8, 0] END AS work_days_hours,
             CASE WHEN pick(p, 27, 10) = 0
                  THEN map([day(pick(p, 28, ${days}))::VARCHAR], [[0, 8, 8, 4, 8, 8, 0]]) END
                    AS work_days_hours_history,
             CASE WHEN pick(p, 29, 8) = 0 THEN 1 ELSE 0 END AS contractor,
             CASE WHEN pick(p, 29, 8) = 0 THEN 2 ELSE 1 END AS people_type_id,
             [['remote'], ['senior', 'remote'], ['junior'], []][1 + pick(p, 30, 4)] AS tags,
             day(first_day) AS start_date, day(last_day) AS end_date, CASE WHEN last_day IS NULL THEN 1 ELSE 0 END
               AS active,
             CASE WHEN pick(p, 31, 10) < 3 THEN (100 + pick(p, 32, 90))::DECIMAL(18,4)::VARCHAR END
               AS default_hourly_rate,
             CASE WHEN pick(p, 33, 30) = 0 THEN (50 + pick(p, 34, 60))::DECIMAL(18,4)::VARCHAR END AS cost_rate,
             CASE WHEN pick(p, 33, 60) = 0 THEN day(first_day) END AS effective_date,
             CASE WHEN pick(p, 33, 30) = 0 THEN [] ELSE list_transform(range(3), lambda n: {
               'effective_date': CASE
                 WHEN n = 0 AND pick(p, 35, 5) = 0 THEN NULL
                 WHEN n = 0 AND pick(p, 35, 50) = 1 THEN day(60)
                 WHEN n = 0 THEN day(first_day)
                 ELSE day((n * ${Math.floor(days / 3)} + pick(p, 36 + n, 200) - 100)::INTEGER) END,
               'role_id': CASE WHEN pick(p, 40 + n, 10) > 0 THEN 300 + pick(p, 50 + n, 24) END,
               'role_name': 'Role',
               'cost_rate': CASE WHEN pick(p, 60 + n, 10) > 2
                                 THEN (45 + pick(p, 70, 60) + 3 * n + 0.25)::DECIMAL(18,4)::VARCHAR END,
               'cost_rate_from': CASE WHEN pick(p, 80 + n, 3) = 0 THEN 'person' END
             }) END AS contracts
      FROM staff ORDER BY p`,
    projects: `
      SELECT 2000000 + j AS project_id, 'Project ' || j AS name, 'J-' || j AS project_code,
             5000 + pick(j, 101, ${Math.ceil(size.projects / 4)}) AS client_id,
             [['fixed'], ['retainer', 'priority'], []][1 + pick(j, 102, 3)] AS tags,
             pick(j, 103, 4) AS budget_type, (1000 + 500 * pick(j, 104, 100))::DECIMAL(18,4)::VARCHAR AS budget_total,
             pick(j, 105, 3) AS budget_priority,
             CASE WHEN pick(j, 106, 10) < 4 THEN (90 + 5 * pick(j, 107, 20))::DECIMAL(18,4)::VARCHAR END
               AS default_hourly_rate,
             CASE WHEN pick(j, 108, 12) = 0 THEN 1 ELSE 0 END AS non_billable,
             CASE WHEN pick(j, 109, 15) = 0 THEN 1 ELSE 0 END AS tentative,
             [2, 2, 2, 2, 2, 2, 3, 3, NULL, CASE WHEN pick(j, 110, 4) = 0 THEN 4 ELSE 1 END][1 + pick(j, 111, 10)]
               AS status,
             800 + pick(j, 112, 5) AS stage_id, CASE WHEN pick(j, 113, 8) = 0 THEN 0 ELSE 1 END AS active,
             700 + pick(j, 114, 20) AS project_manager, day(first_day) AS start_date, day(end_day - 1) AS end_date,
             coalesce(team, []) AS project_team
      FROM plans
      LEFT JOIN (
        SELECT j, list({
          'people_id': 1000000 + p,
          'role_id': CASE WHEN pick(p, hash(j, 120), 10) < 6 THEN 300 + pick(p, hash(j, 121), 24) END,
          'hourly_rate': CASE WHEN pick(p, hash(j, 122), 10) < 6 THEN (95 + pick(p, hash(j, 123),
            80))::DECIMAL(18,4)::VARCHAR END,
          'phase_id': CASE WHEN class = 5 THEN 3000000 + j * ${phasesPerProject} + pick(p, hash(j, 124),
            ${phasesPerProject})
                           WHEN class = 4 THEN 0 END
        } ORDER BY p) AS team
        FROM teams WHERE class < 6 GROUP BY j
      ) AS members USING (j) ORDER BY j`,
    phases: `
      SELECT 3000000 + j * ${phasesPerProject} + q AS phase_id, 2000000 + j AS project_id,
             ['Discovery', 'Design', 'Build', 'Launch'][1 + q % 4] AS name,
             day((first_day + (q * (end_day - first_day) + ${phasesPerProject - 1}) // ${phasesPerProject})::INTEGER)
               AS start_date,
             day((first_day - 1
               + ((q + 1) * (end_day - first_day) + ${phasesPerProject - 1}) // ${phasesPerProject})::INTEGER)
               AS end_date,
             [2, 2, 2, 2, 2, 3, 3, 1, NULL, CASE WHEN pick(j, hash(q, 130), 5) = 0 THEN 4 ELSE 2 END]
               [1 + pick(j, hash(q, 131), 10)] AS status,
             CASE WHEN pick(j, hash(q, 132), 20) = 0 THEN 1 ELSE 0 END AS non_billable,
             CASE WHEN pick(j, hash(q, 133), 10) < 2 THEN (100 + 5 * pick(j, hash(q, 134),
               20))::DECIMAL(18,4)::VARCHAR END
               AS default_hourly_rate,
             (200 + 100 * pick(j, hash(q, 135), 100))::DECIMAL(18,4)::VARCHAR AS budget_total,
             coalesce(team, []) AS phase_team
      FROM plans CROSS JOIN range(${phasesPerProject}) r(q)
      LEFT JOIN (
        SELECT j, q, list({
          'people_id': 1000000 + p,
          'role_id': CASE WHEN pick(p, hash(j, q, 140), 10) < 5 THEN 300 + pick(p, hash(j, q, 141), 24) END,
          'hourly_rate': CASE WHEN pick(p, hash(j, q, 142), 10) < 7 THEN (110 + pick(p, hash(j, q, 143),
            80))::DECIMAL(18,4)::VARCHAR END
        } ORDER BY p) AS team
        FROM teams, range(${phasesPerProject}) r(q)
        WHERE class = 6 OR (class < 2 AND pick(p, hash(j, q, 144), 2) = 0) GROUP BY j, q
      ) AS members USING (j, q) ORDER BY j, q`,
    milestones: `
      SELECT 600000 + j * 2 + n AS milestone_id, 2000000 + j AS project_id,
             3000000 + j * ${phasesPerProject} + n * ${phasesPerProject - 1} AS phase_id,
             ['Kick-off', 'Hand-over'][1 + n] AS name, day(CASE WHEN n = 0 THEN first_day ELSE end_day - 1 END) AS date
      FROM plans CROSS JOIN range(2) r(n) ORDER BY j, n`,
    project_tasks: `
      SELECT 9000000 + j * ${tasksPerProject} + n AS task_meta_id, 2000000 + j AS project_id,
             CASE WHEN n < 4 THEN 3000000 + j * ${phasesPerProject} + n ELSE 0 END AS phase_id,
             ['Research', 'Wireframes', 'Coding', 'Testing', 'Meetings', 'Travel'][1 + n % 6] AS task_name,
             CASE WHEN pick(j, hash(n, 150), 8) = 0 THEN 0 WHEN pick(j, hash(n, 150), 8) < 7 THEN 1 END AS billable,
             CASE WHEN pick(j, hash(n, 151), 3) = 0 THEN (50 + pick(j, hash(n, 152), 300))::DECIMAL(18,4)::VARCHAR
               END AS budget
      FROM plans CROSS JOIN range(${tasksPerProject}) r(n) ORDER BY j, n`,
    project_expenses: `
      SELECT 650000000 + j * ${expensesPerProject} + n AS project_expense_id, 2000000 + j AS project_id,
             ['Flights', 'Hotel', 'Licences', 'Printing', 'Stock photos'][1 + pick(j, hash(n, 160), 5)] AS name,
             day((first_day + pick(j, hash(n, 161), end_day - first_day))::INTEGER) AS date,
             (20 + pick(j, hash(n, 162), 400000) / 100)::DECIMAL(18,4)::VARCHAR AS cost,
             CASE WHEN pick(j, hash(n, 163), 3) > 0 THEN 1 ELSE 0 END AS billable,
             CASE WHEN pick(j, hash(n, 164), 2) = 0 THEN (5 * pick(j, hash(n, 165), 6))::DECIMAL(18,4)::VARCHAR END
               AS markup,
             CASE WHEN pick(j, hash(n, 166), 4) = 0 THEN 1 ELSE 0 END AS markup_type
      FROM plans CROSS JOIN range(${expensesPerProject}) r(n) ORDER BY j, n`,
  };
}

/** Returns SQL for allocations: from a work day, for days or one to two weeks, a tenth repeating. */
function tasks(size: Size, period: Period): string {
  const { origin, days } = period;
  const years = size.years;
  return `
    WITH
    numbered AS (
      SELECT i, hash(i, 200) AS h, ((i // ${allocationsPerPersonYear}) % ${size.people})::INTEGER AS p,
             (i // ${allocationsPerPersonYear * size.people})::INTEGER AS y
      FROM range(${size.people * years * allocationsPerPersonYear}) r(i)
    ),
    drawn AS (
      SELECT *, y * ${Math.floor(days / years)} + ((h >> 3) % ${Math.floor(days / years)})::INTEGER AS any_day,
             lane_of(p, (h >> 13) % ${lanesPerPerson}) AS lane,
             [1, 2, 3, 5, 5, 7, 12, 12][1 + ((h >> 17) % 8)::INTEGER] AS length,
             (h % 10 = 0) AS repeating, ((h >> 21) % 9)::INTEGER + 1 AS state
      FROM numbered
    ),
    dated AS (
      SELECT *, CASE WHEN isodow(day(any_day)) > 5 AND h % 11 > 0 THEN any_day + 8 - isodow(day(any_day))::INTEGER
                     ELSE any_day END AS start_day,
             CASE WHEN repeating THEN least(length, 5) ELSE length END AS span
      FROM drawn
    ),
    placed AS (
      SELECT dated.*, j, plans.first_day, end_day,
             phase_at(j, plans.first_day, end_day - plans.first_day, start_day) AS phase
      FROM dated JOIN plans ON plans.j = project_at(lane, start_day)
    ),
    records AS (
      SELECT i, h % ${dirtyEvery} = 7 AS dirty, h % ${dirtyEvery} = 11 AS twice, (h >> 33) % 5 AS flaw, 4000000 + i
        AS task_id,
             2000000 + j AS project_id, CASE WHEN (h >> 25) % 10 = 0 THEN 0 ELSE phase END AS phase_id,
             CASE WHEN (h >> 27) % 25 > 0 THEN 1000000 + p END AS people_id,
             CASE WHEN (h >> 27) % 25 = 0 THEN [1000000 + p, 1000000 + (p + 1 + (h >> 40) % 7) % ${size.people}] END
               AS people_ids,
             day(start_day) AS start_date, day((start_day + span - 1)::INTEGER) AS end_date,
             [8, 8, 8, 6, 4, 4, 2, 7.5, 3.25, 1.5][1 + ((h >> 29) % 10)::INTEGER] AS hours,
             ['Build', 'Workshop', 'Review', 'Planning', 'Support', ''][1 + ((h >> 31) % 6)::INTEGER] AS name,
             CASE WHEN repeating THEN state ELSE 0 END AS repeat_state,
             CASE WHEN repeating AND (h >> 34) % 30 > 0
                  THEN day(greatest(start_day + span, least(end_day - 1, start_day + [90, 365, 150, 150, 250, 500,
                    500, 700, 800][state]))::INTEGER)
                  END AS repeat_end_date,
             CASE (h >> 36) % 50 WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 1 WHEN 3 THEN 3 WHEN 4 THEN 4 WHEN 5
               THEN NULL ELSE 2 END
               AS status,
             CASE WHEN (h >> 42) % 20 = 0 THEN NULL WHEN (h >> 42) % 20 < 3 THEN 0 ELSE 1 END AS billable,
             CASE WHEN (h >> 45) % 2 = 0 THEN 9000000 + j * ${tasksPerProject} + (h >> 47) % ${tasksPerProject} END
               AS task_meta_id,
             day(start_day - 20)::TIMESTAMP + to_seconds((h % 80000)::BIGINT) AS created
      FROM placed
    )
    SELECT task_id, project_id, phase_id, CASE WHEN dirty AND flaw = 0 THEN NULL ELSE people_id END AS people_id,
           CASE WHEN NOT (dirty AND flaw = 0) THEN people_ids END AS people_ids,
           CASE WHEN dirty AND flaw = 1 THEN '2025-02-31' ELSE start_date::VARCHAR END AS start_date,
           CASE WHEN dirty AND flaw = 2 THEN start_date - 1 ELSE end_date END AS end_date,
           CASE WHEN dirty AND flaw = 3 THEN 25 WHEN dirty AND flaw = 4 THEN -1 ELSE hours END AS hours,
           name, repeat_state, repeat_end_date, status, billable, task_meta_id, created, created AS modified
    FROM records
    UNION ALL
    SELECT task_id, project_id, phase_id, people_id, people_ids, start_date::VARCHAR, end_date, 5, name, repeat_state,
           repeat_end_date, status, billable, task_meta_id, created, ${origin}::TIMESTAMP
    FROM records WHERE twice`;
}

function timeoffs(size: Size, period: Period): string {
  const { days } = period;
  return `
    WITH numbered AS (
      SELECT i, hash(i, 300) AS h, i % ${size.people} AS p
        FROM range(${size.people * size.years * timeoffsPerPersonYear}) r(i)
    )
    SELECT 7000000 + i AS timeoff_id, CASE WHEN h % 2 = 0 THEN 1000000 + p END AS people_id,
           CASE WHEN h % 2 = 1 THEN [1000000 + p] END AS people_ids,
           10 + (h >> 2) % 3 AS timeoff_type_id, ['Holiday', 'Sick', 'Training'][1 + ((h >> 2) % 3)::INTEGER]
             AS timeoff_type_name,
           day(((h >> 5) % ${days})::INTEGER) AS start_date,
           CASE WHEN h % ${dirtyEvery} = 3 THEN day(((h >> 5) % ${days})::INTEGER - 1)
                ELSE day(((h >> 5) % ${days})::INTEGER + [0, 0, 0, 1, 1, 2, 4, 6][1 + ((h >> 20) % 8)::INTEGER]) END
                  AS end_date,
           CASE WHEN (h >> 23) % 10 = 0 THEN [4, 2, 3.5][1 + ((h >> 26) % 3)::INTEGER] END AS hours,
           CASE WHEN (h >> 23) % 10 = 0 THEN 0 WHEN (h >> 23) % 10 < 8 THEN 1 END AS full_day,
           CASE WHEN (h >> 28) % 50 = 0 THEN 2 + (h >> 34) % 2 ELSE 0 END AS repeat_state,
           CASE WHEN (h >> 28) % 50 = 0 THEN day(((h >> 5) % ${days})::INTEGER + 200) END AS repeat_end,
           CASE WHEN (h >> 36) % 20 = 0 THEN 1 WHEN (h >> 36) % 20 = 1 THEN 3 WHEN (h >> 36) % 20 < 18 THEN 2 END
             AS status
    FROM numbered`;
}

/** Returns SQL for logged time by day: one record per work day, two on every fifth. */
function loggedTime(size: Size, period: Period): string {
  const { days } = period;
  return `
    WITH
    workdays AS (
      SELECT i, hash(i, 400) AS h, (i % ${size.people})::INTEGER AS p, (i // ${size.people})::INTEGER AS d
      FROM range(${size.people * days}) r(i)
      WHERE isodow(day((i // ${size.people})::INTEGER)) <= 5
    ),
    repeated AS (SELECT i, p, d, h, unnest(range(CASE WHEN h % 5 = 0 THEN 2 ELSE 1 END)) AS n FROM workdays),
    numbered AS (SELECT i, p, d, n, CASE WHEN n = 0 THEN h ELSE hash(h, n) END AS h, h % 5 = 0 AS shared FROM repeated),
    placed AS (
      SELECT numbered.*, j, phase_at(j, plans.first_day, end_day - plans.first_day, d) AS phase
      FROM numbered
      JOIN staff ON staff.p = numbered.p
      JOIN plans ON plans.j = project_at(lane_of(numbered.p, (h >> 4) % ${lanesPerPerson}), d)
      WHERE d >= staff.first_day AND d <= coalesce(staff.last_day, ${days})
    ),
    records AS (
      SELECT h % ${dirtyEvery} = 7 AS dirty, h % ${dirtyEvery} = 11 AS twice, (h >> 44) % 4 AS flaw,
             printf('%08x5e3a1c90%02x%06x', epoch(day(d))::BIGINT + 28800 + (h % 40000)::BIGINT, (h >> 48) % 4,
               (i * 2 + n) & 16777215)
               AS logged_time_id, 1000000 + p AS people_id, day(d) AS date,
             CASE WHEN shared THEN [4, 3.5, 2, 4.25][1 + ((h >> 8) % 4)::INTEGER]
                  ELSE [8, 7.5, 8, 6, 7.25, 8, 5.3333, 9][1 + ((h >> 8) % 8)::INTEGER] END AS hours,
             CASE WHEN (h >> 12) % 32 = 0 THEN NULL WHEN (h >> 12) % 32 < 7 THEN 0 ELSE 1 END AS billable,
             CASE WHEN d < ${days - 60} THEN 1 ELSE 0 END AS locked,
             CASE WHEN (h >> 17) % 50 > 0 THEN 2000000 + j END AS project_id,
             CASE WHEN (h >> 23) % 10 > 0 AND (h >> 17) % 50 > 0 THEN phase ELSE 0 END AS phase_id,
             CASE WHEN (h >> 26) % 10 < 6
                  THEN 4000000 + (least(d // ${Math.floor(days / size.years)}, ${size.years - 1}) * ${size.people} + p)
                               * ${allocationsPerPersonYear} + (h >> 30) % ${allocationsPerPersonYear} END AS task_id,
             CASE WHEN (h >> 36) % 10 < 3 THEN 9000000 + j * ${tasksPerProject} + (h >> 39) % ${tasksPerProject} END
               AS task_meta_id,
             ['', '', 'Stand-up and review', 'Fixed the import', 'Client call, notes in the folder',
               'Wireframes for the second flow',
              'Pairing on the pricing rules', 'Preparing the workshop'][1 + ((h >> 41) % 8)::INTEGER] AS notes,
             day(d)::TIMESTAMP + to_seconds(28800 + (h % 40000)::BIGINT) AS created
      FROM placed
    )
    SELECT logged_time_id, CASE WHEN dirty AND flaw = 0 THEN NULL ELSE people_id END AS people_id,
           CASE WHEN dirty AND flaw = 1 THEN '2025-02-31' ELSE date::VARCHAR END AS date,
           CASE WHEN dirty AND flaw = 2 THEN 25 WHEN dirty AND flaw = 3 THEN -1 ELSE hours END AS hours,
           billable, locked, project_id, phase_id, task_id, task_meta_id, notes, created, created AS modified
    FROM records
    UNION ALL
    SELECT logged_time_id, people_id, date::VARCHAR, 1.25, billable, locked, project_id, phase_id, task_id,
      task_meta_id, notes,
           created, created + INTERVAL 1 DAY
    FROM records WHERE twice`;
}

/** Writes the records of a company into a directory, whole or not at all. */
export async function generateCompany(sizeName: SizeName, directory: string): Promise<void> {
  const size = sizes[sizeName];
  const period = periodOf(size);
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(path.join(partial, 'settings.json'), `${JSON.stringify(settings)}\n`);
  const resources: Record<string, string> = {
    ...smallResources(size),
    ...peopleAndProjects(size, period),
    tasks: tasks(size, period),
    timeoffs: timeoffs(size, period),
    logged_time: loggedTime(size, period),
  };
  await withConnection(':memory:', async (connection) => {
    for (const statement of layout(size, period)) await connection.run(statement);
    for (const [name, sql] of Object.entries(resources)) {
      await writeResource(connection, sql, path.join(partial, `${name}.ndjson`));
    }
  });
  await rm(directory, { recursive: true, force: true });
  await rename(partial, directory);
}

async function writeResource(connection: DuckDBConnection, sql: string, file: string): Promise<void> {
  await connection.run(`COPY (${sql}) TO ${quote(file)} (FORMAT json)`);
}

export async function ensureCompany(sizeName: SizeName): Promise<string> {
  const directory = path.resolve('bench', 'data', sizeName);
  if (!existsSync(directory)) await generateCompany(sizeName, directory);
  return directory;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { size: { type: 'string', default: 'M' }, directory: { type: 'string' } } });
  const sizeName = parseSize(values.size);
  const directory = values.directory ?? path.resolve('bench', 'data', sizeName);
  const startedAt = performance.now();
  await generateCompany(sizeName, directory);
  process.stderr.write(`${directory} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}
