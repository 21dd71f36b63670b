WITH lines AS (
  SELECT project.client_id AS key_client, pl_fiscal_start(ledger.date, 3, 4) AS key_quarter, ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours, ledger.cost, ledger.fee, ledger.cost_rate_source
  FROM core.ledger AS ledger LEFT JOIN core.named_projects AS project ON project.project_id = ledger.project_id
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
),
cells AS (
  SELECT key_client, key_quarter, kind, status, is_billable, is_to_date,
    SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee, SUM(CASE WHEN cost_rate_source = 'none' THEN hours END) AS hours_without_cost_rate, SUM(CASE WHEN fee IS NULL THEN hours END) AS hours_without_bill_rate
  FROM lines GROUP BY key_client, key_quarter, kind, status, is_billable, is_to_date
),
periods AS (
  SELECT pl_fiscal_start(date, 3, 4) AS key_quarter, MIN(date) AS first_day, MAX(date) AS last_day
  FROM (SELECT pl_add_days(DATE '2026-01-01', series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(DATE '2026-01-01', DATE '2026-03-31'))) AS series (day)) AS days
  GROUP BY key_quarter
),
crew AS (
  SELECT DISTINCT key_client, key_quarter, people_id FROM lines
  WHERE people_id IS NOT NULL AND (kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) OR kind = pl_line_kind('actual') AND is_to_date)
),
row_keys AS (SELECT DISTINCT key_client, key_quarter FROM cells),
row_sums AS (
  SELECT key_client, key_quarter, SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate", SUM(CASE WHEN in_expense THEN cost END) AS "expense__cost", BOOL_OR(in_expense) AS "has_expense", SUM(CASE WHEN in_expense THEN fee END) AS "expense__fee", SUM(CASE WHEN in_expense_to_date THEN cost END) AS "expense_to_date__cost", BOOL_OR(in_expense_to_date) AS "has_expense_to_date", SUM(CASE WHEN in_expense_to_date THEN fee END) AS "expense_to_date__fee"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff", kind = 'expense' AS "in_expense", kind = 'expense' AND is_to_date AS "in_expense_to_date" FROM cells) AS cells
  GROUP BY key_client, key_quarter
),
total_sums AS (
  SELECT SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate", SUM(CASE WHEN in_expense THEN cost END) AS "expense__cost", BOOL_OR(in_expense) AS "has_expense", SUM(CASE WHEN in_expense THEN fee END) AS "expense__fee", SUM(CASE WHEN in_expense_to_date THEN cost END) AS "expense_to_date__cost", BOOL_OR(in_expense_to_date) AS "has_expense_to_date", SUM(CASE WHEN in_expense_to_date THEN fee END) AS "expense_to_date__fee"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff", kind = 'expense' AS "in_expense", kind = 'expense' AND is_to_date AS "in_expense_to_date" FROM cells) AS cells
),
people_capacity AS (
  SELECT people_id, key_quarter, SUM(hours) AS capacity, SUM(hours_to_date) AS capacity_to_date, SUM(time_off_hours) AS time_off
  FROM (
    SELECT people_id, key_quarter, week_hours[1] * ((pl_days_between(first_day, last_day) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, last_day) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, last_day) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, last_day) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, last_day) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, last_day) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, last_day) + 7 - (13 - weekday) % 7) // 7) AS hours,
      CASE WHEN first_day <= DATE '2026-03-01' THEN week_hours[1] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (13 - weekday) % 7) // 7) END AS hours_to_date, 0 AS time_off_hours
    FROM (
      SELECT *, pl_weekday(first_day) AS weekday
      FROM (
        SELECT spans.people_id, key_quarter, week_hours, GREATEST(valid_from, first_day) AS first_day,
          LEAST(pl_add_days(capacity_to, -1), last_day) AS last_day
        FROM (SELECT DISTINCT crew.people_id, crew.key_quarter, first_day, last_day
      FROM crew JOIN periods ON periods.key_quarter IS NOT DISTINCT FROM crew.key_quarter) AS spans
        JOIN core.work_hours AS work_hours ON work_hours.people_id = spans.people_id AND valid_from <= last_day AND capacity_to > first_day
      ) AS clipped
    ) AS worked
    UNION ALL
    SELECT days.people_id, pl_fiscal_start(days.date, 3, 4), -days.time_off_hours,
      CASE WHEN days.date <= DATE '2026-03-01' THEN -days.time_off_hours END, days.time_off_hours
    FROM core.time_off_days AS days
    JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    WHERE days.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND days.people_id IN (SELECT people_id FROM crew)
  ) AS hours
  GROUP BY people_id, key_quarter
),
window_capacity AS (
  SELECT people_id, SUM(hours) AS capacity, SUM(hours_to_date) AS capacity_to_date, SUM(time_off_hours) AS time_off
  FROM (
    SELECT people_id, week_hours[1] * ((pl_days_between(first_day, last_day) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, last_day) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, last_day) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, last_day) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, last_day) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, last_day) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, last_day) + 7 - (13 - weekday) % 7) // 7) AS hours,
      CASE WHEN first_day <= DATE '2026-03-01' THEN week_hours[1] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-03-01')) + 7 - (13 - weekday) % 7) // 7) END AS hours_to_date, 0 AS time_off_hours
    FROM (
      SELECT *, pl_weekday(first_day) AS weekday
      FROM (
        SELECT spans.people_id, week_hours, GREATEST(valid_from, first_day) AS first_day,
          LEAST(pl_add_days(capacity_to, -1), last_day) AS last_day
        FROM (SELECT DISTINCT people_id, DATE '2026-01-01' AS first_day, DATE '2026-03-31' AS last_day FROM crew) AS spans
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
  SELECT crew.key_client, crew.key_quarter, SUM(capacity) AS "capacity", SUM(capacity_to_date) AS "capacity_to_date", SUM(time_off) AS "time_off"
  FROM crew JOIN people_capacity ON people_capacity.people_id = crew.people_id AND people_capacity.key_quarter IS NOT DISTINCT FROM crew.key_quarter
  GROUP BY crew.key_client, crew.key_quarter
),
total_capacity AS (
  SELECT SUM(capacity) AS "capacity", SUM(capacity_to_date) AS "capacity_to_date", SUM(time_off) AS "time_off"
  FROM window_capacity
),
row_worked_days AS (
    WITH able_days AS (
      SELECT days.*, week_hours
      FROM (
    SELECT key_client, key_quarter, people_id, date, SUM(hours) AS scheduled_hours
    FROM lines WHERE kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) GROUP BY key_client, key_quarter, people_id, date
  ) AS days
      JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    )
    SELECT *, time_off_hours AS time_off, capacity_hours AS capacity,
      CASE WHEN date <= DATE '2026-03-01' THEN capacity_hours END AS capacity_to_date
    FROM (
SELECT
  able_days.*,
  pl_hours_on(able_days.week_hours, able_days.date) AS work_hours,
  COALESCE(time_off_days.time_off_hours, 0) AS time_off_hours,
  pl_hours_on(able_days.week_hours, able_days.date) - COALESCE(time_off_days.time_off_hours, 0) AS capacity_hours
FROM able_days
LEFT JOIN core.time_off_days AS time_off_days ON time_off_days.people_id = able_days.people_id AND time_off_days.date = able_days.date

    ) AS capacity_days
  ),
