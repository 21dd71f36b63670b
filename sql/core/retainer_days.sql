-- One row per project and phase with a retainer, and day, kind, status and billability of their work: the sums of its lines.
-- stored: table at rest
-- A report reads these sums for the days outside its window, as a balance depends on all days before.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
SELECT
  ledger.kind,
  ledger.date,
  ledger.project_id,
  ledger.phase_id,
  CAST(NULL AS BIGINT) AS task_meta_id,
  ledger.status,
  ledger.billable,
  SUM(ledger.hours) AS hours,
  SUM(ledger.fee) AS fee
FROM core.ledger
JOIN (SELECT DISTINCT project_id FROM core.retainer_periods) AS retained ON retained.project_id = ledger.project_id
WHERE ledger.kind <> pl_line_kind('expense')
GROUP BY ledger.kind, ledger.date, ledger.project_id, ledger.phase_id, ledger.status, ledger.billable
