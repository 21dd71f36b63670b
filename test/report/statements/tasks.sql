WITH fee_day AS (SELECT FALSE AS is_plan, DATE '2026-03-01' AS cutoff_date, DATE '2026-03-01' AS today UNION ALL SELECT TRUE AS is_plan, DATE '1969-12-31' AS cutoff_date, DATE '2026-03-01' AS today),
fee_window AS (SELECT DATE '2026-01-01' AS start_date, DATE '2026-03-31' AS end_date),
asked_statuses AS (SELECT status FROM (SELECT UNNEST(CAST(enum_range(NULL::line_status) AS line_status[])) AS status) AS statuses WHERE status IN (pl_line_status('confirmed'), pl_line_status('completed'))),
placed_lines AS (SELECT *, date AS last_date FROM (WITH life_lines AS (SELECT * FROM core.lines WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') SELECT * FROM (WITH known_phases AS (
  SELECT phase_id, phase_status
  FROM marts.phases AS phases
  WHERE is_known
),
levels AS (
  SELECT project_id, MAX(level) AS level, MAX(project_status) AS project_status
  FROM (
    SELECT project_id, level, project_status
    FROM core.places AS places
    UNION ALL
    SELECT project_id, CAST(NULL AS VARCHAR) AS level, project_status
    FROM core.retained_places AS retained_places
  ) AS contracts
  GROUP BY project_id
),
retained AS (
  SELECT DISTINCT project_id, phase_key
  FROM core.retained_places AS retained_places
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
  LEFT JOIN core.places AS places ON places.project_id = placed.project_id AND places.phase_key = placed.phase_key AND places.task_key = placed.task_key
)
SELECT found.*, COALESCE(found.date <= ends_on, TRUE) AS is_by_end, fee_progress.date AS entry_date
FROM found
LEFT JOIN core.fee_progress AS fee_progress
  ON fee_progress.project_id = found.project_id
  AND fee_progress.phase_key = found.phase_key
  AND fee_progress.task_key = found.task_key
  AND fee_progress.date >= found.date
  AND COALESCE(fee_progress.date_before, pl_add_days(pl_first_day(), -1)) < found.date
) AS placed) AS lines WHERE NOT is_retained
  UNION ALL BY NAME SELECT *, month AS date FROM core.fee_months AS months WHERE month >= DATE '1970-01-01' AND month < DATE '2026-01-01'
  UNION ALL BY NAME SELECT *, month AS date FROM core.fee_months AS months WHERE month >= DATE '2026-04-01' AND month < DATE '2100-01-01'),
fee_uses AS (WITH days AS (
  SELECT
    placed_lines.*,
    fee_day.is_plan,
    placed_lines.kind = pl_line_kind('expense') AS is_expense,
    COALESCE(placed_lines.date <= fee_day.cutoff_date, FALSE) AS is_done,
    placed_lines.date > fee_day.today AS is_future
  FROM placed_lines
  CROSS JOIN fee_day
),
planned AS (
  SELECT
    days.*,
    days.kind = pl_line_kind('scheduled') AND NOT days.is_done AS is_planned,
    days.status IN (SELECT status FROM asked_statuses) AS is_asked
  FROM days
),
counted AS (
  SELECT
    planned.*,
    planned.is_expense OR (planned.is_planned AND planned.is_asked) OR (planned.kind = pl_line_kind('actual') AND planned.is_done) AS is_counted,
    planned.is_planned AND (planned.is_asked OR (planned.agreed_fee IS NOT NULL AND planned.is_firm)) AS is_left
  FROM planned
)
SELECT
  counted.*,
  CASE WHEN is_counted THEN COALESCE(fee, 0) ELSE 0 END AS used_fee,
  CASE WHEN (is_counted OR is_left) AND billable AND hours IS NOT NULL THEN pl_hour_units(hours) ELSE 0 END AS used_hours
FROM counted
),
retained_lines AS (WITH placed_lines AS (SELECT *, date AS last_date FROM (WITH life_lines AS (SELECT * FROM core.lines WHERE project_id IN (SELECT project_id FROM core.retained_places) AND date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
  UNION ALL BY NAME SELECT * FROM core.retainer_days WHERE NOT (date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31')) SELECT * FROM (WITH known_phases AS (
  SELECT phase_id, phase_status
  FROM marts.phases AS phases
  WHERE is_known
),
levels AS (
  SELECT project_id, MAX(level) AS level, MAX(project_status) AS project_status
  FROM (
    SELECT project_id, level, project_status
    FROM core.places AS places
    UNION ALL
    SELECT project_id, CAST(NULL AS VARCHAR) AS level, project_status
    FROM core.retained_places AS retained_places
  ) AS contracts
  GROUP BY project_id
),
retained AS (
  SELECT DISTINCT project_id, phase_key
  FROM core.retained_places AS retained_places
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
  LEFT JOIN core.places AS places ON places.project_id = placed.project_id AND places.phase_key = placed.phase_key AND places.task_key = placed.task_key
)
SELECT found.*, COALESCE(found.date <= ends_on, TRUE) AS is_by_end, fee_progress.date AS entry_date
FROM found
LEFT JOIN core.fee_progress AS fee_progress
  ON fee_progress.project_id = found.project_id
  AND fee_progress.phase_key = found.phase_key
  AND fee_progress.task_key = found.task_key
  AND fee_progress.date >= found.date
  AND COALESCE(fee_progress.date_before, pl_add_days(pl_first_day(), -1)) < found.date
) AS placed) AS lines WHERE is_retained) SELECT * FROM (WITH days AS (
  SELECT
    placed_lines.*,
    fee_day.is_plan,
    placed_lines.kind = pl_line_kind('expense') AS is_expense,
    COALESCE(placed_lines.date <= fee_day.cutoff_date, FALSE) AS is_done,
    placed_lines.date > fee_day.today AS is_future
  FROM placed_lines
  CROSS JOIN fee_day
),
planned AS (
  SELECT
    days.*,
    days.kind = pl_line_kind('scheduled') AND NOT days.is_done AS is_planned,
    days.status IN (SELECT status FROM asked_statuses) AS is_asked
  FROM days
),
counted AS (
  SELECT
    planned.*,
    planned.is_expense OR (planned.is_planned AND planned.is_asked) OR (planned.kind = pl_line_kind('actual') AND planned.is_done) AS is_counted,
    planned.is_planned AND (planned.is_asked OR (planned.agreed_fee IS NOT NULL AND planned.is_firm)) AS is_left
  FROM planned
)
SELECT
  counted.*,
  CASE WHEN is_counted THEN COALESCE(fee, 0) ELSE 0 END AS used_fee,
  CASE WHEN (is_counted OR is_left) AND billable AND hours IS NOT NULL THEN pl_hour_units(hours) ELSE 0 END AS used_hours
FROM counted
) AS uses),
uses AS (SELECT * FROM fee_uses WHERE line_id IS NOT NULL
  UNION ALL BY NAME SELECT is_plan, project_id, phase_key, task_key, agreed_fee, minor_units, entry_date, is_left, is_counted, is_by_end, is_future, line_id, kind, is_expense, MAX(date) AS date, MAX(last_date) AS last_date, MAX(status) AS status,
    BOOL_OR(billable) AS billable, SUM(fee) AS fee, SUM(used_fee) AS used_fee, SUM(used_hours) AS used_hours
  FROM fee_uses WHERE agreed_fee IS NOT NULL AND (is_counted OR is_left) AND line_id IS NULL
  GROUP BY is_plan, project_id, phase_key, task_key, agreed_fee, minor_units, entry_date, is_left, is_counted, is_by_end, is_future, line_id, kind, is_expense, date <= DATE '2026-03-01', date < DATE '2026-01-01', date > DATE '2026-03-31'),
