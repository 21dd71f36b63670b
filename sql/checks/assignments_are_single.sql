-- A person has one team role and one bill rate in a project and phase on each day: the ranges have no gaps or overlaps.
-- checked: core.assignments by people_id
WITH ranges AS (
  SELECT
    people_id,
    project_id,
    phase_id,
    valid_from,
    valid_to,
    LEAD(valid_from) OVER (PARTITION BY people_id, project_id, phase_id ORDER BY valid_from) AS next_valid_from
  FROM core.assignments
)
SELECT people_id, project_id, phase_id, valid_from, valid_to, next_valid_from
FROM ranges
WHERE valid_from >= valid_to OR next_valid_from <> valid_to
