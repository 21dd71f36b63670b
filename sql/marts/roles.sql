-- One row per role.
SELECT role_id, name AS role
FROM staging.roles