fee_lives AS (WITH used AS (
  SELECT
    is_plan,
    project_id,
    phase_key,
    task_key,
    SUM(CASE WHEN is_left THEN used_hours ELSE 0 END) AS left_hours,
    SUM(CASE WHEN is_left THEN 0 ELSE used_hours END) AS done_hours,
    SUM(CASE WHEN is_by_end AND NOT is_left THEN used_hours ELSE 0 END) AS ended_hours,
    SUM(CASE WHEN is_left OR is_future THEN 0 ELSE used_hours END) AS present_hours,
    SUM(used_fee) AS all_fees,
    SUM(CASE WHEN is_by_end AND NOT is_left THEN used_fee ELSE 0 END) AS ended_fees,
    SUM(CASE WHEN is_left OR is_future THEN 0 ELSE used_fee END) AS present_fees,
    MAX(CASE WHEN is_future THEN NULL ELSE last_date END) AS last_day
  FROM fee_uses
  WHERE agreed_fee IS NOT NULL
  GROUP BY is_plan, project_id, phase_key, task_key
),
entered AS (
  SELECT places.project_id, places.phase_key, places.task_key, fee_progress.date, COALESCE(percent < 100, remaining_hours > 0) AS is_open
  FROM core.places AS places
  JOIN core.fee_progress AS fee_progress
    ON fee_progress.project_id = places.project_id AND fee_progress.phase_key = places.phase_key AND fee_progress.task_key = places.task_key
  WHERE places.contract = 'fixed' AND places.recognise = 'progress' AND NOT places.is_canceled
),
planned AS (
  SELECT
    places.*,
    pl_money_units(places.agreed_fee, places.minor_units) AS fee_units,
    fee_day.is_plan,
    fee_day.cutoff_date,
    COALESCE(used.left_hours, 0) AS left_hours,
    COALESCE(used.done_hours, 0) AS done_hours,
    COALESCE(used.all_fees, 0) AS all_fees,
    places.is_completed AND places.completed_on IS NULL AND COALESCE(places.end_date > fee_day.today, TRUE) AS ends_with_lines,
    COALESCE(used.ended_hours, 0) AS ended_hours,
    COALESCE(used.present_hours, 0) AS present_hours,
    COALESCE(used.ended_fees, 0) AS ended_fees,
    COALESCE(used.present_fees, 0) AS present_fees,
    used.last_day
  FROM core.places AS places
  CROSS JOIN fee_day
  LEFT JOIN used
    ON used.is_plan = fee_day.is_plan AND used.project_id = places.project_id AND used.phase_key = places.phase_key AND used.task_key = places.task_key
),
unfinished AS (
  SELECT DISTINCT planned.is_plan, planned.project_id, planned.phase_key, planned.task_key
  FROM planned
  JOIN entered ON entered.project_id = planned.project_id AND entered.phase_key = planned.phase_key AND entered.task_key = planned.task_key
  WHERE entered.is_open AND entered.date BETWEEN planned.end_date AND planned.cutoff_date
),
days AS (
  SELECT
    planned.*,
    CASE
      WHEN status NOT IN (pl_line_status('confirmed'), pl_line_status('completed')) THEN NULL
      WHEN ends_with_lines THEN last_day
      WHEN is_completed OR (left_hours = 0 AND unfinished.project_id IS NULL) THEN ends_on
    END AS last_known_day
  FROM planned
  LEFT JOIN unfinished
    ON unfinished.is_plan = planned.is_plan
    AND unfinished.project_id = planned.project_id
    AND unfinished.phase_key = planned.phase_key
    AND unfinished.task_key = planned.task_key
),
ended AS (
  SELECT
    days.*,
    CASE WHEN last_known_day <= cutoff_date THEN last_known_day END AS end_day,
    CASE
      WHEN COALESCE(last_known_day > cutoff_date, TRUE) THEN done_hours + left_hours
      WHEN ends_with_lines THEN present_hours
      ELSE ended_hours
    END AS life_hours,
    CASE
      WHEN COALESCE(last_known_day > cutoff_date, TRUE) THEN all_fees
      WHEN ends_with_lines THEN present_fees
      ELSE ended_fees
    END AS life_fees
  FROM days
),
known AS (
  SELECT
    ended.is_plan, ended.project_id, ended.phase_key, ended.task_key, MAX(CASE WHEN COALESCE(entered.date < ended.end_day, TRUE) THEN entered.date END) AS last_entry
  FROM ended
  JOIN entered ON entered.project_id = ended.project_id AND entered.phase_key = ended.phase_key AND entered.task_key = ended.task_key
  WHERE entered.date <= ended.cutoff_date AND COALESCE(entered.date <= ended.end_day, TRUE)
  GROUP BY ended.is_plan, ended.project_id, ended.phase_key, ended.task_key
),
ruled AS (
  SELECT
    ended.*,
    known.last_entry,
    CASE
      WHEN contract = 'capped' OR is_canceled THEN 'use'
      WHEN known.project_id IS NOT NULL THEN 'entries'
      WHEN recognise <> 'progress' THEN 'nothing'
      WHEN life_hours > 0 AND (end_day IS NOT NULL OR left_hours > 0) THEN 'progress'
      ELSE 'use'
    END AS lines_earn,
    CASE WHEN end_day IS NOT NULL THEN end_day WHEN end_date > cutoff_date THEN end_date END AS rest_day
  FROM ended
  LEFT JOIN known
    ON known.is_plan = ended.is_plan
    AND known.project_id = ended.project_id
    AND known.phase_key = ended.phase_key
    AND known.task_key = ended.task_key
),
dated AS (
  SELECT ruled.is_plan, ruled.project_id, ruled.phase_key, ruled.task_key, SUM(fee_milestones.amount) AS milestone_fees
  FROM ruled
  JOIN core.fee_milestones AS fee_milestones
    ON fee_milestones.project_id = ruled.project_id AND fee_milestones.phase_key = ruled.phase_key AND fee_milestones.task_key = ruled.task_key
  WHERE COALESCE(fee_milestones.date <= ruled.end_day, TRUE)
  GROUP BY ruled.is_plan, ruled.project_id, ruled.phase_key, ruled.task_key
)
SELECT
  ruled.*,
  CASE
    WHEN ruled.lines_earn IN ('entries', 'progress') OR ruled.contract = 'capped' OR ruled.is_canceled THEN 0
    WHEN ruled.lines_earn = 'use' AND ruled.life_fees > ruled.agreed_fee THEN 0
    WHEN ruled.lines_earn = 'use' THEN ruled.agreed_fee - ruled.life_fees
    WHEN ruled.recognise = 'evenly' AND ruled.rest_day < ruled.start_date THEN ruled.agreed_fee
    WHEN ruled.recognise = 'evenly' AND ruled.rest_day < ruled.end_date
      THEN ruled.agreed_fee - pl_money_of_units(
        pl_share_of_units(
          ruled.fee_units, pl_days_between(ruled.start_date, ruled.rest_day) + 1, pl_days_between(ruled.start_date, ruled.end_date) + 1
        ),
        ruled.minor_units
      )
    WHEN ruled.recognise = 'evenly' THEN 0
    WHEN ruled.recognise = 'milestones' AND COALESCE(dated.milestone_fees, 0) > ruled.agreed_fee THEN 0
    WHEN ruled.recognise = 'milestones' THEN ruled.agreed_fee - COALESCE(dated.milestone_fees, 0)
    ELSE ruled.agreed_fee
  END AS rest_fee
FROM ruled
LEFT JOIN dated
  ON dated.is_plan = ruled.is_plan AND dated.project_id = ruled.project_id AND dated.phase_key = ruled.phase_key AND dated.task_key = ruled.task_key
),
fee_steps AS (WITH entered AS (
  SELECT *
  FROM fee_lives
  WHERE lines_earn = 'entries'
),
timed AS (
  SELECT
    entered.is_plan,
    entered.project_id,
    entered.phase_key,
    entered.task_key,
    pl_fee_step(fee_uses.entry_date, entered.last_entry, entered.end_day, fee_uses.is_left) AS date,
    fee_uses.used_hours
  FROM entered
  JOIN fee_uses
    ON fee_uses.is_plan = entered.is_plan
    AND fee_uses.project_id = entered.project_id
    AND fee_uses.phase_key = entered.phase_key
    AND fee_uses.task_key = entered.task_key
  WHERE fee_uses.agreed_fee IS NOT NULL
    AND NOT pl_is_after_end(fee_uses.date, fee_uses.is_by_end, fee_uses.is_left, entered.end_day)
),
worked AS (
  SELECT is_plan, project_id, phase_key, task_key, date, SUM(used_hours) AS hours
  FROM timed
  GROUP BY is_plan, project_id, phase_key, task_key, date
),
steps AS (
  SELECT entered.*, fee_progress.date, fee_progress.date AS due_date, fee_progress.percent, fee_progress.remaining_hours
  FROM entered
  JOIN core.fee_progress AS fee_progress
    ON fee_progress.project_id = entered.project_id
    AND fee_progress.phase_key = entered.phase_key
    AND fee_progress.task_key = entered.task_key
  WHERE fee_progress.date <= entered.last_entry
  UNION ALL
  SELECT
    entered.*, COALESCE(end_day, pl_after_last_day()) AS date, rest_day AS due_date, CAST(100 AS DECIMAL(7, 4)) AS percent, NULL AS remaining_hours
  FROM entered
),
reached AS (
  SELECT
    steps.*,
    COALESCE(worked.hours, 0) AS hours,
    SUM(COALESCE(worked.hours, 0)) OVER (
      PARTITION BY steps.is_plan, steps.project_id, steps.phase_key, steps.task_key ORDER BY steps.date ROWS UNBOUNDED PRECEDING
    ) AS hours_so_far
  FROM steps
  LEFT JOIN worked
    ON worked.is_plan = steps.is_plan
    AND worked.project_id = steps.project_id
    AND worked.phase_key = steps.phase_key
    AND worked.task_key = steps.task_key
    AND worked.date = steps.date
),
valued AS (
  SELECT
    reached.*,
    CASE
      WHEN remaining_hours IS NULL THEN pl_share_of_units(fee_units, CAST(percent * 10000 AS BIGINT), 1000000)
      WHEN remaining_hours = 0 THEN fee_units
      ELSE pl_share_of_units(fee_units, hours_so_far, hours_so_far + pl_hour_units(remaining_hours))
    END AS units_so_far
  FROM reached
),
parted AS (
  SELECT
    valued.*,
    hours_so_far - hours AS hours_before,
    units_so_far - COALESCE(LAG(units_so_far) OVER (PARTITION BY is_plan, project_id, phase_key, task_key ORDER BY date), 0) AS step_units
  FROM valued
)
SELECT parted.*, pl_money_of_units(step_units, minor_units) AS step_fee
FROM parted
),
retainer_uses AS (SELECT
  retained_lines.*,
  retainer_periods.retainer_id,
  retainer_periods.number,
  retainer_periods.recognise,
  retainer_periods.overage,
  retainer_periods.minor_units AS lot_minor_units,
  retainer_periods.status AS place_status,
  CASE
    WHEN retainer_periods.retainer_id IS NULL OR retained_lines.is_expense OR NOT retained_lines.is_counted THEN 0
    WHEN retainer_periods.counts = 'billable' AND NOT retained_lines.billable THEN 0
    WHEN retainer_periods.unit = 'hours' THEN pl_hour_units(COALESCE(retained_lines.hours, 0))
    ELSE pl_money_units(COALESCE(retained_lines.fee, 0), retainer_periods.minor_units)
  END AS lot_units
FROM retained_lines
LEFT JOIN core.retainer_calendar AS retainer_calendar
  ON retainer_calendar.project_id = retained_lines.project_id
  AND retainer_calendar.phase_key = retained_lines.retained_phase
  AND retainer_calendar.date = retained_lines.date
LEFT JOIN core.retainer_periods AS retainer_periods
  ON retainer_periods.retainer_id = retainer_calendar.retainer_id AND retainer_periods.number = retainer_calendar.number
),
retainer_walk AS (WITH worked AS (
  SELECT is_plan, retainer_id, number, SUM(lot_units) AS used_units
  FROM retainer_uses
  WHERE retainer_id IS NOT NULL
  GROUP BY is_plan, retainer_id, number
),
steps AS (
  SELECT
    retainer_periods.*,
    fee_day.is_plan,
    fee_day.cutoff_date,
    CAST(COALESCE(worked.used_units, 0) AS BIGINT) AS used_units,
    CAST(
      SUM(COALESCE(worked.used_units, 0)) OVER (PARTITION BY fee_day.is_plan, retainer_periods.retainer_id ORDER BY retainer_periods.number ROWS UNBOUNDED PRECEDING)
      AS BIGINT
    ) AS used_so_far
  FROM core.retainer_periods AS retainer_periods
  CROSS JOIN fee_day
  LEFT JOIN worked ON worked.is_plan = fee_day.is_plan AND worked.retainer_id = retainer_periods.retainer_id AND worked.number = retainer_periods.number
),
bounds AS (
  SELECT steps.*, lapsed_so_far - used_so_far AS low, capacity_so_far - used_so_far AS high
  FROM steps
),
beginnings AS (
  SELECT is_plan, retainer_id, number, low
  FROM bounds
  WHERE is_bounded_twice
  UNION ALL
  SELECT is_plan, retainer_id, -1 AS number, 0 AS low
  FROM bounds
  WHERE is_bounded_twice AND number = 0
),
lowered AS (
  SELECT
    bounds.is_plan,
    bounds.retainer_id,
    bounds.number,
    LEAST(
      beginnings.low,
      MIN(bounds.high) OVER (
        PARTITION BY beginnings.is_plan, beginnings.retainer_id, beginnings.number ORDER BY bounds.number ROWS UNBOUNDED PRECEDING
      )
    ) AS height
  FROM beginnings
  JOIN bounds ON bounds.is_plan = beginnings.is_plan AND bounds.retainer_id = beginnings.retainer_id AND bounds.number > beginnings.number
),
highest AS (
  SELECT is_plan, retainer_id, number, MAX(height) AS height
  FROM lowered
  GROUP BY is_plan, retainer_id, number
),
settled AS (
  SELECT
    bounds.*,
    bounds.used_so_far + CASE
      WHEN bounds.rollover = 'none' THEN bounds.low
      WHEN bounds.has_debts
        THEN GREATEST(0, MAX(bounds.low) OVER (PARTITION BY bounds.is_plan, bounds.retainer_id ORDER BY bounds.number ROWS UNBOUNDED PRECEDING))
      WHEN highest.height > bounds.low THEN highest.height
      WHEN bounds.is_bounded_twice THEN bounds.low
      ELSE GREATEST(
        LEAST(0, MIN(bounds.high) OVER (PARTITION BY bounds.is_plan, bounds.retainer_id ORDER BY bounds.number ROWS UNBOUNDED PRECEDING)), bounds.low
      )
    END AS end_units
  FROM bounds
  LEFT JOIN highest ON highest.is_plan = bounds.is_plan AND highest.retainer_id = bounds.retainer_id AND highest.number = bounds.number
),
begun AS (
  SELECT
    settled.*,
    COALESCE(LAG(end_units) OVER (PARTITION BY is_plan, retainer_id ORDER BY number), 0) AS start_units,
    CASE WHEN has_debts THEN capacity_total ELSE capacity_so_far END AS limit_units
  FROM settled
)
SELECT begun.*, LEAST(start_units + used_units, limit_units) AS reached_units
FROM begun
),
retainer_takes AS (WITH placed AS (
  SELECT
    retainer_uses.*,
    walk.capacity_so_far AS open_units,
    walk.limit_units,
    CAST(
      walk.start_units + SUM(retainer_uses.lot_units) OVER (
        PARTITION BY retainer_uses.is_plan, retainer_uses.retainer_id, retainer_uses.number
        ORDER BY retainer_uses.date, retainer_uses.is_expense, retainer_uses.line_id
        ROWS UNBOUNDED PRECEDING
      ) AS BIGINT
    ) AS end_units
  FROM retainer_uses
  JOIN retainer_walk AS walk
    ON walk.is_plan = retainer_uses.is_plan AND walk.retainer_id = retainer_uses.retainer_id AND walk.number = retainer_uses.number
)
SELECT
  placed.*,
  LEAST(end_units - lot_units, limit_units) AS take_start,
  LEAST(end_units, limit_units) AS take_end,
  lot_units - LEAST(end_units, limit_units) + LEAST(end_units - lot_units, limit_units) AS beyond_units
FROM placed
),
all_fees AS (SELECT * FROM (WITH lived AS (
  SELECT
    uses.*,
    fee_lives.lines_earn,
    fee_lives.contract,
    CASE WHEN fee_lives.lines_earn = 'progress' THEN fee_lives.fee_units ELSE fee_steps.step_units END AS shared_units,
    CASE WHEN fee_lives.lines_earn = 'progress' THEN fee_lives.life_hours ELSE fee_steps.hours END AS shared_hours,
    COALESCE(fee_steps.hours_before, 0) AS hours_before,
    pl_is_after_end(uses.date, uses.is_by_end, uses.is_left, fee_lives.end_day) AS is_late
  FROM uses
  LEFT JOIN fee_lives
    ON fee_lives.is_plan = uses.is_plan
    AND fee_lives.project_id = CASE WHEN uses.agreed_fee IS NULL THEN NULL ELSE uses.project_id END
    AND fee_lives.phase_key = uses.phase_key
    AND fee_lives.task_key = uses.task_key
  LEFT JOIN fee_steps
    ON fee_steps.is_plan = uses.is_plan
    AND fee_steps.project_id = uses.project_id
    AND fee_steps.phase_key = uses.phase_key
    AND fee_steps.task_key = uses.task_key
    AND fee_steps.date = pl_fee_step(uses.entry_date, fee_lives.last_entry, fee_lives.end_day, uses.is_left)
),
timely AS (
  SELECT lived.*, CASE WHEN is_late OR shared_units IS NULL THEN 0 ELSE used_hours END AS earning_hours
  FROM lived
),
running AS (
  SELECT
    timely.*,
    SUM(used_fee) OVER (
      PARTITION BY is_plan, project_id, phase_key, task_key, agreed_fee ORDER BY date, is_late, entry_date, is_expense, line_id ROWS UNBOUNDED PRECEDING
    ) AS fees_so_far,
    SUM(earning_hours) OVER (
      PARTITION BY is_plan, project_id, phase_key, task_key, agreed_fee ORDER BY date, is_late, entry_date, is_expense, line_id ROWS UNBOUNDED PRECEDING
    ) AS hours_so_far
  FROM timely
),
shares AS (
  SELECT
    running.*,
    LEAST(agreed_fee, fees_so_far) - LEAST(agreed_fee, fees_so_far - used_fee) AS fee_within,
    CASE
      WHEN shared_units IS NOT NULL AND earning_hours <> 0
        THEN pl_money_of_units(
          pl_share_of_units(shared_units, hours_so_far - hours_before, shared_hours)
            - pl_share_of_units(shared_units, hours_so_far - hours_before - earning_hours, shared_hours),
          minor_units
        )
      ELSE 0
    END AS fee_by_progress
  FROM running
  WHERE line_id IS NOT NULL
)
SELECT
  shares.*,
  CASE WHEN agreed_fee IS NULL THEN 0 ELSE used_fee - fee_within END AS fee_beyond,
  CASE
    WHEN agreed_fee IS NULL THEN fee
    WHEN lines_earn = 'use' AND (contract = 'capped' OR NOT is_late) THEN fee_within
    WHEN is_expense THEN 0
    ELSE fee_by_progress
  END AS earned_fee
FROM shares
) AS agreed UNION ALL BY NAME SELECT * FROM (WITH parts AS (
  SELECT
    takes.is_plan,
    takes.line_id,
    takes.lot_units,
    takes.lot_minor_units,
    pl_money_units(COALESCE(takes.fee, 0), takes.lot_minor_units) AS fee_units,
    takes.take_start,
    takes.recognise,
    retainer_periods.price_units,
    retainer_periods.capacity,
    retainer_periods.number <= takes.number AS is_open,
    CASE WHEN takes.take_start > retainer_periods.capacity_before THEN takes.take_start ELSE retainer_periods.capacity_before END AS part_start,
    CASE WHEN takes.take_end < retainer_periods.capacity_so_far THEN takes.take_end ELSE retainer_periods.capacity_so_far END AS part_end,
    retainer_periods.capacity_before
  FROM retainer_takes AS takes
  JOIN core.retainer_periods AS retainer_periods
    ON retainer_periods.retainer_id = takes.retainer_id AND retainer_periods.capacity_so_far > takes.take_start AND retainer_periods.capacity_before < takes.take_end
  WHERE takes.line_id IS NOT NULL AND takes.take_end > takes.take_start AND retainer_periods.capacity > 0
),
priced AS (
  SELECT
    is_plan,
    line_id,
    SUM(
      CASE
        WHEN price_units IS NULL
          THEN pl_share_of_units(fee_units, part_end - take_start, lot_units) - pl_share_of_units(fee_units, part_start - take_start, lot_units)
        WHEN recognise = 'as_used' AND is_open
          THEN pl_share_of_units(price_units, part_end - capacity_before, capacity) - pl_share_of_units(price_units, part_start - capacity_before, capacity)
        ELSE 0
      END
    ) AS earned_units
  FROM parts
  GROUP BY is_plan, line_id
),
split AS (
  SELECT
    is_plan,
    line_id,
    overage,
    CASE
      WHEN beyond_units = 0 THEN COALESCE(fee, 0)
      ELSE pl_money_of_units(
        pl_share_of_units(pl_money_units(COALESCE(fee, 0), lot_minor_units), lot_units - beyond_units, lot_units), lot_minor_units
      )
    END AS fee_within
  FROM retainer_takes
  WHERE line_id IS NOT NULL AND lot_units > 0
)
SELECT
  uses.*,
  COALESCE(split.fee_within, CASE WHEN uses.is_counted THEN uses.fee END, 0) AS fee_within,
  CASE WHEN split.overage = 'free' THEN COALESCE(uses.fee, 0) - split.fee_within ELSE 0 END AS fee_beyond,
  CASE
    WHEN uses.retainer_id IS NULL OR uses.is_expense THEN uses.fee
    WHEN NOT uses.is_counted THEN 0
    WHEN uses.is_done AND uses.place_status IN (pl_line_status('draft'), pl_line_status('tentative')) THEN 0
    WHEN split.line_id IS NULL THEN uses.fee
    ELSE pl_money_of_units(COALESCE(priced.earned_units, 0), uses.lot_minor_units)
      + CASE WHEN split.overage = 'billed' THEN COALESCE(uses.fee, 0) - split.fee_within ELSE 0 END
  END AS earned_fee
FROM retainer_uses AS uses
LEFT JOIN split ON split.is_plan = uses.is_plan AND split.line_id = uses.line_id
LEFT JOIN priced ON priced.is_plan = uses.is_plan AND priced.line_id = uses.line_id
WHERE uses.line_id IS NOT NULL
) AS retained),
all_revenue AS (WITH retainer_earned AS (WITH retained AS (
  SELECT
    walk.*,
    CASE WHEN walk.first_date > fee_window.start_date THEN walk.first_date ELSE fee_window.start_date END AS first_shown,
    LEAST(walk.last_date, fee_window.end_date) AS last_shown
  FROM retainer_walk AS walk
  CROSS JOIN fee_window
  WHERE walk.price_units IS NOT NULL
),
retained_days AS (
  SELECT
    retained.*,
    pl_add_days(first_shown, series.day) AS date,
    pl_days_between(first_date, first_shown) + series.day + 1 AS place
  FROM retained
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(first_shown, last_shown))) AS series (day)
  WHERE recognise = 'evenly'
),
lapsed AS (
  SELECT
    retained.*,
    CASE
      WHEN ends.reached_units < retained.capacity_before THEN 0
      WHEN ends.reached_units > retained.capacity_so_far THEN retained.capacity
      ELSE ends.reached_units - retained.capacity_before
    END AS used_of_lot
  FROM retained
  JOIN retainer_walk AS ends
    ON ends.is_plan = retained.is_plan AND ends.retainer_id = retained.retainer_id AND ends.last_date = retained.lapse_date
  WHERE retained.recognise = 'as_used'
)
SELECT
  is_plan, retainer_id, project_id, phase_key, status, cutoff_date, minor_units, date,
  pl_share_of_units(price_units, place, days) - pl_share_of_units(price_units, place - 1, days) AS units
