-- One row per project or phase that is non-billable and says another contract than internal: it is internal, whatever the contract says (K1).
-- says: non-billable projects and phases with a contract that pays
-- remedy: Make the record billable, or remove the contract.
SELECT
  'warning' AS severity,
  'projects' AS resource,
  CAST(project_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'contract ' || contract || ' of a non-billable project' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(NULL AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  project_id
FROM staging.projects
WHERE is_non_billable AND contract <> 'internal'
UNION ALL
SELECT
  'warning' AS severity,
  'phases' AS resource,
  CAST(phases.phase_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'contract ' || phases.contract || CASE WHEN phases.is_non_billable THEN ' of a non-billable phase' ELSE ' of a phase of a non-billable project' END AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(NULL AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  phases.project_id
FROM staging.phases
JOIN staging.projects ON projects.project_id = phases.project_id
WHERE (phases.is_non_billable OR projects.is_non_billable) AND phases.contract <> 'internal'
