-- One row per line of the ledger: a scheduled day, a logged-time record or an expense. Every number in every report is a sum over it.
-- Stored as a table.
-- Ordered by kind and date: each kind is sorted by itself, in half the memory that sorting them together takes.
-- S1: actual and expense lines are confirmed. An expense has no person, no phase and no hours.
(
  SELECT
    as_line_kind('scheduled') AS kind,
    date,
    people_id,
    role_id,
    project_id,
    phase_id,
    task_meta_id,
    task_id,
    NULL AS logged_time_id,
    NULL AS project_expense_id,
    status,
    is_billable AS billable,
    hours,
    cost_rate,
    cost_rate_source,
    cost,
    bill_rate,
    bill_rate_source,
    fee
  FROM core.scheduled_lines
  ORDER BY date
)
UNION ALL
(
  SELECT
    as_line_kind('actual') AS kind,
    date,
    people_id,
    role_id,
    project_id,
    phase_id,
    task_meta_id,
    task_id,
    logged_time_id,
    NULL AS project_expense_id,
    as_line_status('confirmed') AS status,
    is_billable AS billable,
    hours,
    cost_rate,
    cost_rate_source,
    cost,
    bill_rate,
    bill_rate_source,
    fee
  FROM core.actual_lines
  ORDER BY date
)
UNION ALL
(
  SELECT
    as_line_kind('expense') AS kind,
    date,
    NULL AS people_id,
    NULL AS role_id,
    project_id,
    0 AS phase_id,
    NULL AS task_meta_id,
    NULL AS task_id,
    NULL AS logged_time_id,
    project_expense_id,
    as_line_status('confirmed') AS status,
    is_billable AS billable,
    NULL AS hours,
    NULL AS cost_rate,
    NULL AS cost_rate_source,
    cost,
    NULL AS bill_rate,
    NULL AS bill_rate_source,
    fee
  FROM core.expense_lines
  ORDER BY date
)
