WITH lines AS (
  SELECT ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours, ledger.cost, ledger.fee
  FROM core.ledger AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
),
row_lines AS (
  SELECT lines.*, project_tags.tag AS key_tag
  FROM lines LEFT JOIN marts.project_tags AS project_tags ON project_tags.project_id = lines.project_id
),
cells AS (
  SELECT key_tag, kind, is_to_date,
    SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee
  FROM row_lines GROUP BY key_tag, kind, is_to_date
),
total_cells AS (
  SELECT kind, is_to_date,
    SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee
  FROM lines GROUP BY kind, is_to_date
),
periods AS (
  SELECT MIN(date) AS first_day, MAX(date) AS last_day
  FROM (SELECT pl_add_days(DATE '2026-01-01', series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(DATE '2026-01-01', DATE '2026-03-31'))) AS series (day)) AS days
  
),
crew AS (
  SELECT DISTINCT key_tag, people_id FROM row_lines
  WHERE people_id IS NOT NULL AND (kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) OR kind = pl_line_kind('actual') AND is_to_date)
),
row_keys AS (SELECT DISTINCT key_tag FROM cells),
row_sums AS (
  SELECT key_tag, SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_expense_to_date THEN fee END) AS "expense_to_date__fee", BOOL_OR(in_expense_to_date) AS "has_expense_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", SUM(CASE WHEN in_expense_to_date THEN cost END) AS "expense_to_date__cost"
  FROM (SELECT *, kind = 'actual' AND is_to_date AS "in_actual", kind = 'expense' AND is_to_date AS "in_expense_to_date" FROM cells) AS cells
  GROUP BY key_tag
),
total_sums AS (
  SELECT SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_expense_to_date THEN fee END) AS "expense_to_date__fee", BOOL_OR(in_expense_to_date) AS "has_expense_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", SUM(CASE WHEN in_expense_to_date THEN cost END) AS "expense_to_date__cost"
  FROM (SELECT *, kind = 'actual' AND is_to_date AS "in_actual", kind = 'expense' AND is_to_date AS "in_expense_to_date" FROM total_cells) AS cells
),
people_capacity AS (
  SELECT people_id, SUM(hours) AS capacity, SUM(hours_to_date) AS capacity_to_date, SUM(time_off_hours) AS time_off
  FROM (
    SELECT people_id, week_hours[1] * ((pl_days_between(first_day, last_day) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, last_day) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, last_day) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, last_day) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, last_day) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, last_day) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, last_day) + 7 - (13 - weekday) % 7) // 7) AS hours,
      CASE WHEN first_day <= DATE '2026-03-01' THEN week_hours[1] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (13 - weekday) % 7) // 7) END AS hours_to_date, 0 AS time_off_hours
    FROM (
      SELECT *, pl_weekday(first_day) AS weekday
      FROM (
        SELECT spans.people_id, week_hours, GREATEST(valid_from, first_day) AS first_day,
          LEAST(pl_add_days(capacity_to, -1), last_day) AS last_day
        FROM (SELECT DISTINCT crew.people_id, first_day, last_day
      FROM crew JOIN periods ON TRUE) AS spans
        JOIN core.work_hours AS work_hours ON work_hours.people_id = spans.people_id AND valid_from <= last_day AND capacity_to > first_day
      ) AS clipped
    ) AS worked
    UNION ALL
    SELECT days.people_id, -days.time_off_hours,
      CASE WHEN days.date <= DATE '2026-03-01' THEN -days.time_off_hours END, days.time_off_hours
    FROM core.time_off_days AS days
    JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    WHERE days.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND days.people_id IN (SELECT people_id FROM crew)
  ) AS hours
  GROUP BY people_id
),
row_capacity AS (
  SELECT crew.key_tag, SUM(capacity) AS "capacity", SUM(capacity_to_date) AS "capacity_to_date", SUM(time_off) AS "time_off"
  FROM crew JOIN people_capacity ON people_capacity.people_id = crew.people_id
  GROUP BY crew.key_tag
),
total_capacity AS (
  SELECT SUM(capacity) AS "capacity", SUM(capacity_to_date) AS "capacity_to_date", SUM(time_off) AS "time_off"
  FROM people_capacity
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_tag AS "tag", actual__hours, actual__fee, has_actual, expense_to_date__fee, has_expense_to_date, actual__cost, expense_to_date__cost, capacity, capacity_to_date, time_off
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_tag IS NOT DISTINCT FROM row_keys.key_tag
    LEFT JOIN row_capacity ON row_capacity.key_tag IS NOT DISTINCT FROM row_keys.key_tag
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "tag", actual__hours, actual__fee, has_actual, expense_to_date__fee, has_expense_to_date, actual__cost, expense_to_date__cost, capacity, capacity_to_date, time_off
  FROM total_sums CROSS JOIN total_capacity
),
amounts AS (SELECT *, COALESCE(actual__hours, 0) AS "actual_hours", COALESCE(capacity, 0) AS "capacity_hours", CASE WHEN COALESCE(actual__fee, expense_to_date__fee, actual__cost, expense_to_date__cost) IS NULL AND (has_actual OR has_expense_to_date OR has_actual OR has_expense_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(expense_to_date__fee, 0) - COALESCE(actual__cost, 0) - COALESCE(expense_to_date__cost, 0) END AS "actual_profit", CASE WHEN COALESCE(actual__fee, expense_to_date__fee) IS NULL AND (has_actual OR has_expense_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(expense_to_date__fee, 0) END AS "actual_revenue" FROM parts),
measures AS (SELECT *, CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) OR COALESCE(actual__cost) IS NULL AND (has_actual) THEN NULL ELSE pl_percent(actual_profit, actual_revenue) END AS "actual_margin_percent" FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "tag", "actual_hours", "capacity_hours", "actual_margin_percent"
FROM measures
ORDER BY is_total, "tag" COLLATE en NULLS LAST, "tag" NULLS LAST;

WITH people AS (
  SELECT SUM(hours) AS hours_by_person, SUM(cost) AS cost_by_person, SUM(fee) AS fee_by_person
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') GROUP BY people_id) AS groups
),
projects AS (
  SELECT SUM(hours) AS hours_by_project, SUM(cost) AS cost_by_project, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee_by_project, SUM(fee_rounded_off) AS fee_rounded_off
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee, SUM(fee_rounded_off) AS fee_rounded_off FROM (
    SELECT kind, project_id, phase_id, task_meta_id, status, billable, hours, cost, fee, cost_rounded_off, fee_rounded_off FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01'
  ) AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('actual')),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
expenses AS (
  SELECT SUM(cost) AS expense_cost, SUM(unrounded_cost) AS exact_expense_cost, SUM(fee) AS expense_fee, SUM(unrounded_fee) AS exact_expense_fee
  FROM core.expenses WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses;
