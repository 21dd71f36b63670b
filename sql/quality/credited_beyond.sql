-- One row per invoice line of which more is credited than its amount (N1): what is beyond takes nothing from its covers.
-- says: invoice lines that are credited beyond their amount
-- remedy: Correct the credits, or take the reference to the line out of one of them.
WITH credits AS (
  SELECT credits, MAX(date) AS date, SUM(-amount) AS amount
  FROM core.bills
  WHERE bill_kind = 'invoice' AND credits IS NOT NULL AND amount < 0 AND status = pl_line_status('confirmed')
  GROUP BY credits
)
SELECT
  'warning' AS severity,
  'invoice_lines' AS resource,
  CAST(bills.bill_id AS VARCHAR) AS id,
  credits.date AS date,
  'credits of the line are more than its amount' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(credits.amount - bills.amount AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  COALESCE(bills.project_id, 0) AS project_id
FROM core.bills
JOIN credits ON credits.credits = bills.bill_id
WHERE bills.bill_kind = 'invoice' AND credits.amount > bills.amount
