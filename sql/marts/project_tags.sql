-- One row per project and tag.
SELECT project_id, tag
FROM staging.project_tags
