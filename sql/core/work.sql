-- One row per piece of work: days of an allocation for a person with the same weekly hours (D6), or a logged-time record of more than 0 hours (D7).
-- It lasts from first_date to last_date on its weekdays, with the same hours on each day.
-- S1: logged time is confirmed; an allocation has the status of core.allocations.
-- S2: billable if the record or its project task is; core.assignments adds whether the project and the phase are.
SELECT
  pl_line_kind('scheduled') AS kind,
  task_id,
  CAST(NULL AS VARCHAR) AS logged_time_id,
  people_id,
  project_id,
  phase_id,
  task_meta_id,
  first_date,
  last_date,
  weekdays,
  hours,
  status,
  is_billable_work
FROM core.spans
UNION ALL
SELECT
  pl_line_kind('actual') AS kind,
  task_id,
  logged_time_id,
  people_id,
  project_id,
  phase_id,
  task_meta_id,
  date AS first_date,
  date AS last_date,
  127 AS weekdays,
  hours,
  pl_line_status('confirmed') AS status,
  is_billable_work
FROM core.logged_time
WHERE hours > 0
