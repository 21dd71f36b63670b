-- One row per line of an invoice, net of tax.
SELECT
  invoice_line_id,
  invoice_id,
  project_id,
  COALESCE(phase_id, 0) AS phase_id,
  task_meta_id,
  amount,
  COALESCE(kind, 'other') AS line_kind,
  name,
  credits
FROM source.invoice_lines
