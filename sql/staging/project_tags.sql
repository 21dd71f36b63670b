-- One row per project and tag.
SELECT DISTINCT project_id, tag
FROM source.project_tags
