-- One row per stage that projects go through.
SELECT stage_id, name, COALESCE(status, 2) AS status, sort_order
FROM source.project_stages
