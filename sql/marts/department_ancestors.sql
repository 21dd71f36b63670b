-- One row per department and each department above it, itself included at distance 0.
-- Joined by department_id, a line counts once in each department above its own: group by ancestor_id, and never sum over all ancestors.
-- key: department_id, ancestor_id
-- refers: department_id departments, ancestor_id departments
WITH RECURSIVE climbs (department_id, ancestor_id, distance, path) AS (
  SELECT
    department_id,
    department_id AS ancestor_id,
    0 AS distance,
    '/' || CAST(department_id AS VARCHAR) || '/' AS path
  FROM marts.departments
  UNION ALL
  SELECT
    climbs.department_id,
    departments.parent_department_id AS ancestor_id,
    climbs.distance + 1 AS distance,
    climbs.path || CAST(departments.parent_department_id AS VARCHAR) || '/' AS path
  FROM climbs
  JOIN staging.departments ON departments.department_id = climbs.ancestor_id
  WHERE position('/' || CAST(departments.parent_department_id AS VARCHAR) || '/' IN climbs.path) = 0
)
SELECT climbs.department_id, own.department, climbs.ancestor_id, ancestors.department AS ancestor, climbs.distance
FROM climbs
JOIN marts.departments AS own ON own.department_id = climbs.department_id
JOIN marts.departments AS ancestors ON ancestors.department_id = climbs.ancestor_id
