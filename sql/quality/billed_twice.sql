-- One row per record that more than one invoice line covers, credited ones left out: the amounts of all but the first (N3).
-- says: work that is billed twice
-- remedy: Take the work out of one of the invoice lines, or credit one of them whole.
WITH covering AS (
  SELECT covers.*, ROW_NUMBER() OVER (PARTITION BY line_id ORDER BY date, bill_id) AS place
  FROM core.covers
  WHERE bill_kind = 'invoice' AND NOT is_credit AND freed_on IS NULL AND status = pl_line_status('confirmed')
)
SELECT
  'warning' AS severity,
  'invoice_lines' AS resource,
  CAST(bill_id AS VARCHAR) AS id,
  date AS date,
  'covers ' || line_id || ', which another invoice line covers' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(amount AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  project_id AS project_id
FROM covering
WHERE place > 1
