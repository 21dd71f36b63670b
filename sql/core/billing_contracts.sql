-- One row per contract (I3): a project with all that it has, or the projects that share a contract_id. client_id is that of all of them, if they agree.
-- part: where contract IN (SELECT contract FROM core.named_projects)
-- copied: without rates
SELECT
  contract,
  MAX(contract_id) AS contract_id,
  COALESCE(MAX(contract_id), MAX(project)) AS contract_name,
  COUNT(*) AS project_count,
  CASE WHEN COUNT(*) = 1 THEN MAX(project_id) END AS project_id,
  CASE WHEN MIN(COALESCE(client_id, 0)) = MAX(COALESCE(client_id, 0)) THEN MAX(client_id) END AS client_id,
  CASE WHEN MIN(COALESCE(client_id, 0)) = MAX(COALESCE(client_id, 0)) THEN MAX(client) END AS client
FROM core.named_projects
GROUP BY contract
