-- One row per project task, a kind of work in a project, and per other project task that lines name. 0 stands for no project task.
-- key: task_meta_id
-- refers: project_id projects, phase_id phases
-- part: where task_meta_id = 0 OR task_meta_id IN (SELECT task_meta_id FROM core.ledger) OR project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
WITH named AS (
  -- The tasks of lines are those of their sums by month, which have fewer rows.
  SELECT DISTINCT task_meta_id
  FROM core.ledger_months
  WHERE task_meta_id IS NOT NULL
),
unknown AS (
  SELECT named.task_meta_id
  FROM named
  LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = named.task_meta_id
  WHERE project_tasks.task_meta_id IS NULL
)
SELECT
  task_meta_id,
  project_id,
  phase_id,
  TRUE AS is_known,
  name AS task
FROM core.project_tasks
UNION ALL
SELECT
  task_meta_id,
  0 AS project_id,
  0 AS phase_id,
  FALSE AS is_known,
  NULL AS task
FROM unknown
UNION ALL
SELECT
  0 AS task_meta_id,
  0 AS project_id,
  0 AS phase_id,
  FALSE AS is_known,
  '(no task)' AS task
