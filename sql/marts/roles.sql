-- One row per role record, and per other role that a person, a contract or a team names. 0 stands for no role.
-- key: role_id
-- part: where role_id = 0 OR role_id IN (SELECT role_id FROM core.ledger) OR role_id IN (SELECT role_id FROM core.named_people)
WITH named AS (
  SELECT role_id FROM core.people
  UNION
  SELECT role_id FROM core.person_rates
  UNION
  SELECT team_role_id AS role_id FROM core.assignments
),
unknown AS (
  SELECT named.role_id
  FROM named
  LEFT JOIN staging.roles ON roles.role_id = named.role_id
  WHERE roles.role_id IS NULL AND named.role_id IS NOT NULL
)
SELECT role_id, TRUE AS is_known, name AS role
FROM staging.roles
UNION ALL
SELECT role_id, FALSE AS is_known, NULL AS role
FROM unknown
UNION ALL
SELECT 0 AS role_id, FALSE AS is_known, '(no role)' AS role
