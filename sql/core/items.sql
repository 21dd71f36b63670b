-- One row per allocation or confirmed time off and person whom it concerns: its people if it names several, else its person.
-- Without a repeat end it repeats to the end of its project (time off: of the person), and without that for 2 years (D2).
-- Only confirmed time off counts (D4). An allocation of 0 hours makes no lines (D6).
WITH allocation_people AS (
  SELECT task_id, people_id
  FROM staging.allocation_people
  UNION ALL
  SELECT allocations.task_id, allocations.people_id
  FROM core.allocations
  LEFT JOIN (SELECT DISTINCT task_id FROM staging.allocation_people) AS lists ON lists.task_id = allocations.task_id
  WHERE lists.task_id IS NULL
),
time_off_people AS (
  SELECT timeoff_id, people_id
  FROM staging.time_off_people
  UNION ALL
  SELECT time_off.timeoff_id, time_off.people_id
  FROM staging.time_off
  LEFT JOIN (SELECT DISTINCT timeoff_id FROM staging.time_off_people) AS lists ON lists.timeoff_id = time_off.timeoff_id
  WHERE lists.timeoff_id IS NULL
)
SELECT
  'allocation' AS kind,
  allocations.task_id AS item_id,
  allocation_people.people_id,
  allocations.start_date,
  allocations.end_date,
  allocations.repeat_state,
  LEAST(
    COALESCE(allocations.repeat_end_date, allocations.project_end_date, add_months(allocations.start_date, 24)), DATE '2099-12-31'
  ) AS repeat_end_date
FROM allocation_people
JOIN core.allocations ON allocations.task_id = allocation_people.task_id
WHERE allocations.hours > 0
UNION ALL
SELECT
  'time off' AS kind,
  time_off.timeoff_id AS item_id,
  time_off_people.people_id,
  time_off.start_date,
  time_off.end_date,
  time_off.repeat_state,
  LEAST(COALESCE(time_off.repeat_end_date, people.end_date, add_months(time_off.start_date, 24)), DATE '2099-12-31') AS repeat_end_date
FROM time_off_people
JOIN staging.time_off ON time_off.timeoff_id = time_off_people.timeoff_id
JOIN core.people ON people.people_id = time_off_people.people_id
WHERE time_off.status = 2