row_overtime AS (
  SELECT key_client, key_quarter, SUM(GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0)) AS "overtime", SUM(CASE WHEN date > DATE '2026-03-01' THEN GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) END) AS "future_overtime", SUM(LEAST(COALESCE(scheduled_hours, 0), capacity)) AS "covered"
  FROM row_worked_days
  GROUP BY key_client, key_quarter
),
total_worked_days AS (
    WITH able_days AS (
      SELECT days.*, week_hours
      FROM (
    SELECT people_id, date, SUM(hours) AS scheduled_hours
    FROM lines WHERE kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) GROUP BY people_id, date
  ) AS days
      JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    )
    SELECT *, time_off_hours AS time_off, capacity_hours AS capacity,
      CASE WHEN date <= DATE '2026-03-01' THEN capacity_hours END AS capacity_to_date
    FROM (
SELECT
  able_days.*,
  pl_hours_on(able_days.week_hours, able_days.date) AS work_hours,
  COALESCE(time_off_days.time_off_hours, 0) AS time_off_hours,
  pl_hours_on(able_days.week_hours, able_days.date) - COALESCE(time_off_days.time_off_hours, 0) AS capacity_hours
FROM able_days
LEFT JOIN core.time_off_days AS time_off_days ON time_off_days.people_id = able_days.people_id AND time_off_days.date = able_days.date

    ) AS capacity_days
  ),
