-- One row per invoice line or write-off, and record that it covers and that isn't there (N3). The cover and its value stay.
-- says: bills that cover work that does not exist
-- remedy: Restore the work that was deleted, or credit what was billed of it.
SELECT
  'warning' AS severity,
  CASE covers.bill_kind WHEN 'invoice' THEN 'invoice_lines' ELSE 'write_offs' END AS resource,
  CAST(covers.bill_id AS VARCHAR) AS id,
  covers.date AS date,
  'covers ' || covers.line_id || ', which does not exist' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(covers.item_value AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  covers.project_id AS project_id
FROM core.covers
WHERE NOT covers.is_credit AND NOT covers.is_there AND covers.status = pl_line_status('confirmed')
