-- One row per level of budgets (project, phase, task), project, phase or project task of that level, month, kind and status: what its lines
-- use of a budget.
-- Stored as a table.
-- A budget is used over the whole life of a project, so a report would have to read the whole ledger; only the month of its cutoff it reads
-- line by line. An hours budget counts billable hours; the fee of hours that are not billable is 0, and known. Fees without a rate are null,
-- and line_count tells a sum over no lines from one over lines without any fee (R5).
-- Sums are narrowed from the sum's type: DuckDB reads stored 128-bit numbers slowly.
WITH months AS (
  SELECT
    project_id,
    phase_id,
    task_meta_id,
    month,
    kind,
    status,
    SUM(CASE WHEN billable THEN hours END) AS billable_hours,
    SUM(fee) AS fee,
    COUNT(*) AS line_count
  FROM core.ledger
  WHERE kind <> pl_line_kind('expense') OR billable
  GROUP BY project_id, phase_id, task_meta_id, month, kind, status
),
levels AS (
  SELECT
    'project' AS level,
    project_id,
    NULL AS phase_id,
    NULL AS task_meta_id,
    month,
    kind,
    status,
    SUM(billable_hours) AS billable_hours,
    SUM(fee) AS fee,
    SUM(line_count) AS line_count
  FROM months
  GROUP BY project_id, month, kind, status
  UNION ALL
  SELECT
    'phase' AS level,
    project_id,
    phase_id,
    NULL AS task_meta_id,
    month,
    kind,
    status,
    SUM(billable_hours) AS billable_hours,
    SUM(fee) AS fee,
    SUM(line_count) AS line_count
  FROM months
  GROUP BY project_id, phase_id, month, kind, status
  UNION ALL
  SELECT
    'task' AS level,
    NULL AS project_id,
    NULL AS phase_id,
    task_meta_id,
    month,
    kind,
    status,
    SUM(billable_hours) AS billable_hours,
    SUM(fee) AS fee,
    SUM(line_count) AS line_count
  FROM months
  WHERE task_meta_id IS NOT NULL
  GROUP BY task_meta_id, month, kind, status
)
SELECT
  level,
  project_id,
  phase_id,
  task_meta_id,
  month,
  kind,
  status,
  CAST(billable_hours AS DECIMAL(18, 4)) AS billable_hours,
  CAST(fee AS DECIMAL(18, 4)) AS fee,
  CAST(line_count AS INTEGER) AS line_count
FROM levels
ORDER BY level, project_id, phase_id, task_meta_id, month
