-- A changed client touches its projects, and the people who work on them: its rate cards price them (P2).
WITH own_projects AS (
  SELECT projects.project_id
  FROM core.projects
  JOIN changed_records ON changed_records.resource = 'clients' AND changed_records.id = projects.client_id
)
SELECT project_id, CAST(NULL AS BIGINT) AS people_id
FROM own_projects
UNION
SELECT CAST(NULL AS BIGINT) AS project_id, assignments.people_id
FROM core.assignments
JOIN own_projects ON own_projects.project_id = assignments.project_id
