-- One row per logged-time record with hours: what was worked. D7: a logged day always counts.
-- An allocation gives its project to logged time without one (D8): sql/refresh/tasks.sql lists these records, so the schedule changes no other.
-- rank: 2
-- counts_as: work
-- record: logged_time logged_time_id VARCHAR
-- line_id: a: logged_time_id
-- sorted: date
-- changes_with: people_id
-- apart_from: core.spans, core.time_off_days, source.tasks
-- closes: people_id, date, hours
-- says: logged time
SELECT
  date,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  logged_time_id,
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
FROM core.priced
WHERE kind = pl_line_kind('actual')
