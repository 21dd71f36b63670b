-- One row per type of time off.
SELECT timeoff_type_id, timeoff_type_name AS name
FROM source.timeoff_types
