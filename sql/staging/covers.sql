-- One row per invoice line or write-off, and record that it covers: logged time or an expense, named once, with the parts of the amount that are given.
SELECT
  'invoice' AS bill_kind,
  invoice_line_id AS bill_id,
  logged_time_id,
  project_expense_id,
  SUM(amount) AS given_amount,
  MAX("value") AS given_value
FROM source.invoice_covers
GROUP BY invoice_line_id, logged_time_id, project_expense_id
UNION ALL
SELECT
  'write_off' AS bill_kind,
  write_off_id AS bill_id,
  logged_time_id,
  project_expense_id,
  SUM(amount) AS given_amount,
  MAX("value") AS given_value
FROM source.write_off_covers
GROUP BY write_off_id, logged_time_id, project_expense_id
