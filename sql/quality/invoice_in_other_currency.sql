-- One row per invoice in another currency than the company's: it counts nowhere.
-- says: invoices in another currency
-- remedy: Give the invoice in the currency of the company, with the amounts that were booked.
SELECT
  'error' AS severity,
  'invoices' AS resource,
  CAST(invoices.invoice_id AS VARCHAR) AS id,
  invoices.issue_date AS date,
  'an invoice in ' || invoices.currency AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(NULL AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  CAST(NULL AS BIGINT) AS project_id
FROM staging.invoices
CROSS JOIN core.settings
WHERE invoices.status <> 'void' AND invoices.currency <> LOWER(settings.currency)
