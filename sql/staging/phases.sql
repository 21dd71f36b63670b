-- One row per phase.
-- part: projects
SELECT
  phase_id,
  project_id,
  name,
  start_date,
  end_date,
  COALESCE(status, 2) AS status,
  COALESCE(non_billable, FALSE) AS is_non_billable,
  default_hourly_rate,
  budget_total,
  contract,
  recognise,
  fee_expenses,
  completed_on
FROM source.phases
