-- One row per line of the ledger: a scheduled day, a logged-time record or an expense. Every number in every report is a sum over it.
-- stored: table
-- Each file of kinds/ makes the lines of a kind. A line has the record that it is of, in the column of its kind.
-- month is the first day of the date's month, so that sums by month skip the blocks of other months.
-- Sorted by kind and date. Sorting each kind on its own takes half the memory of sorting all together.
-- part: lines
-- copied: without rates
-- hides: cost_rate, cost
SELECT
  kind,
  date,
  pl_first_of_month(date) AS month,
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
FROM kinds.lines AS lines
