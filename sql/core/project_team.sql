-- One row per project and person in its team, without items that name a phase (R4). Of several items of a person the last in the list counts.
WITH ranked AS (
  SELECT
    project_id,
    people_id,
    role_id,
    hourly_rate,
    ROW_NUMBER() OVER (PARTITION BY project_id, people_id ORDER BY position DESC) AS item_rank
  FROM staging.project_team
  WHERE people_id IS NOT NULL AND phase_id = 0
)
SELECT project_id, people_id, role_id, hourly_rate
FROM ranked
WHERE item_rank = 1
