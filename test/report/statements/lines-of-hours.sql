WITH listed AS (
  SELECT listed.*, listed.status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, listed.billable AS is_billable,
    listed.date <= DATE '2026-03-01' AS is_to_date, listed.date > DATE '2026-03-01' AS is_future
  FROM core.named_lines AS listed
  WHERE listed.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND listed.project_id IN (SELECT project_id FROM marts.project_tags WHERE tag IN (lower('a,b'), lower('none')))
),
sets AS (SELECT *, kind = 'actual' AND is_to_date AS "in_actual" FROM listed),
terms AS (SELECT *, in_actual AS has_actual, CASE WHEN in_actual THEN CASE WHEN cost_rate_source = 'none' THEN hours END END AS "actual__hours_without_cost_rate" FROM sets),
whole AS (SELECT *, COALESCE(actual__hours_without_cost_rate, 0) AS contribution FROM terms WHERE actual__hours_without_cost_rate IS NOT NULL),
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
    AND listed.project_id IN (SELECT project_id FROM marts.project_tags WHERE tag IN (lower('a,b'), lower('none')))
),
sets AS (SELECT *, kind = 'actual' AND is_to_date AS "in_actual" FROM listed),
terms AS (SELECT *, in_actual AS has_actual, CASE WHEN in_actual THEN CASE WHEN cost_rate_source = 'none' THEN hours END END AS "actual__hours_without_cost_rate" FROM sets),
whole AS (SELECT *, COALESCE(actual__hours_without_cost_rate, 0) AS contribution FROM terms WHERE actual__hours_without_cost_rate IS NOT NULL),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT date, COUNT(*) AS count FROM contributions GROUP BY date ORDER BY date;

WITH listed AS (
  SELECT listed.*, listed.status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, listed.billable AS is_billable,
    listed.date <= DATE '2026-03-01' AS is_to_date, listed.date > DATE '2026-03-01' AS is_future
  FROM core.named_lines AS listed
  WHERE listed.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND listed.project_id IN (SELECT project_id FROM marts.project_tags WHERE tag IN (lower('a,b'), lower('none')))
),
sets AS (SELECT *, kind = 'actual' AND is_to_date AS "in_actual" FROM listed),
terms AS (SELECT *, in_actual AS has_actual, CASE WHEN in_actual THEN CASE WHEN cost_rate_source = 'none' THEN hours END END AS "actual__hours_without_cost_rate" FROM sets),
whole AS (SELECT *, COALESCE(actual__hours_without_cost_rate, 0) AS contribution FROM terms WHERE actual__hours_without_cost_rate IS NOT NULL),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT "kind", "line_id", "date", "people_id", "person", "role_id", "role", "project_id", "project", "phase_id", "phase", "task_meta_id", "task", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate_source", "bill_rate", "bill_rate_source", "bill_rate_from", "fee", "amount", "contribution"
FROM contributions
WHERE TRUE
ORDER BY date NULLS FIRST, line_id NULLS FIRST;
