-- One row per line of kind revenue (K4): by the default cutoff, of confirmed and completed places and retainers.
-- stored: table at rest
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
SELECT
  kind,
  line_id,
  date,
  project_id,
  phase_id,
  CASE WHEN task_meta_id = 0 THEN NULL ELSE task_meta_id END AS task_meta_id,
  status,
  TRUE AS billable,
  CAST(earned_fee AS DECIMAL(18, 4)) AS amount
FROM marts.agreed_fees
WHERE kind = pl_line_kind('revenue')
