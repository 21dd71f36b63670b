-- One row per record, or item in a record, that was set aside because it is invalid.
-- says: invalid records that were set aside
-- remedy: Correct them in the source; Data quality names field and reason.
SELECT
  'error' AS severity,
  resource,
  record_id AS id,
  CAST(NULL AS DATE) AS date,
  COALESCE(file || ', record ' || CAST(position AS VARCHAR), 'from the source')
    || COALESCE(', ' || item, '') || ': ' || pl_join_texts(reasons) AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  CAST(NULL AS BIGINT) AS project_id
FROM source.rejected
