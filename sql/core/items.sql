-- One row per allocation or time off and person: the people in its list, or its single person if the list is empty.
-- D2: pl_repeat_end ends the repeats of an item without a repeat end.
-- Only confirmed time off counts (is_counted, D4), and an allocation of 0 hours makes no lines (D6). The schedule shows all items.
-- D3: is_unbroken means that, with steps in weeks, each occurrence reaches the next, so that all merge into one. Steps in months vary, from 28 days a month:
-- where may_share_days is true, some occurrences may share days with the next.
-- Reads only source records, so a list of records just written needs no refresh.
WITH items AS (
  SELECT
    'allocation' AS kind,
    allocations.task_id AS item_id,
    COALESCE(allocation_people.people_id, allocations.people_id) AS people_id,
    allocations.start_date,
    allocations.end_date,
    pl_days_between(allocations.start_date, allocations.end_date) AS further_days,
    allocations.repeat_state,
    pl_repeat_end(allocations.repeat_end_date, projects.end_date, allocations.start_date) AS repeat_end_date,
    allocations.hours > 0 AS is_counted
  FROM staging.allocations
  LEFT JOIN staging.allocation_people ON allocation_people.task_id = allocations.task_id
  LEFT JOIN staging.projects ON projects.project_id = allocations.project_id
  UNION ALL
  SELECT
    'time off' AS kind,
    time_off.timeoff_id AS item_id,
    COALESCE(time_off_people.people_id, time_off.people_id) AS people_id,
    time_off.start_date,
    time_off.end_date,
    pl_days_between(time_off.start_date, time_off.end_date) AS further_days,
    time_off.repeat_state,
    pl_repeat_end(time_off.repeat_end_date, people.end_date, time_off.start_date) AS repeat_end_date,
    time_off.status = 2 AS is_counted
  FROM staging.time_off
  LEFT JOIN staging.time_off_people ON time_off_people.timeoff_id = time_off.timeoff_id
  LEFT JOIN staging.people ON people.people_id = COALESCE(time_off_people.people_id, time_off.people_id)
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
