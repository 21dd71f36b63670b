-- One row per project task: a kind of work in a project.
-- part: projects
SELECT task_meta_id, project_id, COALESCE(phase_id, 0) AS phase_id, task_name AS name, billable AS is_billable, budget
FROM source.project_tasks
