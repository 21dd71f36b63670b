-- One row per project whose end_date may be computed by the service that it was synced from, which doesn't say who set it (K3): it is the last day of the
-- project's own lines. Such a day ends nothing, and no fee is spread up to it.
WITH last_days AS (
  SELECT project_id, MAX(last_date) AS last_date
  FROM core.ledger_months
  WHERE project_id IN (SELECT project_id FROM staging.projects WHERE dates_from = 'unknown')
  GROUP BY project_id
)
SELECT projects.project_id, projects.end_date
FROM staging.projects
JOIN last_days ON last_days.project_id = projects.project_id AND last_days.last_date = projects.end_date
WHERE projects.dates_from = 'unknown'
