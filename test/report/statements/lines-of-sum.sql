WITH listed AS (
  SELECT listed.*, listed.status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, listed.billable AS is_billable,
    listed.date <= DATE '2026-03-01' AS is_to_date, listed.date > DATE '2026-03-01' AS is_future
  FROM core.named_lines AS listed
  WHERE listed.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND listed.project_id IN (501)
),
sets AS (SELECT *, kind = 'actual' AND is_to_date AS "in_actual", kind = 'expense' AND is_to_date AS "in_expense_to_date" FROM listed),
terms AS (SELECT *, in_actual AS has_actual, in_expense_to_date AS has_expense_to_date, CASE WHEN in_actual THEN fee END AS "actual__fee", CASE WHEN in_expense_to_date THEN fee END AS "expense_to_date__fee", CASE WHEN in_actual THEN cost END AS "actual__cost", CASE WHEN in_expense_to_date THEN cost END AS "expense_to_date__cost" FROM sets),
whole AS (SELECT *, CASE WHEN COALESCE(actual__fee, expense_to_date__fee, actual__cost, expense_to_date__cost) IS NULL AND (has_actual OR has_expense_to_date OR has_actual OR has_expense_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(expense_to_date__fee, 0) - COALESCE(actual__cost, 0) - COALESCE(expense_to_date__cost, 0) END AS contribution FROM terms WHERE has_actual OR has_expense_to_date OR has_actual OR has_expense_to_date),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT COUNT(*) AS count, CASE WHEN NOT (SELECT is_whole FROM sight) THEN NULL
  WHEN COUNT(CASE WHEN TRUE THEN 1 END) = 0 THEN 0 ELSE SUM(CASE WHEN TRUE THEN contribution END) END AS total
FROM contributions;

WITH listed AS (
  SELECT listed.*, listed.status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, listed.billable AS is_billable,
    listed.date <= DATE '2026-03-01' AS is_to_date, listed.date > DATE '2026-03-01' AS is_future
  FROM core.named_lines AS listed
  WHERE listed.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND listed.project_id IN (501)
),
sets AS (SELECT *, kind = 'actual' AND is_to_date AS "in_actual", kind = 'expense' AND is_to_date AS "in_expense_to_date" FROM listed),
terms AS (SELECT *, in_actual AS has_actual, in_expense_to_date AS has_expense_to_date, CASE WHEN in_actual THEN fee END AS "actual__fee", CASE WHEN in_expense_to_date THEN fee END AS "expense_to_date__fee", CASE WHEN in_actual THEN cost END AS "actual__cost", CASE WHEN in_expense_to_date THEN cost END AS "expense_to_date__cost" FROM sets),
whole AS (SELECT *, CASE WHEN COALESCE(actual__fee, expense_to_date__fee, actual__cost, expense_to_date__cost) IS NULL AND (has_actual OR has_expense_to_date OR has_actual OR has_expense_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(expense_to_date__fee, 0) - COALESCE(actual__cost, 0) - COALESCE(expense_to_date__cost, 0) END AS contribution FROM terms WHERE has_actual OR has_expense_to_date OR has_actual OR has_expense_to_date),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT "kind", "line_id", "date", "people_id", "person", "role_id", "role", "project_id", "project", "phase_id", "phase", "task_meta_id", "task", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "fee", "contribution"
FROM contributions
WHERE TRUE
ORDER BY date NULLS FIRST, line_id NULLS FIRST LIMIT 11;
