-- One row per line of an invoice and per write-off that counts (I2): not of a void invoice, nor of one in another currency than the company's. Draft
-- lines have the status draft.
-- A line of an invoice that isn't there has no date, so it has no row.
-- D9: a phase of another project than the bill's is none of the bill's.
-- stored: table at rest
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH all_bills AS (
  SELECT
    'invoice' AS bill_kind,
    invoice_lines.invoice_line_id AS bill_id,
    invoice_lines.invoice_id,
    invoices.issue_date AS date,
    pl_line_status(CASE WHEN invoices.status = 'draft' THEN 'draft' ELSE 'confirmed' END) AS status,
    invoice_lines.amount,
    invoice_lines.project_id,
    invoice_lines.phase_id,
    invoice_lines.task_meta_id,
    invoice_lines.credits
  FROM staging.invoice_lines
  JOIN staging.invoices ON invoices.invoice_id = invoice_lines.invoice_id
  CROSS JOIN core.settings
  WHERE invoices.status <> 'void' AND COALESCE(invoices.currency = LOWER(settings.currency), TRUE)
  UNION ALL
  SELECT
    'write_off' AS bill_kind,
    write_off_id AS bill_id,
    NULL AS invoice_id,
    date,
    pl_line_status('confirmed') AS status,
    amount,
    project_id,
    phase_id,
    NULL AS task_meta_id,
    NULL AS credits
  FROM staging.write_offs
)
SELECT
  all_bills.bill_kind,
  all_bills.bill_id,
  all_bills.invoice_id,
  all_bills.date,
  all_bills.status,
  settings.minor_units,
  pl_round_money(all_bills.amount, settings.minor_units) AS amount,
  all_bills.project_id,
  CASE WHEN phases.project_id = all_bills.project_id THEN all_bills.phase_id ELSE 0 END AS phase_id,
  CASE WHEN project_tasks.project_id = all_bills.project_id THEN all_bills.task_meta_id END AS task_meta_id,
  all_bills.credits
FROM all_bills
CROSS JOIN core.settings
LEFT JOIN staging.phases ON phases.phase_id = all_bills.phase_id
LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = all_bills.task_meta_id
