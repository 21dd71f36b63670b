-- One row per line of a project with places (core.places): the place whose agreed fee it may use, if any, on any day and with any statuses asked.
-- Parameter: life_lines, the lines, or sums of them: kind, project_id, phase_id, task_meta_id, date and status.
-- Lines of no place earn their own fee, as do expenses that are billed beside an agreed fee.
-- Lines with a retainer (is_retained) have no agreed fee: that of their phase (retained_phase), else that of their project, on any day (T3).
-- A line is firm if its status is at least as firm as the less firm of its project and phase (S1).
-- entry_date is the day of the first entry of progress of its place on or after its own, if there is one (G2).
-- A line is_by_end if its day is on or before the one on which its place ends by its records.
WITH known_phases AS (
  SELECT phase_id, phase_status
  FROM marts.phases
  WHERE is_known
),
levels AS (
  SELECT project_id, MAX(level) AS level, MAX(project_status) AS project_status
  FROM (
    SELECT project_id, level, project_status
    FROM core.places
    UNION ALL
    SELECT project_id, CAST(NULL AS VARCHAR) AS level, project_status
    FROM core.retained_places
  ) AS contracts
  GROUP BY project_id
),
retained AS (
  SELECT DISTINCT project_id, phase_key
  FROM core.retained_places
),
placed AS (
  SELECT
    life_lines.*,
    CASE WHEN levels.level = 'phase' THEN life_lines.phase_id ELSE 0 END AS phase_key,
    CASE WHEN levels.level = 'task' THEN COALESCE(life_lines.task_meta_id, 0) ELSE 0 END AS task_key,
    COALESCE(
      life_lines.status IN (pl_line_status('confirmed'), pl_line_status('completed'))
        OR (life_lines.status = pl_line_status('tentative') AND (levels.project_status <= 1 OR phases.phase_status IN ('draft', 'tentative')))
        OR levels.project_status = 0
        OR phases.phase_status = 'draft',
      FALSE
    ) AS is_firm,
    of_phase.phase_key IS NOT NULL OR of_project.phase_key IS NOT NULL AS is_retained,
    COALESCE(of_phase.phase_key, 0) AS retained_phase
  FROM life_lines
  JOIN levels ON levels.project_id = life_lines.project_id
  LEFT JOIN (SELECT * FROM retained WHERE phase_key <> 0) AS of_phase
    ON of_phase.project_id = life_lines.project_id AND of_phase.phase_key = life_lines.phase_id
  LEFT JOIN (SELECT * FROM retained WHERE phase_key = 0) AS of_project ON of_project.project_id = life_lines.project_id
  LEFT JOIN known_phases AS phases ON phases.phase_id = life_lines.phase_id
  WHERE life_lines.status <> pl_line_status('canceled')
),
found AS (
  SELECT
    placed.*,
    places.level AS fee_level,
    places.minor_units,
    places.ends_on,
    CASE
      WHEN placed.is_retained OR (placed.kind = pl_line_kind('expense') AND NOT places.has_expenses) THEN NULL
      ELSE places.agreed_fee
    END AS agreed_fee
  FROM placed
  LEFT JOIN core.places ON places.project_id = placed.project_id AND places.phase_key = placed.phase_key AND places.task_key = placed.task_key
)
SELECT found.*, COALESCE(found.date <= ends_on, TRUE) AS is_by_end, fee_progress.date AS entry_date
FROM found
LEFT JOIN core.fee_progress
  ON fee_progress.project_id = found.project_id
  AND fee_progress.phase_key = found.phase_key
  AND fee_progress.task_key = found.task_key
  AND fee_progress.date >= found.date
  AND COALESCE(fee_progress.date_before, pl_add_days(pl_first_day(), -1)) < found.date
