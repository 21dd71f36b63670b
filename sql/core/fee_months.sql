-- One row per agreed fee, and per kind, month, status, firmness and billability of the lines that may use it: their sums.
-- stored: table at rest
-- A report of what agreed fees earn reads these sums for the rest of their lives, outside its window.
WITH life_lines AS (
  SELECT kind, month, project_id, phase_id, task_meta_id, status, billable, hours, fee
  FROM core.ledger_months
),
places AS (
  SELECT *
  FROM facts.fee_places AS fee_places
)
SELECT
  project_id,
  phase_key,
  task_key,
  agreed_fee,
  minor_units,
  fee_end_date,
  is_completed,
  is_canceled,
  kind,
  month,
  status,
  is_firm,
  billable,
  SUM(hours) AS hours,
  SUM(fee) AS fee
FROM places
WHERE agreed_fee IS NOT NULL
GROUP BY
  project_id, phase_key, task_key, agreed_fee, minor_units, fee_end_date, is_completed, is_canceled, kind, month, status, is_firm, billable
ORDER BY kind, month, project_id
