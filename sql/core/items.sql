-- One row per allocation or time off and person whom it concerns: its people if it names several, else its person.
-- Without a repeat end it repeats to the end of its project (time off: of the person), and without that for 2 years (D2).
-- is_counted: only confirmed time off counts (D4), and an allocation of 0 hours makes no lines (D6). The schedule shows the others too.
-- D3: is_unbroken says that in steps of weeks each occurrence reaches the next one, so that all of them are one. Steps of months are 28 days a
-- month or more, and differ: where may_share_days is true, some occurrences may share days with the next one.
-- Reads the records alone, so that a list of records that have just been written needs no refresh.
WITH allocations AS (
  SELECT
    allocations.task_id,
    allocation_people.people_id,
    allocations.project_id,
    allocations.start_date,
    allocations.end_date,
    allocations.repeat_state,
    allocations.repeat_end_date,
    allocations.hours
  FROM staging.allocation_people
  JOIN staging.allocations ON allocations.task_id = allocation_people.task_id
  UNION ALL
  SELECT
    allocations.task_id,
    allocations.people_id,
    allocations.project_id,
    allocations.start_date,
    allocations.end_date,
    allocations.repeat_state,
    allocations.repeat_end_date,
    allocations.hours
  FROM staging.allocations
  LEFT JOIN (SELECT DISTINCT task_id FROM staging.allocation_people) AS lists ON lists.task_id = allocations.task_id
  WHERE lists.task_id IS NULL
),
time_off AS (
  SELECT
    time_off.timeoff_id,
    time_off_people.people_id,
    time_off.start_date,
    time_off.end_date,
    time_off.repeat_state,
    time_off.repeat_end_date,
    time_off.status
  FROM staging.time_off_people
  JOIN staging.time_off ON time_off.timeoff_id = time_off_people.timeoff_id
  UNION ALL
  SELECT
    time_off.timeoff_id,
    time_off.people_id,
    time_off.start_date,
    time_off.end_date,
    time_off.repeat_state,
    time_off.repeat_end_date,
    time_off.status
  FROM staging.time_off
  LEFT JOIN (SELECT DISTINCT timeoff_id FROM staging.time_off_people) AS lists ON lists.timeoff_id = time_off.timeoff_id
  WHERE lists.timeoff_id IS NULL
),
items AS (
  SELECT
    'allocation' AS kind,
    allocations.task_id AS item_id,
    allocations.people_id,
    allocations.start_date,
    allocations.end_date,
    pl_days_between(allocations.start_date, allocations.end_date) AS further_days,
    allocations.repeat_state,
    LEAST(
      COALESCE(allocations.repeat_end_date, projects.end_date, pl_add_months(allocations.start_date, 24)), DATE '2099-12-31'
    ) AS repeat_end_date,
    allocations.hours > 0 AS is_counted
  FROM allocations
  LEFT JOIN staging.projects ON projects.project_id = allocations.project_id
  UNION ALL
  SELECT
    'time off' AS kind,
    time_off.timeoff_id AS item_id,
    time_off.people_id,
    time_off.start_date,
    time_off.end_date,
    pl_days_between(time_off.start_date, time_off.end_date) AS further_days,
    time_off.repeat_state,
    LEAST(COALESCE(time_off.repeat_end_date, people.end_date, pl_add_months(time_off.start_date, 24)), DATE '2099-12-31') AS repeat_end_date,
    time_off.status = 2 AS is_counted
  FROM time_off
  LEFT JOIN staging.people ON people.people_id = time_off.people_id
)
SELECT
  items.kind,
  items.item_id,
  items.people_id,
  items.start_date,
  items.end_date,
  items.further_days,
  items.repeat_state,
  COALESCE(repeat_steps.step_days, 0) AS step_days,
  COALESCE(repeat_steps.step_months, 0) AS step_months,
  items.repeat_end_date,
  COALESCE(repeat_steps.step_days > 0 AND items.further_days >= repeat_steps.step_days, FALSE) AS is_unbroken,
  COALESCE(repeat_steps.step_months > 0 AND items.further_days >= 28 * repeat_steps.step_months, FALSE) AS may_share_days,
  items.is_counted
FROM items
LEFT JOIN core.repeat_steps ON repeat_steps.repeat_state = items.repeat_state
