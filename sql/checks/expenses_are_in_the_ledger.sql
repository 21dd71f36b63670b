-- Every expense is in the ledger exactly once.
WITH records AS (
  SELECT COUNT(*) AS line_count
  FROM source.project_expenses
),
lines AS (
  SELECT COUNT(*) AS line_count
  FROM core.ledger
  WHERE kind = pl_line_kind('expense')
)
SELECT records.line_count AS record_count, lines.line_count
FROM records
CROSS JOIN lines
WHERE records.line_count <> lines.line_count
