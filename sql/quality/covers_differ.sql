-- One row per invoice line or write-off of which what it covers adds up to another amount than its own: all amounts of its covers are given (M4).
-- says: bills whose amount is not that of what they cover
-- remedy: Leave out the amount of one cover, which then takes the rest, or correct the amounts.
WITH sums AS (
  SELECT bill_kind, bill_id, SUM(amount) AS amount
  FROM core.covers
  WHERE NOT is_credit
  GROUP BY bill_kind, bill_id
)
SELECT
  'warning' AS severity,
  CASE bills.bill_kind WHEN 'invoice' THEN 'invoice_lines' ELSE 'write_offs' END AS resource,
  CAST(bills.bill_id AS VARCHAR) AS id,
  bills.date AS date,
  'what it covers is given other amounts in all than its own' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(bills.amount - sums.amount AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  COALESCE(bills.project_id, 0) AS project_id
FROM core.bills
JOIN sums ON sums.bill_kind = bills.bill_kind AND sums.bill_id = bills.bill_id
WHERE sums.amount <> bills.amount
