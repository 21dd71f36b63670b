-- One row per role.
-- part: where role_id IN (SELECT role_id FROM marts.roles)
SELECT role_id, name, default_hourly_rate
FROM source.roles
