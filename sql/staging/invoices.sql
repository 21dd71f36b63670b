-- One row per invoice. One without a status is issued. Codes of currencies are compared in lower case.
SELECT
  invoice_id,
  number,
  client_id,
  issue_date,
  due_date,
  paid_date,
  COALESCE(status, 'issued') AS status,
  LOWER(currency) AS currency
FROM source.invoices
