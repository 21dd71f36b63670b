-- One row per account, and per other account that a project names as its manager. 0 stands for none.
-- key: project_manager
-- part: where project_manager = 0 OR project_manager IN (SELECT project_manager FROM core.named_projects)
WITH unknown AS (
  SELECT DISTINCT projects.project_manager_id AS account_id
  FROM core.projects
  LEFT JOIN staging.accounts ON accounts.account_id = projects.project_manager_id
  WHERE accounts.account_id IS NULL AND projects.project_manager_id IS NOT NULL
)
SELECT account_id AS project_manager, TRUE AS is_known, name AS project_manager_name
FROM staging.accounts
UNION ALL
SELECT account_id AS project_manager, FALSE AS is_known, NULL AS project_manager_name
FROM unknown
UNION ALL
SELECT 0 AS project_manager, FALSE AS is_known, '(no project manager)' AS project_manager_name
