-- One row per project stage.
SELECT stage_id, name, COALESCE(status, 2) AS status, sort_order
FROM source.project_stages
