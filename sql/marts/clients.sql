-- One row per client record, and per other client that a project names. 0 stands for no client.
-- key: client_id
-- part: where client_id = 0 OR client_id IN (SELECT client_id FROM core.named_projects)
WITH unknown AS (
  SELECT DISTINCT projects.client_id
  FROM core.projects
  LEFT JOIN staging.clients ON clients.client_id = projects.client_id
  WHERE clients.client_id IS NULL AND projects.client_id IS NOT NULL
)
SELECT client_id, TRUE AS is_known, name AS client
FROM staging.clients
UNION ALL
SELECT client_id, FALSE AS is_known, NULL AS client
FROM unknown
UNION ALL
SELECT 0 AS client_id, FALSE AS is_known, '(no client)' AS client
