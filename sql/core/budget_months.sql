-- One row per project, phase, project task, month, kind and status: what its lines use of a budget.
-- Stored as a table.
-- A budget is used over the whole life of a project, so a report would have to read the whole ledger; only the month of its cutoff it reads
-- line by line. An hours budget counts billable hours; the fee of hours that are not billable is 0, and known. Fees without a rate are null,
-- and line_count tells a sum over no lines from one over lines without any fee (R5).
-- Hours are narrowed from the sum's type: DuckDB reads stored 128-bit numbers slowly.
SELECT
  project_id,
  phase_id,
  task_meta_id,
  first_of_month(date) AS month,
  kind,
  status,
  CAST(SUM(CASE WHEN billable THEN hours END) AS DECIMAL(18, 4)) AS billable_hours,
  SUM(fee) AS fee,
  CAST(COUNT(*) AS INTEGER) AS line_count
FROM core.ledger
WHERE kind <> 'expense' OR billable
GROUP BY project_id, phase_id, task_meta_id, first_of_month(date), kind, status
