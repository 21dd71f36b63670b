-- One row per department.
-- A department that only people name has the name that they give it.
WITH named AS (
  SELECT department_id, name, 1 AS source_rank
  FROM staging.departments
  UNION ALL
  SELECT department_id, department_name AS name, 2 AS source_rank
  FROM staging.people
  WHERE department_id IS NOT NULL
),
ranked AS (
  SELECT
    department_id,
    name,
    ROW_NUMBER() OVER (PARTITION BY department_id ORDER BY source_rank, CASE WHEN name IS NULL THEN 1 ELSE 0 END, name) AS name_rank
  FROM named
)
SELECT department_id, name AS department
FROM ranked
WHERE name_rank = 1
