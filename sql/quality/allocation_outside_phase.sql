-- One row per allocation with scheduled days before its phase starts or after it ends.
-- says: scheduled days outside the phase
-- remedy: Move the allocations, or the dates of their phase.
-- tells_of: projects
SELECT
  'notice' AS severity,
  'tasks' AS resource,
  CAST(ledger.task_id AS VARCHAR) AS id,
  MIN(ledger.date) AS date,
  'days outside phase ' || CAST(ledger.phase_id AS VARCHAR) || ': ' || CAST(COUNT(*) AS VARCHAR) AS detail,
  SUM(ledger.hours) AS hours,
  SUM(ledger.fee) AS amount_at_risk,
  MIN(ledger.people_id) AS people_id,
  ledger.project_id
FROM core.ledger
JOIN staging.phases ON phases.phase_id = ledger.phase_id
WHERE ledger.kind = pl_line_kind('scheduled')
  AND ledger.status <> pl_line_status('canceled')
  AND (ledger.date < phases.start_date OR ledger.date > phases.end_date)
GROUP BY ledger.task_id, ledger.phase_id, ledger.project_id
