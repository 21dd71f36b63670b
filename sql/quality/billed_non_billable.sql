-- One row per record that isn't billable, and invoice line that covers it (N3).
-- says: work on invoices that is not billable
-- remedy: Make the work billable, or take it out of the invoice line.
SELECT
  'warning' AS severity,
  'invoice_lines' AS resource,
  CAST(bill_id AS VARCHAR) AS id,
  date AS date,
  'covers ' || line_id || ', which is not billable' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(amount AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  project_id AS project_id
FROM core.covers
WHERE bill_kind = 'invoice' AND NOT is_credit AND freed_on IS NULL AND status = pl_line_status('confirmed') AND is_there AND NOT billable
