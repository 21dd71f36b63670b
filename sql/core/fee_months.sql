-- One row per place, and per kind, month, status, firmness and billability of the lines that may use its agreed fee: their sums, and the last of their
-- days. Days up to the end of the place stand apart from later ones (is_by_end), and so do the days of each entry of progress (entry_date).
-- stored: table
-- A report of what places earn reads these sums for the rest of their lives, outside its window.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
-- The months in which a place of a project ends, or has an entry of progress, are read by line, all others are sums already.
WITH split_months AS (
  SELECT project_id, pl_first_of_month(ends_on) AS month
  FROM core.places
  WHERE ends_on IS NOT NULL
  UNION
  SELECT project_id, pl_first_of_month(date) AS month
  FROM core.fee_progress
),
life_lines AS (
  SELECT
    ledger_months.kind,
    ledger_months.month AS date,
    ledger_months.month,
    ledger_months.last_date,
    ledger_months.project_id,
    ledger_months.phase_id,
    ledger_months.task_meta_id,
    ledger_months.status,
    ledger_months.billable,
    ledger_months.hours,
    ledger_months.fee
  FROM core.ledger_months
  LEFT JOIN split_months ON split_months.project_id = ledger_months.project_id AND split_months.month = ledger_months.month
  WHERE split_months.month IS NULL
  UNION ALL
  SELECT
    ledger.kind,
    ledger.date,
    ledger.month,
    ledger.date AS last_date,
    ledger.project_id,
    ledger.phase_id,
    ledger.task_meta_id,
    ledger.status,
    ledger.billable,
    ledger.hours,
    ledger.fee
  FROM core.ledger
  JOIN split_months ON split_months.project_id = ledger.project_id AND split_months.month = ledger.month
),
placed AS (
  SELECT *
  FROM facts.fee_places AS fee_places
)
SELECT
  project_id,
  phase_key,
  task_key,
  agreed_fee,
  minor_units,
  is_by_end,
  entry_date,
  kind,
  month,
  status,
  is_firm,
  billable,
  MAX(last_date) AS last_date,
  SUM(hours) AS hours,
  SUM(fee) AS fee
FROM placed
WHERE agreed_fee IS NOT NULL
GROUP BY
  project_id, phase_key, task_key, agreed_fee, minor_units, is_by_end, entry_date, kind, month, status, is_firm, billable
ORDER BY kind, month, project_id
