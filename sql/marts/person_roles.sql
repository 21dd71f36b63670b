-- One row per role, as the role of a person's own record.
-- Kept for a release: marts.roles has the same ids, and marts.people names each person's own role.
-- key: person_role_id
SELECT person_role_id, person_role
FROM core.person_roles
