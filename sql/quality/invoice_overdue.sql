-- One row per issued invoice that is due before today, the day of the data, and not paid (N3).
-- says: invoices that are overdue
-- remedy: Ask the client, or enter the day on which it was paid.
WITH sums AS (
  SELECT bills.invoice_id, SUM(bills.amount) AS amount, MAX(bills.project_id) AS project_id
  FROM core.bills
  WHERE bills.bill_kind = 'invoice' AND bills.status = pl_line_status('confirmed')
  GROUP BY bills.invoice_id
)
SELECT
  'notice' AS severity,
  'invoices' AS resource,
  CAST(invoices.invoice_id AS VARCHAR) AS id,
  invoices.due_date AS date,
  'invoice ' || COALESCE(invoices.number, CAST(invoices.invoice_id AS VARCHAR)) || ' is due, and not paid' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(sums.amount AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  COALESCE(sums.project_id, 0) AS project_id
FROM staging.invoices
JOIN sums ON sums.invoice_id = invoices.invoice_id
CROSS JOIN core.loaded_day
WHERE invoices.status = 'issued' AND invoices.paid_date IS NULL AND invoices.due_date < loaded_day.loaded_date AND sums.amount > 0
