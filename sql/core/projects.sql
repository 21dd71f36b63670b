-- One row per project record, and per other project in a phase, a project task, an allocation, logged time, an expense, a milestone, an invoice line or a write-off. 0 stands for no project.
-- stored: table
-- part: projects
-- copied: without rates
WITH named AS (
  SELECT project_id FROM core.participations
  UNION
  SELECT project_id FROM staging.allocations
  UNION
  SELECT project_id FROM staging.expenses
  UNION
  SELECT project_id FROM staging.invoice_lines
  UNION
  SELECT project_id FROM staging.milestones
  UNION
  SELECT project_id FROM staging.phases
  UNION
  SELECT project_id FROM staging.project_tasks
  UNION
  SELECT project_id FROM staging.write_offs
  UNION
  SELECT 0 AS project_id
),
unknown AS (
  SELECT named.project_id
  FROM named
  LEFT JOIN staging.projects ON projects.project_id = named.project_id
  WHERE projects.project_id IS NULL AND named.project_id IS NOT NULL
)
SELECT
  project_id,
  TRUE AS is_known,
  name,
  project_code,
  client_id,
  status,
  is_active,
  pl_is_internal(is_non_billable, FALSE, budget_priority, contract, NULL) AS is_non_billable,
  project_manager_id,
  budget_type,
  budget_total,
  budget_priority,
  start_date,
  end_date
FROM staging.projects
UNION ALL
SELECT
  project_id,
  FALSE AS is_known,
  CASE WHEN project_id = 0 THEN '(no project)' END AS name,
  NULL AS project_code,
  NULL AS client_id,
  NULL AS status,
  NULL AS is_active,
  NULL AS is_non_billable,
  NULL AS project_manager_id,
  NULL AS budget_type,
  NULL AS budget_total,
  NULL AS budget_priority,
  NULL AS start_date,
  NULL AS end_date
FROM unknown
