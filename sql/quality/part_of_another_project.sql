-- One row per record, or item of a project's team, and phase or project task of another project that it names: it counts as if it named none (D9).
-- The hours and the amount are those of its lines, at the rates of its own project.
-- says: phases and project tasks of another project
-- remedy: Name a part of the same project in the record, or move the part.
-- tells_of: records
WITH lines AS (
  SELECT 'tasks' AS resource, CAST(task_id AS VARCHAR) AS id, SUM(hours) AS hours, SUM(fee) AS fee, MIN(people_id) AS people_id
  FROM core.ledger
  WHERE kind = pl_line_kind('scheduled')
    AND status <> pl_line_status('canceled')
    AND CAST(task_id AS VARCHAR) IN (SELECT id FROM core.foreign_parts WHERE resource = 'tasks')
  GROUP BY task_id
  UNION ALL
  SELECT 'logged_time', logged_time_id, hours, fee, people_id
  FROM core.ledger
  WHERE kind = pl_line_kind('actual') AND logged_time_id IN (SELECT id FROM core.foreign_parts WHERE resource = 'logged_time')
)
SELECT
  'warning' AS severity,
  foreign_parts.resource,
  foreign_parts.id,
  foreign_parts.date,
  foreign_parts.field || ' ' || CAST(foreign_parts.part_id AS VARCHAR) || ' is of project '
    || CAST(foreign_parts.part_project_id AS VARCHAR) || ', not of project ' || CAST(foreign_parts.project_id AS VARCHAR) || ': it counts for nothing' AS detail,
  COALESCE(foreign_parts.hours, lines.hours) AS hours,
  lines.fee AS amount_at_risk,
  COALESCE(foreign_parts.people_id, lines.people_id) AS people_id,
  foreign_parts.project_id
FROM core.foreign_parts
LEFT JOIN lines ON lines.resource = foreign_parts.resource AND lines.id = foreign_parts.id
