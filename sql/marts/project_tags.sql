-- One row per project and tag.
-- A project with two tags has two rows, so a sum over lines joined with it counts its lines twice.
-- key: project_id, tag
-- refers: project_id projects
-- part: projects
SELECT project_id, tag
FROM staging.project_tags