FROM retained_days
UNION ALL
SELECT
  is_plan, retainer_id, project_id, phase_key, status, cutoff_date, minor_units, first_date AS date,
  pl_share_of_units(price_units, LEAST(start_units, capacity_so_far) - capacity_before, capacity) AS units
FROM retained
WHERE recognise = 'as_used' AND start_units > capacity_before
UNION ALL
SELECT
  is_plan, retainer_id, project_id, phase_key, status, cutoff_date, minor_units, lapse_date AS date,
  price_units - COALESCE(pl_share_of_units(price_units, used_of_lot, capacity), 0) AS units
FROM lapsed
) SELECT * FROM (WITH fixed AS (
  SELECT fee_lives.*, COALESCE(end_day, pl_after_last_day()) AS final_day
  FROM fee_lives
  WHERE contract = 'fixed' AND NOT is_canceled
),
spans AS (
  SELECT
    fixed.*,
    CASE WHEN fixed.start_date > fee_window.start_date THEN fixed.start_date ELSE fee_window.start_date END AS first_shown,
    LEAST(fixed.end_date, fixed.final_day, fee_window.end_date) AS last_shown
  FROM fixed
  CROSS JOIN fee_window
  WHERE fixed.recognise = 'evenly'
),
numbered AS (
  SELECT
    spans.*,
    pl_add_days(first_shown, series.day) AS date,
    pl_days_between(start_date, first_shown) + series.day + 1 AS place,
    pl_days_between(start_date, end_date) + 1 AS days
  FROM spans
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(first_shown, last_shown))) AS series (day)
),
reached AS (
  SELECT fixed.*, fee_milestones.date, fee_milestones.amount, fee_milestones.amount_so_far
  FROM fixed
  JOIN core.fee_milestones AS fee_milestones
    ON fee_milestones.project_id = fixed.project_id AND fee_milestones.phase_key = fixed.phase_key AND fee_milestones.task_key = fixed.task_key
  WHERE fee_milestones.date <= fixed.final_day
),
earned AS (
  SELECT
    is_plan, retainer_id, project_id, phase_key AS phase_id, 0 AS task_meta_id, phase_key, 0 AS task_key, status, cutoff_date, date,
    pl_money_of_units(units, minor_units) AS earned_fee
  FROM retainer_earned
  WHERE units IS NOT NULL
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, date,
    pl_money_of_units(pl_share_of_units(fee_units, place, days) - pl_share_of_units(fee_units, place - 1, days), minor_units) AS earned_fee
  FROM numbered
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, date,
    LEAST(agreed_fee, amount_so_far) - LEAST(agreed_fee, amount_so_far - amount) AS earned_fee
  FROM reached
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, rest_day AS date, rest_fee AS earned_fee
  FROM fixed
  WHERE rest_day IS NOT NULL
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, due_date AS date, step_fee AS earned_fee
  FROM fee_steps
  WHERE hours = 0 AND due_date IS NOT NULL
)
SELECT
  pl_line_kind('revenue') AS kind,
  CASE
    WHEN retainer_id IS NOT NULL THEN 'f:r' || CAST(retainer_id AS VARCHAR)
    ELSE 'f:' || CAST(project_id AS VARCHAR) || ':' || CAST(phase_id AS VARCHAR) || ':' || CAST(task_meta_id AS VARCHAR)
  END || ':' || CAST(date AS VARCHAR) AS line_id,
  is_plan,
  retainer_id,
  date,
  project_id,
  phase_id,
  CASE WHEN task_meta_id = 0 THEN NULL ELSE task_meta_id END AS task_meta_id,
  phase_key,
  task_key,
  status,
  TRUE AS billable,
  SUM(earned_fee) AS earned_fee
