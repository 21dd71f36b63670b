-- One row per budget level (project, phase, task), project, phase or project task of that level, month, kind and status: the use of its budget.
-- stored: table
-- A budget covers the whole life of a project. With these sums a report reads single ledger lines only for the month of its cutoff.
-- An hours budget counts billable hours. The fee of non-billable hours is 0, which is a known fee. Fees without a rate are null, and line_count
-- distinguishes a sum without lines from one whose lines all lack fees (R5).
-- The casts narrow the sums, because DuckDB reads stored 128-bit numbers slowly.
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
    CASE WHEN GROUPING(task_meta_id) = 0 THEN 'task' WHEN GROUPING(phase_id) = 0 THEN 'phase' ELSE 'project' END AS level,
    project_id,
    phase_id,
    task_meta_id,
    month,
    kind,
    status,
    SUM(billable_hours) AS billable_hours,
    SUM(fee) AS fee,
    SUM(line_count) AS line_count
  FROM months
  GROUP BY GROUPING SETS ((project_id, month, kind, status), (project_id, phase_id, month, kind, status), (task_meta_id, month, kind, status))
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
WHERE level <> 'task' OR task_meta_id IS NOT NULL
ORDER BY level, project_id, phase_id, task_meta_id, month
