-- One row per project or phase with a retainer (T1), on whatever days; phase_key is 0 for one of a project.
-- stored: table
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
SELECT DISTINCT retainers.project_id, retainers.phase_id AS phase_key, projects.status AS project_status
FROM staging.retainers
JOIN staging.projects ON projects.project_id = retainers.project_id
