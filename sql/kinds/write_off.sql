-- One row per write-off: the amount that nobody will pay of the work of a project, without hours, cost and fee (I2).
-- rank: 6
-- computed: beside the ledger
-- line_id: w: write_off_id
SELECT
  pl_line_kind('write_off') AS kind,
  'w:' || CAST(bill_id AS VARCHAR) AS line_id,
  date,
  project_id,
  phase_id,
  task_meta_id,
  status,
  TRUE AS billable,
  amount
FROM core.bills
WHERE bill_kind = 'write_off'
