-- One row per line of the ledger: a scheduled day, a logged-time record or an expense. Every number in every report is a sum over it.
-- Stored as a table.
-- The month is that of the date, by its first day: what is summed by month finds its lines without reading the others.
-- Ordered by kind and date: each kind is sorted by itself, in half the memory that sorting them together takes.
(
  SELECT
    kind,
    date,
    month,
    people_id,
    role_id,
    project_id,
    phase_id,
    task_meta_id,
    task_id,
    logged_time_id,
    project_expense_id,
    status,
    billable,
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
    kind,
    date,
    month,
    people_id,
    role_id,
    project_id,
    phase_id,
    task_meta_id,
    task_id,
    logged_time_id,
    project_expense_id,
    status,
    billable,
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
    kind,
    date,
    month,
    people_id,
    role_id,
    project_id,
    phase_id,
    task_meta_id,
    task_id,
    logged_time_id,
    project_expense_id,
    status,
    billable,
    hours,
    cost_rate,
    cost_rate_source,
    cost,
    bill_rate,
    bill_rate_source,
    fee
  FROM core.expense_lines
  ORDER BY date
)
