-- Every logged hour is in the ledger exactly once: records and actual lines have the same number and the same hours.
WITH records AS (
  SELECT COUNT(*) AS line_count, COALESCE(SUM(hours), 0) AS hours
  FROM source.logged_time
  WHERE hours > 0
),
lines AS (
  SELECT COUNT(*) AS line_count, COALESCE(SUM(hours), 0) AS hours
  FROM core.ledger
  WHERE kind = pl_line_kind('actual')
)
SELECT records.line_count AS record_count, lines.line_count, records.hours AS record_hours, lines.hours AS line_hours
FROM records
CROSS JOIN lines
WHERE records.line_count <> lines.line_count OR records.hours <> lines.hours