FROM earned
CROSS JOIN fee_window
WHERE earned_fee <> 0
  AND date BETWEEN fee_window.start_date AND fee_window.end_date
  AND CASE
    WHEN date <= cutoff_date THEN status IN (pl_line_status('confirmed'), pl_line_status('completed'))
    ELSE status IN (SELECT status FROM asked_statuses)
  END
GROUP BY is_plan, retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, date
) AS revenue),
agreed_fees AS (SELECT * FROM all_fees WHERE NOT is_plan),
revenue_lines AS (SELECT * FROM all_revenue WHERE NOT is_plan),
planned_fees AS (SELECT * RENAME (earned_fee AS planned_fee)
  FROM (SELECT * FROM all_fees WHERE is_plan UNION ALL BY NAME SELECT * FROM all_revenue WHERE is_plan) AS planned),
fee_lines AS (
  SELECT *, fee AS "earned_fee", CASE WHEN project_id NOT IN (SELECT project_id FROM core.places UNION ALL SELECT project_id FROM core.retained_places) THEN fee END AS "planned_fee", CAST(0 AS DECIMAL(18, 4)) AS "fee_beyond" FROM core.ledger AS ledger
  WHERE project_id NOT IN (SELECT project_id FROM core.places UNION ALL SELECT project_id FROM core.retained_places)
  UNION ALL BY NAME SELECT * FROM (SELECT *, CASE WHEN project_id NOT IN (SELECT project_id FROM core.places UNION ALL SELECT project_id FROM core.retained_places) THEN fee END AS planned_fee FROM agreed_fees) AS agreed_fees
  UNION ALL BY NAME SELECT kind, date, project_id, phase_id, task_meta_id, status, billable, earned_fee, CAST(0 AS DECIMAL(18, 4)) AS fee_beyond, CAST(0 AS DECIMAL(18, 4)) AS planned_fee FROM revenue_lines
  UNION ALL BY NAME SELECT * EXCLUDE (hours, fee, fee_beyond, cost), CASE WHEN kind = pl_line_kind('revenue') THEN 0 END AS earned_fee FROM planned_fees
),
lines AS (
  SELECT ledger.project_id AS key_project, ledger.phase_id AS key_phase, ledger.task_meta_id AS key_task, ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours, ledger.cost, ledger.fee, ledger.cost_rate_source, ledger.earned_fee, ledger.planned_fee
  FROM fee_lines AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.kind <> pl_line_kind('expense')
    AND ledger.kind <> pl_line_kind('invoice')
    AND ledger.kind <> pl_line_kind('write_off')
    AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL)
    AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags))
    AND ledger.billable IN (false)
),
cells AS (
  SELECT key_project, key_phase, key_task, kind, status, is_billable, is_to_date,
    SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee, SUM(CASE WHEN cost_rate_source = 'none' THEN hours END) AS hours_without_cost_rate, SUM(CASE WHEN fee IS NULL THEN hours END) AS hours_without_bill_rate, SUM(earned_fee) AS earned_fee, SUM(planned_fee) AS planned_fee
  FROM lines GROUP BY key_project, key_phase, key_task, kind, status, is_billable, is_to_date
),
row_keys AS (SELECT DISTINCT key_project, key_phase, key_task FROM cells),
row_sums AS (
  SELECT key_project, key_phase, key_task, SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff" FROM cells) AS cells
  GROUP BY key_project, key_phase, key_task
),
total_sums AS (
  SELECT SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff" FROM cells) AS cells
),
budget_members AS (SELECT key_project, key_phase, key_task, key_task AS task_meta_id FROM row_keys),
budgeted AS (
  SELECT task_meta_id, budget_unit, CAST(budget_total AS DECIMAL(38, 6)) AS total FROM marts.budgets
  WHERE level = 'task' AND task_meta_id IN (SELECT task_meta_id FROM budget_members)
),
budget_lines AS (
  SELECT task_meta_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind <> pl_line_kind('scheduled') AND task_meta_id IN (SELECT task_meta_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT task_meta_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND month >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND task_meta_id IN (SELECT task_meta_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT task_meta_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, 1 AS line_count, date <= DATE '2026-03-01' AS is_to_date
  FROM core.ledger WHERE task_meta_id IN (SELECT task_meta_id FROM budgeted) AND date >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND date < pl_add_months(pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)), 1) AND pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) <= DATE '2026-03-01'
),
budget_use AS (
  SELECT task_meta_id,
    COALESCE(SUM(CASE WHEN is_used THEN billable_hours END), 0) AS used_hours,
    COALESCE(SUM(CASE WHEN is_left THEN billable_hours END), 0) AS later_hours,
    CAST(SUM(CASE WHEN is_used THEN fee END) AS DECIMAL(38, 6)) AS used_fees,
    CAST(SUM(CASE WHEN is_left THEN fee END) AS DECIMAL(38, 6)) AS later_fees,
    COALESCE(SUM(CASE WHEN is_used THEN line_count END), 0) AS used_lines,
    COALESCE(SUM(CASE WHEN is_left THEN line_count END), 0) AS later_lines
  FROM (SELECT
  budget_lines.*,
  CASE WHEN budget_lines.billable THEN budget_lines.hours END AS billable_hours,
  budget_lines.kind <> pl_line_kind('scheduled') AND budget_lines.is_to_date AS is_used,
  budget_lines.kind = pl_line_kind('expense') OR (budget_lines.kind = pl_line_kind('scheduled') AND budget_lines.is_asked) AS is_planned,
  NOT budget_lines.is_to_date
    AND (budget_lines.kind = pl_line_kind('expense') OR (budget_lines.kind = pl_line_kind('scheduled') AND budget_lines.is_asked)) AS is_left
FROM budget_lines
WHERE CASE WHEN budget_lines.kind = pl_line_kind('expense') THEN budget_lines.billable ELSE TRUE END
) AS uses GROUP BY task_meta_id
),
budget_amounts AS (
  SELECT budgeted.task_meta_id, budget_unit, total,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0)
      WHEN used_fees IS NOT NULL OR COALESCE(used_lines, 0) = 0 THEN COALESCE(used_fees, 0)
    END AS used,
    total - COALESCE(used, 0) AS remaining,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours + later_hours, 0)
      WHEN COALESCE(used_fees, later_fees) IS NOT NULL OR COALESCE(used_lines + later_lines, 0) = 0
        THEN COALESCE(used_fees, 0) + COALESCE(later_fees, 0)
    END AS forecast
  FROM budgeted
  LEFT JOIN budget_use ON budget_use.task_meta_id = budgeted.task_meta_id
),
row_budget AS (
  SELECT key_project, key_phase, key_task, CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM budget_members JOIN budget_amounts ON budget_amounts.task_meta_id = budget_members.task_meta_id
  GROUP BY key_project, key_phase, key_task
),
total_budget AS (
  SELECT CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM (SELECT DISTINCT task_meta_id FROM budget_members) AS budget_members JOIN budget_amounts ON budget_amounts.task_meta_id = budget_members.task_meta_id
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_project AS "project_id", of_project.project AS "project", row_keys.key_phase AS "phase_id", of_phase.phase AS "phase", row_keys.key_task AS "task_meta_id", CASE WHEN row_keys.key_task IS NULL THEN '(no task)' ELSE of_task.task END AS "name", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_project IS NOT DISTINCT FROM row_keys.key_project AND row_sums.key_phase IS NOT DISTINCT FROM row_keys.key_phase AND row_sums.key_task IS NOT DISTINCT FROM row_keys.key_task
    LEFT JOIN row_budget ON row_budget.key_project IS NOT DISTINCT FROM row_keys.key_project AND row_budget.key_phase IS NOT DISTINCT FROM row_keys.key_phase AND row_budget.key_task IS NOT DISTINCT FROM row_keys.key_task
    LEFT JOIN core.named_projects AS of_project ON of_project.project_id = row_keys.key_project
    LEFT JOIN marts.phases AS of_phase ON of_phase.phase_id = row_keys.key_phase
    LEFT JOIN marts.project_tasks AS of_task ON of_task.task_meta_id = row_keys.key_task
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "project_id", NULL AS "project", NULL AS "phase_id", NULL AS "phase", NULL AS "task_meta_id", NULL AS "name", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM total_sums CROSS JOIN total_budget
),
amounts AS (SELECT *, COALESCE(scheduled__hours, 0) AS "scheduled_hours", COALESCE(scheduled_billable__hours, 0) AS "scheduled_billable_hours", COALESCE(scheduled_non_billable__hours, 0) AS "scheduled_non_billable_hours", COALESCE(tentative__hours, 0) AS "tentative_hours", COALESCE(scheduled_to_date__hours, 0) AS "scheduled_to_date_hours", COALESCE(actual__hours, 0) AS "actual_hours", COALESCE(actual_billable__hours, 0) AS "actual_billable_hours", COALESCE(actual_non_billable__hours, 0) AS "actual_non_billable_hours", COALESCE(actual__hours, 0) - COALESCE(scheduled_to_date__hours, 0) AS "variance_hours", COALESCE(actual__hours, 0) + COALESCE(scheduled_after_cutoff__hours, 0) AS "forecast_hours", CASE WHEN COALESCE(scheduled__cost) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__cost, 0) END AS "scheduled_cost", CASE WHEN COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__cost, 0) END AS "scheduled_to_date_cost", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__cost, 0) END AS "actual_cost", CASE WHEN COALESCE(actual__cost, scheduled_to_date__cost) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__cost, 0) - COALESCE(scheduled_to_date__cost, 0) END AS "variance_cost", CASE WHEN COALESCE(actual__cost, scheduled_after_cutoff__cost) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__cost, 0) + COALESCE(scheduled_after_cutoff__cost, 0) END AS "forecast_cost", COALESCE(scheduled__hours_without_cost_rate, 0) AS "scheduled_hours_without_cost_rate", COALESCE(actual__hours_without_cost_rate, 0) AS "actual_hours_without_cost_rate", CASE WHEN COALESCE(scheduled__fee) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__fee, 0) END AS "scheduled_fees", CASE WHEN COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__fee, 0) END AS "scheduled_to_date_fees", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__fee, 0) END AS "actual_fees", CASE WHEN COALESCE(actual__fee, scheduled_to_date__fee) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) - COALESCE(scheduled_to_date__fee, 0) END AS "variance_fees", CASE WHEN COALESCE(actual__fee, scheduled_after_cutoff__fee) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(scheduled_after_cutoff__fee, 0) END AS "forecast_fees", CASE WHEN COALESCE(tentative__fee) IS NULL AND (has_tentative) THEN NULL ELSE COALESCE(tentative__fee, 0) END AS "tentative_fees", COALESCE(scheduled__hours_without_bill_rate, 0) AS "scheduled_hours_without_bill_rate", COALESCE(actual__hours_without_bill_rate, 0) AS "actual_hours_without_bill_rate", budget__total AS "budget_total", budget__used AS "budget_used", budget__remaining AS "budget_remaining", budget__forecast AS "budget_forecast" FROM parts),
measures AS (SELECT *, pl_percent(variance_hours, scheduled_to_date_hours) AS "variance_hours_percent", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_cost, scheduled_to_date_cost) END AS "variance_cost_percent", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_fees, scheduled_to_date_fees) END AS "variance_fees_percent", pl_percent(budget_used, budget_total) AS "budget_used_percent", pl_percent(budget_forecast, budget_total) AS "budget_forecast_percent" FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "project_id", "project", "phase_id", "phase", "task_meta_id", "name", "budget_unit", "scheduled_hours", "scheduled_billable_hours", "scheduled_non_billable_hours", "tentative_hours", "scheduled_to_date_hours", "actual_hours", "actual_billable_hours", "actual_non_billable_hours", "variance_hours", "variance_hours_percent", "forecast_hours", "scheduled_cost", "scheduled_to_date_cost", "actual_cost", "variance_cost", "variance_cost_percent", "forecast_cost", "scheduled_hours_without_cost_rate", "actual_hours_without_cost_rate", "scheduled_fees", "scheduled_to_date_fees", "actual_fees", "variance_fees", "variance_fees_percent", "forecast_fees", "tentative_fees", "scheduled_hours_without_bill_rate", "actual_hours_without_bill_rate", "budget_total", "budget_used", "budget_remaining", "budget_used_percent", "budget_forecast", "budget_forecast_percent"
FROM measures
ORDER BY is_total, "project" COLLATE en NULLS LAST, "project" NULLS LAST, "project_id" NULLS LAST, "phase" COLLATE en NULLS LAST, "phase" NULLS LAST, "phase_id" NULLS LAST, "name" COLLATE en NULLS LAST, "name" NULLS LAST, "task_meta_id" NULLS LAST;

