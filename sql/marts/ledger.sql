-- One row per line of the ledger, canceled ones included.
-- Kept for a release: marts.lines has the lines that count, with names, and marts.canceled_lines has the others.
-- A sum needs a kind here, too: SUM(hours) alone adds plan and work.
-- key: line_id
-- order: date, line_id
-- refers: date calendar, people_id people, role_id roles, project_id projects, phase_id phases, task_meta_id project_tasks
-- hides: cost_rate, cost
SELECT
  kind,
  line_id,
  date,
  COALESCE(people_id, 0) AS people_id,
  COALESCE(role_id, 0) AS role_id,
  project_id,
  phase_id,
  COALESCE(task_meta_id, 0) AS task_meta_id,
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
FROM core.lines
