-- One row per line of the ledger, with its id. A key is null where the line refers to nothing, except project and phase 0.
-- part: lines
-- copied: without rates
-- hides: cost_rate, cost
SELECT
  kind,
  kinds.line_id AS line_id,
  date,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  kinds.records,
  status,
  billable,
  hours,
  cost_rate,
  cost_rate_source,
  cost,
  bill_rate,
  bill_rate_source,
  bill_rate_from,
  fee
FROM core.ledger
