-- One row per write-off. One below 0 writes up.
SELECT
  write_off_id,
  project_id,
  COALESCE(phase_id, 0) AS phase_id,
  date,
  amount,
  reason
FROM source.write_offs
