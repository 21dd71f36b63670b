-- One row per account that manages a project, under the names of earlier versions.
-- Kept for a release: marts.project_managers has them.
-- key: project_manager
SELECT project_manager, project_manager_name
FROM marts.project_managers
WHERE is_known
