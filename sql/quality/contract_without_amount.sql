-- One row per project or phase whose contract is capped or fixed, and where no budget has an amount of money: the work earns its fees (12.4).
-- Records where no budget stands are contract_without_place.
-- says: capped and fixed contracts without an amount of money
-- remedy: Give the budget a total in money, or make the contract time.
WITH places AS (
  SELECT project_id, 0 AS phase_id, budget_total, TRUE AS is_own
  FROM staging.projects
  WHERE budget_priority = 0
  UNION ALL
  SELECT projects.project_id, phases.phase_id, phases.budget_total, phases.contract IS NULL AS is_own
  FROM staging.projects
  JOIN staging.phases ON phases.project_id = projects.project_id
  WHERE projects.budget_priority = 1
  UNION ALL
  SELECT projects.project_id, project_tasks.phase_id, project_tasks.budget AS budget_total, phases.contract IS NULL AS is_own
  FROM staging.projects
  JOIN core.project_tasks ON project_tasks.project_id = projects.project_id
  LEFT JOIN staging.phases ON phases.phase_id = project_tasks.phase_id
  WHERE projects.budget_priority = 2
),
said AS (
  SELECT 'projects' AS resource, projects.project_id AS id, projects.project_id, projects.contract, MAX(places.budget_total) AS budget_total
  FROM staging.projects
  JOIN places ON places.project_id = projects.project_id AND places.is_own
  GROUP BY projects.project_id, projects.contract
  UNION ALL
  SELECT 'phases' AS resource, phases.phase_id AS id, phases.project_id, phases.contract, MAX(places.budget_total) AS budget_total
  FROM staging.phases
  JOIN places ON places.project_id = phases.project_id AND places.phase_id = phases.phase_id
  GROUP BY phases.phase_id, phases.project_id, phases.contract
)
SELECT
  'warning' AS severity,
  said.resource,
  CAST(said.id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'contract ' || said.contract || CASE WHEN said.budget_total IS NULL THEN ', without a budget' ELSE ', with a budget of hours' END AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(NULL AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  said.project_id
FROM said
JOIN staging.projects ON projects.project_id = said.project_id
WHERE said.contract IN ('capped', 'fixed') AND (said.budget_total IS NULL OR projects.budget_type = 1)
