-- One row per phase.
SELECT
  phase_id,
  project_id,
  name,
  start_date,
  end_date,
  COALESCE(status, 2) AS status,
  COALESCE(non_billable, FALSE) AS is_non_billable,
  default_hourly_rate,
  budget_total
FROM source.phases