WITH people AS (
  SELECT SUM(hours) AS hours_by_person, SUM(cost) AS cost_by_person, SUM(fee) AS fee_by_person
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL) AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags)) AND ledger.billable IN (false) GROUP BY people_id) AS groups
),
projects AS (
  SELECT SUM(hours) AS hours_by_project, SUM(cost) AS cost_by_project, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee_by_project, SUM(fee_rounded_off) AS fee_rounded_off
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee, SUM(fee_rounded_off) AS fee_rounded_off FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL) AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags)) AND ledger.billable IN (false) GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('actual')),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
expenses AS (
  SELECT SUM(cost) AS expense_cost, SUM(unrounded_cost) AS exact_expense_cost, SUM(fee) AS expense_fee, SUM(unrounded_fee) AS exact_expense_fee
  FROM core.expenses WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND project_expense_id IN (SELECT project_expense_id FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('expense') AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL) AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags)) AND ledger.billable IN (false))
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses;

SELECT COUNT(*) AS count, COALESCE(SUM(agreed_fee), 0) AS total
FROM (SELECT DISTINCT project_id, phase_key, task_key, agreed_fee FROM (WITH fee_day AS (SELECT FALSE AS is_plan, DATE '2026-03-01' AS cutoff_date, DATE '2026-03-01' AS today),
fee_window AS (SELECT DATE '2026-01-01' AS start_date, DATE '2026-03-31' AS end_date),
asked_statuses AS (SELECT status FROM (SELECT UNNEST(CAST(enum_range(NULL::line_status) AS line_status[])) AS status) AS statuses WHERE status IN (pl_line_status('confirmed'), pl_line_status('completed'))),
placed_lines AS (SELECT *, date AS last_date FROM (WITH life_lines AS (SELECT * FROM core.lines WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') SELECT * FROM (WITH known_phases AS (
  SELECT phase_id, phase_status
  FROM marts.phases AS phases
  WHERE is_known
),
levels AS (
  SELECT project_id, MAX(level) AS level, MAX(project_status) AS project_status
  FROM (
    SELECT project_id, level, project_status
    FROM core.places AS places
    UNION ALL
    SELECT project_id, CAST(NULL AS VARCHAR) AS level, project_status
    FROM core.retained_places AS retained_places
  ) AS contracts
  GROUP BY project_id
),
retained AS (
  SELECT DISTINCT project_id, phase_key
  FROM core.retained_places AS retained_places
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
  LEFT JOIN core.places AS places ON places.project_id = placed.project_id AND places.phase_key = placed.phase_key AND places.task_key = placed.task_key
)
SELECT found.*, COALESCE(found.date <= ends_on, TRUE) AS is_by_end, fee_progress.date AS entry_date
FROM found
LEFT JOIN core.fee_progress AS fee_progress
  ON fee_progress.project_id = found.project_id
  AND fee_progress.phase_key = found.phase_key
  AND fee_progress.task_key = found.task_key
  AND fee_progress.date >= found.date
  AND COALESCE(fee_progress.date_before, pl_add_days(pl_first_day(), -1)) < found.date
) AS placed) AS lines WHERE NOT is_retained
  UNION ALL BY NAME SELECT *, month AS date FROM core.fee_months AS months WHERE month >= DATE '1970-01-01' AND month < DATE '2026-01-01'
  UNION ALL BY NAME SELECT *, month AS date FROM core.fee_months AS months WHERE month >= DATE '2026-04-01' AND month < DATE '2100-01-01'),
fee_uses AS (WITH days AS (
  SELECT
    placed_lines.*,
    fee_day.is_plan,
    placed_lines.kind = pl_line_kind('expense') AS is_expense,
    COALESCE(placed_lines.date <= fee_day.cutoff_date, FALSE) AS is_done,
    placed_lines.date > fee_day.today AS is_future
  FROM placed_lines
  CROSS JOIN fee_day
),
planned AS (
  SELECT
    days.*,
    days.kind = pl_line_kind('scheduled') AND NOT days.is_done AS is_planned,
    days.status IN (SELECT status FROM asked_statuses) AS is_asked
  FROM days
),
counted AS (
  SELECT
    planned.*,
    planned.is_expense OR (planned.is_planned AND planned.is_asked) OR (planned.kind = pl_line_kind('actual') AND planned.is_done) AS is_counted,
    planned.is_planned AND (planned.is_asked OR (planned.agreed_fee IS NOT NULL AND planned.is_firm)) AS is_left
  FROM planned
)
SELECT
  counted.*,
  CASE WHEN is_counted THEN COALESCE(fee, 0) ELSE 0 END AS used_fee,
  CASE WHEN (is_counted OR is_left) AND billable AND hours IS NOT NULL THEN pl_hour_units(hours) ELSE 0 END AS used_hours
FROM counted
),
retained_lines AS (WITH placed_lines AS (SELECT *, date AS last_date FROM (WITH life_lines AS (SELECT * FROM core.lines WHERE project_id IN (SELECT project_id FROM core.retained_places) AND date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
  UNION ALL BY NAME SELECT * FROM core.retainer_days WHERE NOT (date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31')) SELECT * FROM (WITH known_phases AS (
  SELECT phase_id, phase_status
  FROM marts.phases AS phases
  WHERE is_known
),
levels AS (
  SELECT project_id, MAX(level) AS level, MAX(project_status) AS project_status
  FROM (
    SELECT project_id, level, project_status
    FROM core.places AS places
    UNION ALL
    SELECT project_id, CAST(NULL AS VARCHAR) AS level, project_status
    FROM core.retained_places AS retained_places
  ) AS contracts
  GROUP BY project_id
),
retained AS (
  SELECT DISTINCT project_id, phase_key
  FROM core.retained_places AS retained_places
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
  LEFT JOIN core.places AS places ON places.project_id = placed.project_id AND places.phase_key = placed.phase_key AND places.task_key = placed.task_key
)
SELECT found.*, COALESCE(found.date <= ends_on, TRUE) AS is_by_end, fee_progress.date AS entry_date
FROM found
LEFT JOIN core.fee_progress AS fee_progress
  ON fee_progress.project_id = found.project_id
  AND fee_progress.phase_key = found.phase_key
  AND fee_progress.task_key = found.task_key
  AND fee_progress.date >= found.date
  AND COALESCE(fee_progress.date_before, pl_add_days(pl_first_day(), -1)) < found.date
) AS placed) AS lines WHERE is_retained) SELECT * FROM (WITH days AS (
  SELECT
    placed_lines.*,
    fee_day.is_plan,
    placed_lines.kind = pl_line_kind('expense') AS is_expense,
    COALESCE(placed_lines.date <= fee_day.cutoff_date, FALSE) AS is_done,
    placed_lines.date > fee_day.today AS is_future
  FROM placed_lines
  CROSS JOIN fee_day
),
planned AS (
  SELECT
    days.*,
    days.kind = pl_line_kind('scheduled') AND NOT days.is_done AS is_planned,
    days.status IN (SELECT status FROM asked_statuses) AS is_asked
  FROM days
),
counted AS (
  SELECT
    planned.*,
    planned.is_expense OR (planned.is_planned AND planned.is_asked) OR (planned.kind = pl_line_kind('actual') AND planned.is_done) AS is_counted,
    planned.is_planned AND (planned.is_asked OR (planned.agreed_fee IS NOT NULL AND planned.is_firm)) AS is_left
  FROM planned
)
SELECT
  counted.*,
  CASE WHEN is_counted THEN COALESCE(fee, 0) ELSE 0 END AS used_fee,
  CASE WHEN (is_counted OR is_left) AND billable AND hours IS NOT NULL THEN pl_hour_units(hours) ELSE 0 END AS used_hours
FROM counted
) AS uses),
uses AS (SELECT * FROM fee_uses WHERE line_id IS NOT NULL
  UNION ALL BY NAME SELECT is_plan, project_id, phase_key, task_key, agreed_fee, minor_units, entry_date, is_left, is_counted, is_by_end, is_future, line_id, kind, is_expense, MAX(date) AS date, MAX(last_date) AS last_date, MAX(status) AS status,
    BOOL_OR(billable) AS billable, SUM(fee) AS fee, SUM(used_fee) AS used_fee, SUM(used_hours) AS used_hours
  FROM fee_uses WHERE agreed_fee IS NOT NULL AND (is_counted OR is_left) AND line_id IS NULL
  GROUP BY is_plan, project_id, phase_key, task_key, agreed_fee, minor_units, entry_date, is_left, is_counted, is_by_end, is_future, line_id, kind, is_expense, date <= DATE '2026-03-01', date < DATE '2026-01-01', date > DATE '2026-03-31'),
fee_lives AS (WITH used AS (
  SELECT
    is_plan,
    project_id,
    phase_key,
    task_key,
    SUM(CASE WHEN is_left THEN used_hours ELSE 0 END) AS left_hours,
    SUM(CASE WHEN is_left THEN 0 ELSE used_hours END) AS done_hours,
    SUM(CASE WHEN is_by_end AND NOT is_left THEN used_hours ELSE 0 END) AS ended_hours,
    SUM(CASE WHEN is_left OR is_future THEN 0 ELSE used_hours END) AS present_hours,
    SUM(used_fee) AS all_fees,
    SUM(CASE WHEN is_by_end AND NOT is_left THEN used_fee ELSE 0 END) AS ended_fees,
    SUM(CASE WHEN is_left OR is_future THEN 0 ELSE used_fee END) AS present_fees,
    MAX(CASE WHEN is_future THEN NULL ELSE last_date END) AS last_day
  FROM fee_uses
  WHERE agreed_fee IS NOT NULL
  GROUP BY is_plan, project_id, phase_key, task_key
),
entered AS (
  SELECT places.project_id, places.phase_key, places.task_key, fee_progress.date, COALESCE(percent < 100, remaining_hours > 0) AS is_open
  FROM core.places AS places
  JOIN core.fee_progress AS fee_progress
    ON fee_progress.project_id = places.project_id AND fee_progress.phase_key = places.phase_key AND fee_progress.task_key = places.task_key
  WHERE places.contract = 'fixed' AND places.recognise = 'progress' AND NOT places.is_canceled
),
planned AS (
  SELECT
    places.*,
    pl_money_units(places.agreed_fee, places.minor_units) AS fee_units,
    fee_day.is_plan,
    fee_day.cutoff_date,
    COALESCE(used.left_hours, 0) AS left_hours,
    COALESCE(used.done_hours, 0) AS done_hours,
    COALESCE(used.all_fees, 0) AS all_fees,
    places.is_completed AND places.completed_on IS NULL AND COALESCE(places.end_date > fee_day.today, TRUE) AS ends_with_lines,
    COALESCE(used.ended_hours, 0) AS ended_hours,
    COALESCE(used.present_hours, 0) AS present_hours,
    COALESCE(used.ended_fees, 0) AS ended_fees,
    COALESCE(used.present_fees, 0) AS present_fees,
    used.last_day
  FROM core.places AS places
  CROSS JOIN fee_day
  LEFT JOIN used
    ON used.is_plan = fee_day.is_plan AND used.project_id = places.project_id AND used.phase_key = places.phase_key AND used.task_key = places.task_key
),
unfinished AS (
  SELECT DISTINCT planned.is_plan, planned.project_id, planned.phase_key, planned.task_key
  FROM planned
  JOIN entered ON entered.project_id = planned.project_id AND entered.phase_key = planned.phase_key AND entered.task_key = planned.task_key
  WHERE entered.is_open AND entered.date BETWEEN planned.end_date AND planned.cutoff_date
),
days AS (
  SELECT
    planned.*,
    CASE
      WHEN status NOT IN (pl_line_status('confirmed'), pl_line_status('completed')) THEN NULL
      WHEN ends_with_lines THEN last_day
      WHEN is_completed OR (left_hours = 0 AND unfinished.project_id IS NULL) THEN ends_on
    END AS last_known_day
  FROM planned
  LEFT JOIN unfinished
    ON unfinished.is_plan = planned.is_plan
    AND unfinished.project_id = planned.project_id
    AND unfinished.phase_key = planned.phase_key
    AND unfinished.task_key = planned.task_key
),
ended AS (
  SELECT
    days.*,
    CASE WHEN last_known_day <= cutoff_date THEN last_known_day END AS end_day,
    CASE
      WHEN COALESCE(last_known_day > cutoff_date, TRUE) THEN done_hours + left_hours
      WHEN ends_with_lines THEN present_hours
      ELSE ended_hours
    END AS life_hours,
    CASE
      WHEN COALESCE(last_known_day > cutoff_date, TRUE) THEN all_fees
      WHEN ends_with_lines THEN present_fees
      ELSE ended_fees
    END AS life_fees
  FROM days
),
known AS (
  SELECT
    ended.is_plan, ended.project_id, ended.phase_key, ended.task_key, MAX(CASE WHEN COALESCE(entered.date < ended.end_day, TRUE) THEN entered.date END) AS last_entry
  FROM ended
  JOIN entered ON entered.project_id = ended.project_id AND entered.phase_key = ended.phase_key AND entered.task_key = ended.task_key
  WHERE entered.date <= ended.cutoff_date AND COALESCE(entered.date <= ended.end_day, TRUE)
  GROUP BY ended.is_plan, ended.project_id, ended.phase_key, ended.task_key
),
ruled AS (
  SELECT
    ended.*,
    known.last_entry,
    CASE
      WHEN contract = 'capped' OR is_canceled THEN 'use'
      WHEN known.project_id IS NOT NULL THEN 'entries'
      WHEN recognise <> 'progress' THEN 'nothing'
      WHEN life_hours > 0 AND (end_day IS NOT NULL OR left_hours > 0) THEN 'progress'
      ELSE 'use'
    END AS lines_earn,
    CASE WHEN end_day IS NOT NULL THEN end_day WHEN end_date > cutoff_date THEN end_date END AS rest_day
  FROM ended
  LEFT JOIN known
    ON known.is_plan = ended.is_plan
    AND known.project_id = ended.project_id
    AND known.phase_key = ended.phase_key
    AND known.task_key = ended.task_key
),
dated AS (
  SELECT ruled.is_plan, ruled.project_id, ruled.phase_key, ruled.task_key, SUM(fee_milestones.amount) AS milestone_fees
  FROM ruled
  JOIN core.fee_milestones AS fee_milestones
    ON fee_milestones.project_id = ruled.project_id AND fee_milestones.phase_key = ruled.phase_key AND fee_milestones.task_key = ruled.task_key
  WHERE COALESCE(fee_milestones.date <= ruled.end_day, TRUE)
  GROUP BY ruled.is_plan, ruled.project_id, ruled.phase_key, ruled.task_key
)
SELECT
  ruled.*,
  CASE
    WHEN ruled.lines_earn IN ('entries', 'progress') OR ruled.contract = 'capped' OR ruled.is_canceled THEN 0
    WHEN ruled.lines_earn = 'use' AND ruled.life_fees > ruled.agreed_fee THEN 0
    WHEN ruled.lines_earn = 'use' THEN ruled.agreed_fee - ruled.life_fees
    WHEN ruled.recognise = 'evenly' AND ruled.rest_day < ruled.start_date THEN ruled.agreed_fee
    WHEN ruled.recognise = 'evenly' AND ruled.rest_day < ruled.end_date
      THEN ruled.agreed_fee - pl_money_of_units(
        pl_share_of_units(
          ruled.fee_units, pl_days_between(ruled.start_date, ruled.rest_day) + 1, pl_days_between(ruled.start_date, ruled.end_date) + 1
        ),
        ruled.minor_units
      )
    WHEN ruled.recognise = 'evenly' THEN 0
    WHEN ruled.recognise = 'milestones' AND COALESCE(dated.milestone_fees, 0) > ruled.agreed_fee THEN 0
    WHEN ruled.recognise = 'milestones' THEN ruled.agreed_fee - COALESCE(dated.milestone_fees, 0)
    ELSE ruled.agreed_fee
  END AS rest_fee
FROM ruled
LEFT JOIN dated
  ON dated.is_plan = ruled.is_plan AND dated.project_id = ruled.project_id AND dated.phase_key = ruled.phase_key AND dated.task_key = ruled.task_key
),
fee_steps AS (WITH entered AS (
  SELECT *
  FROM fee_lives
  WHERE lines_earn = 'entries'
),
timed AS (
  SELECT
    entered.is_plan,
    entered.project_id,
    entered.phase_key,
    entered.task_key,
    pl_fee_step(fee_uses.entry_date, entered.last_entry, entered.end_day, fee_uses.is_left) AS date,
    fee_uses.used_hours
  FROM entered
  JOIN fee_uses
    ON fee_uses.is_plan = entered.is_plan
    AND fee_uses.project_id = entered.project_id
    AND fee_uses.phase_key = entered.phase_key
    AND fee_uses.task_key = entered.task_key
  WHERE fee_uses.agreed_fee IS NOT NULL
    AND NOT pl_is_after_end(fee_uses.date, fee_uses.is_by_end, fee_uses.is_left, entered.end_day)
),
worked AS (
  SELECT is_plan, project_id, phase_key, task_key, date, SUM(used_hours) AS hours
  FROM timed
  GROUP BY is_plan, project_id, phase_key, task_key, date
),
steps AS (
  SELECT entered.*, fee_progress.date, fee_progress.date AS due_date, fee_progress.percent, fee_progress.remaining_hours
  FROM entered
  JOIN core.fee_progress AS fee_progress
    ON fee_progress.project_id = entered.project_id
    AND fee_progress.phase_key = entered.phase_key
    AND fee_progress.task_key = entered.task_key
  WHERE fee_progress.date <= entered.last_entry
  UNION ALL
  SELECT
    entered.*, COALESCE(end_day, pl_after_last_day()) AS date, rest_day AS due_date, CAST(100 AS DECIMAL(7, 4)) AS percent, NULL AS remaining_hours
  FROM entered
),
reached AS (
  SELECT
    steps.*,
    COALESCE(worked.hours, 0) AS hours,
    SUM(COALESCE(worked.hours, 0)) OVER (
      PARTITION BY steps.is_plan, steps.project_id, steps.phase_key, steps.task_key ORDER BY steps.date ROWS UNBOUNDED PRECEDING
    ) AS hours_so_far
  FROM steps
  LEFT JOIN worked
    ON worked.is_plan = steps.is_plan
    AND worked.project_id = steps.project_id
    AND worked.phase_key = steps.phase_key
    AND worked.task_key = steps.task_key
    AND worked.date = steps.date
),
valued AS (
  SELECT
    reached.*,
    CASE
      WHEN remaining_hours IS NULL THEN pl_share_of_units(fee_units, CAST(percent * 10000 AS BIGINT), 1000000)
      WHEN remaining_hours = 0 THEN fee_units
      ELSE pl_share_of_units(fee_units, hours_so_far, hours_so_far + pl_hour_units(remaining_hours))
    END AS units_so_far
  FROM reached
),
parted AS (
  SELECT
    valued.*,
    hours_so_far - hours AS hours_before,
    units_so_far - COALESCE(LAG(units_so_far) OVER (PARTITION BY is_plan, project_id, phase_key, task_key ORDER BY date), 0) AS step_units
  FROM valued
)
SELECT parted.*, pl_money_of_units(step_units, minor_units) AS step_fee
FROM parted
),
retainer_uses AS (SELECT
  retained_lines.*,
  retainer_periods.retainer_id,
  retainer_periods.number,
  retainer_periods.recognise,
  retainer_periods.overage,
  retainer_periods.minor_units AS lot_minor_units,
  retainer_periods.status AS place_status,
  CASE
    WHEN retainer_periods.retainer_id IS NULL OR retained_lines.is_expense OR NOT retained_lines.is_counted THEN 0
    WHEN retainer_periods.counts = 'billable' AND NOT retained_lines.billable THEN 0
    WHEN retainer_periods.unit = 'hours' THEN pl_hour_units(COALESCE(retained_lines.hours, 0))
    ELSE pl_money_units(COALESCE(retained_lines.fee, 0), retainer_periods.minor_units)
  END AS lot_units
FROM retained_lines
LEFT JOIN core.retainer_calendar AS retainer_calendar
  ON retainer_calendar.project_id = retained_lines.project_id
  AND retainer_calendar.phase_key = retained_lines.retained_phase
  AND retainer_calendar.date = retained_lines.date
LEFT JOIN core.retainer_periods AS retainer_periods
  ON retainer_periods.retainer_id = retainer_calendar.retainer_id AND retainer_periods.number = retainer_calendar.number
),
retainer_walk AS (WITH worked AS (
  SELECT is_plan, retainer_id, number, SUM(lot_units) AS used_units
  FROM retainer_uses
  WHERE retainer_id IS NOT NULL
  GROUP BY is_plan, retainer_id, number
),
steps AS (
  SELECT
    retainer_periods.*,
    fee_day.is_plan,
    fee_day.cutoff_date,
    CAST(COALESCE(worked.used_units, 0) AS BIGINT) AS used_units,
    CAST(
      SUM(COALESCE(worked.used_units, 0)) OVER (PARTITION BY fee_day.is_plan, retainer_periods.retainer_id ORDER BY retainer_periods.number ROWS UNBOUNDED PRECEDING)
      AS BIGINT
    ) AS used_so_far
  FROM core.retainer_periods AS retainer_periods
  CROSS JOIN fee_day
  LEFT JOIN worked ON worked.is_plan = fee_day.is_plan AND worked.retainer_id = retainer_periods.retainer_id AND worked.number = retainer_periods.number
),
bounds AS (
  SELECT steps.*, lapsed_so_far - used_so_far AS low, capacity_so_far - used_so_far AS high
  FROM steps
),
beginnings AS (
  SELECT is_plan, retainer_id, number, low
  FROM bounds
  WHERE is_bounded_twice
  UNION ALL
  SELECT is_plan, retainer_id, -1 AS number, 0 AS low
  FROM bounds
  WHERE is_bounded_twice AND number = 0
),
lowered AS (
  SELECT
    bounds.is_plan,
    bounds.retainer_id,
    bounds.number,
    LEAST(
      beginnings.low,
      MIN(bounds.high) OVER (
        PARTITION BY beginnings.is_plan, beginnings.retainer_id, beginnings.number ORDER BY bounds.number ROWS UNBOUNDED PRECEDING
      )
    ) AS height
  FROM beginnings
  JOIN bounds ON bounds.is_plan = beginnings.is_plan AND bounds.retainer_id = beginnings.retainer_id AND bounds.number > beginnings.number
),
highest AS (
  SELECT is_plan, retainer_id, number, MAX(height) AS height
  FROM lowered
  GROUP BY is_plan, retainer_id, number
),
settled AS (
  SELECT
    bounds.*,
    bounds.used_so_far + CASE
      WHEN bounds.rollover = 'none' THEN bounds.low
      WHEN bounds.has_debts
        THEN GREATEST(0, MAX(bounds.low) OVER (PARTITION BY bounds.is_plan, bounds.retainer_id ORDER BY bounds.number ROWS UNBOUNDED PRECEDING))
      WHEN highest.height > bounds.low THEN highest.height
      WHEN bounds.is_bounded_twice THEN bounds.low
      ELSE GREATEST(
        LEAST(0, MIN(bounds.high) OVER (PARTITION BY bounds.is_plan, bounds.retainer_id ORDER BY bounds.number ROWS UNBOUNDED PRECEDING)), bounds.low
      )
    END AS end_units
  FROM bounds
  LEFT JOIN highest ON highest.is_plan = bounds.is_plan AND highest.retainer_id = bounds.retainer_id AND highest.number = bounds.number
),
begun AS (
  SELECT
    settled.*,
    COALESCE(LAG(end_units) OVER (PARTITION BY is_plan, retainer_id ORDER BY number), 0) AS start_units,
    CASE WHEN has_debts THEN capacity_total ELSE capacity_so_far END AS limit_units
  FROM settled
)
SELECT begun.*, LEAST(start_units + used_units, limit_units) AS reached_units
FROM begun
),
retainer_takes AS (WITH placed AS (
  SELECT
    retainer_uses.*,
    walk.capacity_so_far AS open_units,
    walk.limit_units,
    CAST(
      walk.start_units + SUM(retainer_uses.lot_units) OVER (
        PARTITION BY retainer_uses.is_plan, retainer_uses.retainer_id, retainer_uses.number
        ORDER BY retainer_uses.date, retainer_uses.is_expense, retainer_uses.line_id
        ROWS UNBOUNDED PRECEDING
      ) AS BIGINT
    ) AS end_units
  FROM retainer_uses
  JOIN retainer_walk AS walk
    ON walk.is_plan = retainer_uses.is_plan AND walk.retainer_id = retainer_uses.retainer_id AND walk.number = retainer_uses.number
)
SELECT
  placed.*,
  LEAST(end_units - lot_units, limit_units) AS take_start,
  LEAST(end_units, limit_units) AS take_end,
  lot_units - LEAST(end_units, limit_units) + LEAST(end_units - lot_units, limit_units) AS beyond_units
FROM placed
)
SELECT uses.*
FROM uses
JOIN fee_lives AS lives ON lives.project_id = uses.project_id AND lives.phase_key = uses.phase_key AND lives.task_key = uses.task_key
WHERE uses.is_counted AND lives.contract = 'fixed' AND lives.lines_earn = 'use' AND lives.end_day IS NULL) AS fees WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND (fees.task_meta_id IN (0) OR fees.task_meta_id IS NULL) AND (fees.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR fees.people_id IS NULL OR fees.people_id NOT IN (SELECT people_id FROM marts.people_tags)) AND fees.billable IN (false)) AS used;

SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM core.ledger
     WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) AND date >= (SELECT COALESCE(MAX(month), DATE '1970-01-01') FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')));
