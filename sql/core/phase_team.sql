-- One row per phase and person in its team.
-- R4: an item of the project's team with a phase belongs to that phase's team. Of several items of a person the last in the list counts, and items
-- in the phase's own list come before those of the project's. An item that names a phase of another project counts for nothing (D9).
WITH items AS (
  SELECT phase_id, people_id, role_id, hourly_rate, 1 AS list_rank, position
  FROM staging.phase_team
  UNION ALL
  SELECT project_team.phase_id, project_team.people_id, project_team.role_id, project_team.hourly_rate, 2 AS list_rank, project_team.position
  FROM staging.project_team
  LEFT JOIN staging.phases ON phases.phase_id = project_team.phase_id
  WHERE project_team.phase_id <> 0 AND pl_is_part_of(phases.project_id, project_team.project_id)
),
ranked AS (
  SELECT
    phase_id,
    people_id,
    role_id,
    hourly_rate,
    ROW_NUMBER() OVER (PARTITION BY phase_id, people_id ORDER BY list_rank, position DESC, role_id, hourly_rate) AS item_rank
  FROM items
  WHERE people_id IS NOT NULL
)
SELECT phase_id, people_id, role_id, hourly_rate
FROM ranked
WHERE item_rank = 1
