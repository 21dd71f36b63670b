-- One row per role.
SELECT role_id, name, default_hourly_rate
FROM source.roles
