-- One row per project and person in its team, without items that name a phase (R4). Of several items of a person the last in the list counts.
-- part: where project_id IN (SELECT project_id FROM core.named_projects) AND people_id IN (SELECT people_id FROM core.named_people)
WITH ranked AS (
  SELECT
    project_id,
    people_id,
    role_id,
    hourly_rate,
    LEAD(position) OVER (PARTITION BY project_id, people_id ORDER BY position) AS later_position
  FROM staging.project_team
  WHERE people_id IS NOT NULL AND phase_id = 0
)
SELECT project_id, people_id, role_id, hourly_rate
FROM ranked
WHERE later_position IS NULL
