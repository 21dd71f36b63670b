-- One row per role, as the role of a person's own record.
-- part: where person_role_id = 0 OR person_role_id IN (SELECT role_id FROM core.named_people)
-- copied: without rates
SELECT role_id AS person_role_id, name AS person_role
FROM staging.roles