total_overtime AS (
  SELECT SUM(GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0)) AS "overtime", SUM(CASE WHEN date > DATE '2026-03-01' THEN GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) END) AS "future_overtime", SUM(LEAST(COALESCE(scheduled_hours, 0), capacity)) AS "covered"
  FROM total_worked_days
),
budget_members AS (SELECT DISTINCT key_client, key_quarter, project_id FROM lines),
budgeted AS (
  SELECT project_id, budget_unit, CAST(budget_total AS DECIMAL(38, 6)) AS total FROM marts.budgets
  WHERE level = 'project' AND project_id IN (SELECT project_id FROM budget_members)
),
budget_lines AS (
  SELECT project_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind <> pl_line_kind('scheduled') AND project_id IN (SELECT project_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT project_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND month >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND project_id IN (SELECT project_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT project_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, 1 AS line_count, date <= DATE '2026-03-01' AS is_to_date
  FROM core.ledger WHERE project_id IN (SELECT project_id FROM budgeted) AND date >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND date < pl_add_months(pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)), 1) AND pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) <= DATE '2026-03-01'
),
budget_use AS (
  SELECT project_id,
    COALESCE(SUM(CASE WHEN is_used THEN billable_hours END), 0) AS used_hours,
    COALESCE(SUM(CASE WHEN is_left THEN billable_hours END), 0) AS later_hours,
    CAST(SUM(CASE WHEN is_used THEN fee END) AS DECIMAL(38, 6)) AS used_fees,
    CAST(SUM(CASE WHEN is_left THEN fee END) AS DECIMAL(38, 6)) AS later_fees,
    COALESCE(SUM(CASE WHEN is_used THEN line_count END), 0) AS used_lines,
    COALESCE(SUM(CASE WHEN is_left THEN line_count END), 0) AS later_lines
  FROM (SELECT
  budget_lines.*,
  CASE WHEN budget_lines.billable THEN budget_lines.hours END AS billable_hours,
  budget_lines.kind <> pl_line_kind('scheduled') AND budget_lines.is_to_date AS is_used,
  budget_lines.kind = pl_line_kind('expense') OR (budget_lines.kind = pl_line_kind('scheduled') AND budget_lines.is_asked) AS is_planned,
  NOT budget_lines.is_to_date
    AND (budget_lines.kind = pl_line_kind('expense') OR (budget_lines.kind = pl_line_kind('scheduled') AND budget_lines.is_asked)) AS is_left
FROM budget_lines
WHERE CASE WHEN budget_lines.kind = pl_line_kind('expense') THEN budget_lines.billable ELSE TRUE END
) AS uses GROUP BY project_id
),
budget_amounts AS (
  SELECT budgeted.project_id, budget_unit, total,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0)
      WHEN used_fees IS NOT NULL OR COALESCE(used_lines, 0) = 0 THEN COALESCE(used_fees, 0)
    END AS used,
    total - COALESCE(used, 0) AS remaining,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours + later_hours, 0)
      WHEN COALESCE(used_fees, later_fees) IS NOT NULL OR COALESCE(used_lines + later_lines, 0) = 0
        THEN COALESCE(used_fees, 0) + COALESCE(later_fees, 0)
    END AS forecast
  FROM budgeted
  LEFT JOIN budget_use ON budget_use.project_id = budgeted.project_id
),
row_budget AS (
  SELECT key_client, key_quarter, CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM budget_members JOIN budget_amounts ON budget_amounts.project_id = budget_members.project_id
  GROUP BY key_client, key_quarter
),
total_budget AS (
  SELECT CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM (SELECT DISTINCT project_id FROM budget_members) AS budget_members JOIN budget_amounts ON budget_amounts.project_id = budget_members.project_id
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_client AS "client_id", of_client.client AS "client", row_keys.key_quarter AS "quarter", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, expense__cost, has_expense, expense__fee, expense_to_date__cost, has_expense_to_date, expense_to_date__fee, capacity, capacity_to_date, time_off, overtime, future_overtime, covered, budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_client IS NOT DISTINCT FROM row_keys.key_client AND row_sums.key_quarter IS NOT DISTINCT FROM row_keys.key_quarter
    LEFT JOIN row_capacity ON row_capacity.key_client IS NOT DISTINCT FROM row_keys.key_client AND row_capacity.key_quarter IS NOT DISTINCT FROM row_keys.key_quarter
    LEFT JOIN row_overtime ON row_overtime.key_client IS NOT DISTINCT FROM row_keys.key_client AND row_overtime.key_quarter IS NOT DISTINCT FROM row_keys.key_quarter
    LEFT JOIN row_budget ON row_budget.key_client IS NOT DISTINCT FROM row_keys.key_client AND row_budget.key_quarter IS NOT DISTINCT FROM row_keys.key_quarter
    LEFT JOIN marts.clients AS of_client ON of_client.client_id = row_keys.key_client
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "client_id", NULL AS "client", NULL AS "quarter", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, expense__cost, has_expense, expense__fee, expense_to_date__cost, has_expense_to_date, expense_to_date__fee, capacity, capacity_to_date, time_off, overtime, future_overtime, covered, budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM total_sums CROSS JOIN total_capacity CROSS JOIN total_overtime CROSS JOIN total_budget
),
amounts AS (SELECT *, COALESCE(scheduled__hours, 0) AS "scheduled_hours", COALESCE(scheduled_billable__hours, 0) AS "scheduled_billable_hours", COALESCE(scheduled_non_billable__hours, 0) AS "scheduled_non_billable_hours", COALESCE(tentative__hours, 0) AS "tentative_hours", COALESCE(scheduled_to_date__hours, 0) AS "scheduled_to_date_hours", COALESCE(actual__hours, 0) AS "actual_hours", COALESCE(actual_billable__hours, 0) AS "actual_billable_hours", COALESCE(actual_non_billable__hours, 0) AS "actual_non_billable_hours", COALESCE(actual__hours, 0) - COALESCE(scheduled_to_date__hours, 0) AS "variance_hours", COALESCE(actual__hours, 0) + COALESCE(scheduled_after_cutoff__hours, 0) AS "forecast_hours", CASE WHEN COALESCE(scheduled__cost) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__cost, 0) END AS "scheduled_cost", CASE WHEN COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__cost, 0) END AS "scheduled_to_date_cost", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__cost, 0) END AS "actual_cost", CASE WHEN COALESCE(actual__cost, scheduled_to_date__cost) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__cost, 0) - COALESCE(scheduled_to_date__cost, 0) END AS "variance_cost", CASE WHEN COALESCE(actual__cost, scheduled_after_cutoff__cost) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__cost, 0) + COALESCE(scheduled_after_cutoff__cost, 0) END AS "forecast_cost", COALESCE(scheduled__hours_without_cost_rate, 0) AS "scheduled_hours_without_cost_rate", COALESCE(actual__hours_without_cost_rate, 0) AS "actual_hours_without_cost_rate", CASE WHEN COALESCE(scheduled__fee) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__fee, 0) END AS "scheduled_fees", CASE WHEN COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__fee, 0) END AS "scheduled_to_date_fees", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__fee, 0) END AS "actual_fees", CASE WHEN COALESCE(actual__fee, scheduled_to_date__fee) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) - COALESCE(scheduled_to_date__fee, 0) END AS "variance_fees", CASE WHEN COALESCE(actual__fee, scheduled_after_cutoff__fee) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(scheduled_after_cutoff__fee, 0) END AS "forecast_fees", CASE WHEN COALESCE(tentative__fee) IS NULL AND (has_tentative) THEN NULL ELSE COALESCE(tentative__fee, 0) END AS "tentative_fees", COALESCE(scheduled__hours_without_bill_rate, 0) AS "scheduled_hours_without_bill_rate", COALESCE(actual__hours_without_bill_rate, 0) AS "actual_hours_without_bill_rate", CASE WHEN COALESCE(expense__cost) IS NULL AND (has_expense) THEN NULL ELSE COALESCE(expense__cost, 0) END AS "expense_cost", CASE WHEN COALESCE(expense__fee) IS NULL AND (has_expense) THEN NULL ELSE COALESCE(expense__fee, 0) END AS "expense_fees", CASE WHEN COALESCE(expense_to_date__cost) IS NULL AND (has_expense_to_date) THEN NULL ELSE COALESCE(expense_to_date__cost, 0) END AS "expense_to_date_cost", CASE WHEN COALESCE(expense_to_date__fee) IS NULL AND (has_expense_to_date) THEN NULL ELSE COALESCE(expense_to_date__fee, 0) END AS "expense_to_date_fees", CASE WHEN COALESCE(scheduled__fee, expense__fee) IS NULL AND (has_scheduled OR has_expense) THEN NULL ELSE COALESCE(scheduled__fee, 0) + COALESCE(expense__fee, 0) END AS "scheduled_revenue", CASE WHEN COALESCE(scheduled_to_date__fee, expense_to_date__fee) IS NULL AND (has_scheduled_to_date OR has_expense_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__fee, 0) + COALESCE(expense_to_date__fee, 0) END AS "scheduled_to_date_revenue", CASE WHEN COALESCE(actual__fee, expense_to_date__fee) IS NULL AND (has_actual OR has_expense_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(expense_to_date__fee, 0) END AS "actual_revenue", CASE WHEN COALESCE(actual__fee, scheduled_to_date__fee) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) - COALESCE(scheduled_to_date__fee, 0) END AS "variance_revenue", CASE WHEN COALESCE(actual__fee, scheduled_after_cutoff__fee, expense__fee) IS NULL AND (has_actual OR has_scheduled_after_cutoff OR has_expense) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(scheduled_after_cutoff__fee, 0) + COALESCE(expense__fee, 0) END AS "forecast_revenue", CASE WHEN COALESCE(scheduled__fee, expense__fee, scheduled__cost, expense__cost) IS NULL AND (has_scheduled OR has_expense OR has_scheduled OR has_expense) THEN NULL ELSE COALESCE(scheduled__fee, 0) + COALESCE(expense__fee, 0) - COALESCE(scheduled__cost, 0) - COALESCE(expense__cost, 0) END AS "scheduled_profit", CASE WHEN COALESCE(scheduled_to_date__fee, expense_to_date__fee, scheduled_to_date__cost, expense_to_date__cost) IS NULL AND (has_scheduled_to_date OR has_expense_to_date OR has_scheduled_to_date OR has_expense_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__fee, 0) + COALESCE(expense_to_date__fee, 0) - COALESCE(scheduled_to_date__cost, 0) - COALESCE(expense_to_date__cost, 0) END AS "scheduled_to_date_profit", CASE WHEN COALESCE(actual__fee, expense_to_date__fee, actual__cost, expense_to_date__cost) IS NULL AND (has_actual OR has_expense_to_date OR has_actual OR has_expense_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(expense_to_date__fee, 0) - COALESCE(actual__cost, 0) - COALESCE(expense_to_date__cost, 0) END AS "actual_profit", CASE WHEN COALESCE(actual__fee, scheduled_to_date__fee, actual__cost, scheduled_to_date__cost) IS NULL AND (has_actual OR has_scheduled_to_date OR has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) - COALESCE(scheduled_to_date__fee, 0) - COALESCE(actual__cost, 0) + COALESCE(scheduled_to_date__cost, 0) END AS "variance_profit", CASE WHEN COALESCE(actual__fee, scheduled_after_cutoff__fee, expense__fee, actual__cost, scheduled_after_cutoff__cost, expense__cost) IS NULL AND (has_actual OR has_scheduled_after_cutoff OR has_expense OR has_actual OR has_scheduled_after_cutoff OR has_expense) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(scheduled_after_cutoff__fee, 0) + COALESCE(expense__fee, 0) - COALESCE(actual__cost, 0) - COALESCE(scheduled_after_cutoff__cost, 0) - COALESCE(expense__cost, 0) END AS "forecast_profit", COALESCE(capacity, 0) AS "capacity_hours", COALESCE(capacity_to_date, 0) AS "capacity_to_date_hours", COALESCE(time_off, 0) AS "time_off_hours", COALESCE(overtime, 0) AS "overtime_hours", COALESCE(capacity, 0) - COALESCE(covered, 0) AS "unscheduled_hours", budget__total AS "budget_total", budget__used AS "budget_used", budget__remaining AS "budget_remaining", budget__forecast AS "budget_forecast" FROM parts),
measures AS (SELECT *, pl_percent(variance_hours, scheduled_to_date_hours) AS "variance_hours_percent", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_cost, scheduled_to_date_cost) END AS "variance_cost_percent", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_fees, scheduled_to_date_fees) END AS "variance_fees_percent", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_revenue, scheduled_to_date_revenue) END AS "variance_revenue_percent", CASE WHEN COALESCE(scheduled__fee) IS NULL AND (has_scheduled) OR COALESCE(scheduled__cost) IS NULL AND (has_scheduled) THEN NULL ELSE pl_percent(scheduled_profit, scheduled_revenue) END AS "scheduled_margin_percent", CASE WHEN COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) OR COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(scheduled_to_date_profit, scheduled_to_date_revenue) END AS "scheduled_to_date_margin_percent", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) OR COALESCE(actual__cost) IS NULL AND (has_actual) THEN NULL ELSE pl_percent(actual_profit, actual_revenue) END AS "actual_margin_percent", CASE WHEN COALESCE(actual__fee, scheduled_after_cutoff__fee) IS NULL AND (has_actual OR has_scheduled_after_cutoff) OR COALESCE(actual__cost, scheduled_after_cutoff__cost) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE pl_percent(forecast_profit, forecast_revenue) END AS "forecast_margin_percent", pl_percent(scheduled_hours, capacity_hours) AS "scheduled_percent", pl_percent(actual_billable_hours, capacity_to_date_hours) AS "utilization_percent", pl_percent(budget_used, budget_total) AS "budget_used_percent", pl_percent(budget_forecast, budget_total) AS "budget_forecast_percent", CASE WHEN actual_margin_percent IS NULL OR scheduled_to_date_margin_percent IS NULL THEN NULL ELSE pl_points(actual_profit, actual_revenue, scheduled_to_date_profit, scheduled_to_date_revenue) END AS "variance_margin_points" FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "client_id", "client", "quarter", "budget_unit", "scheduled_hours", "scheduled_billable_hours", "scheduled_non_billable_hours", "tentative_hours", "scheduled_to_date_hours", "actual_hours", "actual_billable_hours", "actual_non_billable_hours", "variance_hours", "variance_hours_percent", "forecast_hours", "scheduled_cost", "scheduled_to_date_cost", "actual_cost", "variance_cost", "variance_cost_percent", "forecast_cost", "scheduled_hours_without_cost_rate", "actual_hours_without_cost_rate", "scheduled_fees", "scheduled_to_date_fees", "actual_fees", "variance_fees", "variance_fees_percent", "forecast_fees", "tentative_fees", "scheduled_hours_without_bill_rate", "actual_hours_without_bill_rate", "expense_cost", "expense_fees", "expense_to_date_cost", "expense_to_date_fees", "scheduled_revenue", "scheduled_to_date_revenue", "actual_revenue", "variance_revenue", "variance_revenue_percent", "forecast_revenue", "scheduled_profit", "scheduled_to_date_profit", "actual_profit", "variance_profit", "forecast_profit", "scheduled_margin_percent", "scheduled_to_date_margin_percent", "actual_margin_percent", "variance_margin_points", "forecast_margin_percent", "capacity_hours", "capacity_to_date_hours", "time_off_hours", "overtime_hours", "unscheduled_hours", "scheduled_percent", "utilization_percent", "budget_total", "budget_used", "budget_remaining", "budget_used_percent", "budget_forecast", "budget_forecast_percent"
FROM measures
ORDER BY is_total, "client_id" NULLS LAST, "client" COLLATE en NULLS LAST, "client" NULLS LAST, "quarter" NULLS LAST;

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

SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM core.ledger
     WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) AND date >= (SELECT COALESCE(MAX(month), DATE '1970-01-01') FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')));
