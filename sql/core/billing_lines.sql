-- One row per line of kind invoice or write_off: an amount beside the ledger.
-- stored: table at rest
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
SELECT kind, line_id, date, project_id, phase_id, task_meta_id, status, billable, CAST(amount AS DECIMAL(18, 4)) AS amount
FROM kinds.invoice AS invoice_lines
UNION ALL
SELECT kind, line_id, date, project_id, phase_id, task_meta_id, status, billable, CAST(amount AS DECIMAL(18, 4)) AS amount
FROM kinds.write_off AS write_off_lines
