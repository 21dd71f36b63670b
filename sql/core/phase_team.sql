-- One row per phase and person in its team.
-- R4: an item of the project's team with a phase belongs to that phase's team. Of several items of a person the last in the list counts, and items
-- in the phase's own list come before those of the project's: team and team_id say whose list it is. An item that names a phase of another project
-- counts for nothing (D9). A rank of 1 would be the plainer filter, but DuckDB 1.5 can't plan it below the union of core.bill_rates.
-- part: where phase_id IN (SELECT phase_id FROM marts.phases) AND people_id IN (SELECT people_id FROM core.named_people)
WITH items AS (
  SELECT phase_id, people_id, role_id, hourly_rate, 'phase' AS team, phase_id AS team_id, position
  FROM staging.phase_team
  UNION ALL
  SELECT
    project_team.phase_id,
    project_team.people_id,
    project_team.role_id,
    project_team.hourly_rate,
    'project' AS team,
    project_team.project_id AS team_id,
    project_team.position
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
    team,
    team_id,
    LAG(position) OVER (PARTITION BY phase_id, people_id ORDER BY team, position DESC, role_id, hourly_rate) AS better_position
  FROM items
  WHERE people_id IS NOT NULL
)
SELECT phase_id, people_id, role_id, hourly_rate, team, team_id
FROM ranked
WHERE better_position IS NULL
