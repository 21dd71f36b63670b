-- One row per role, as the role of a person's own record.
SELECT role_id AS person_role_id, name AS person_role
FROM staging.roles
