-- One row per department.
SELECT department_id, name, parent_id AS parent_department_id
FROM source.departments
