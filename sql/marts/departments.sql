-- One row per department that a record, a person or a department below it names. 0 stands for no department.
-- A department without a record has the name that people give it.
-- key: department_id
-- refers: parent_department_id departments
-- part: where department_id = 0 OR department_id IN (SELECT department_id FROM core.named_people)
WITH named AS (
  SELECT department_id, name, 1 AS source_rank
  FROM staging.departments
  UNION ALL
  SELECT department_id, department_name AS name, 2 AS source_rank
  FROM staging.people
  WHERE department_id IS NOT NULL
  UNION ALL
  SELECT parent_department_id AS department_id, CAST(NULL AS VARCHAR) AS name, 3 AS source_rank
  FROM staging.departments
  WHERE parent_department_id IS NOT NULL
),
ranked AS (
  SELECT
    department_id,
    name,
    ROW_NUMBER() OVER (PARTITION BY department_id ORDER BY source_rank, CASE WHEN name IS NULL THEN 1 ELSE 0 END, name) AS name_rank
  FROM named
)
SELECT
  ranked.department_id,
  departments.department_id IS NOT NULL AS is_known,
  ranked.name AS department,
  COALESCE(departments.parent_department_id, 0) AS parent_department_id
FROM ranked
LEFT JOIN staging.departments ON departments.department_id = ranked.department_id
WHERE ranked.name_rank = 1
UNION ALL
SELECT
  0 AS department_id,
  FALSE AS is_known,
  '(no department)' AS department,
  0 AS parent_department_id
