WITH lines AS (
  SELECT ledger.project_id AS key_project, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM (
    SELECT month AS date, kind, project_id, phase_id, task_meta_id, status, billable, hours FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01' AND month <> DATE '2026-03-01'
    UNION ALL SELECT date, kind, project_id, phase_id, task_meta_id, status, billable, hours AS hours FROM core.ledger WHERE date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31'
  ) AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
),
cells AS (
  SELECT key_project, kind, status,
    SUM(hours) AS hours
  FROM lines GROUP BY key_project, kind, status
),
row_keys AS (SELECT DISTINCT key_project FROM cells),
row_sums AS (
  SELECT key_project, SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled" FROM cells) AS cells
  GROUP BY key_project
),
total_sums AS (
  SELECT SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled" FROM cells) AS cells
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_project AS "project_id", of_project.project_code AS "project_code", of_project.project AS "name", of_project.client_id AS "client_id", of_project.client AS "client", of_project.project_status AS "status", of_project.active AS "active", scheduled__hours
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_project IS NOT DISTINCT FROM row_keys.key_project
    LEFT JOIN core.named_projects AS of_project ON of_project.project_id = row_keys.key_project
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "project_id", NULL AS "project_code", NULL AS "name", NULL AS "client_id", NULL AS "client", NULL AS "status", NULL AS "active", scheduled__hours
  FROM total_sums
),
amounts AS (SELECT *, COALESCE(scheduled__hours, 0) AS "scheduled_hours" FROM parts),
measures AS (SELECT *, 0 AS no_ratio FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "project_id", "project_code", "name", "client_id", "client", "status", "active", "scheduled_hours"
FROM measures
ORDER BY is_total, "name" COLLATE en NULLS LAST, "name" NULLS LAST, "project_id" NULLS LAST;

WITH people AS (
  SELECT SUM(hours) AS hours_by_person, SUM(cost) AS cost_by_person, SUM(fee) AS fee_by_person
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') GROUP BY people_id) AS groups
),
projects AS (
  SELECT SUM(hours) AS hours_by_project, SUM(cost) AS cost_by_project, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee_by_project, SUM(fee_rounded_off) AS fee_rounded_off
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee, SUM(fee_rounded_off) AS fee_rounded_off FROM (
    SELECT kind, project_id, phase_id, task_meta_id, status, billable, hours, cost, fee, cost_rounded_off, fee_rounded_off FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01'
  ) AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('actual')),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
expenses AS (
  SELECT SUM(cost) AS expense_cost, SUM(unrounded_cost) AS exact_expense_cost, SUM(fee) AS expense_fee, SUM(unrounded_fee) AS exact_expense_fee
  FROM core.expenses WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses;

SELECT COUNT(*) AS count, COALESCE(SUM(agreed_fee), 0) AS total
FROM (SELECT DISTINCT project_id, phase_key, task_key, agreed_fee FROM (WITH fee_day AS (SELECT FALSE AS is_plan, DATE '2026-03-01' AS cutoff_date, DATE '2026-03-01' AS today),
fee_window AS (SELECT DATE '1970-01-01' AS start_date, DATE '2099-12-31' AS end_date),
asked_statuses AS (SELECT status FROM (SELECT UNNEST(CAST(enum_range(NULL::line_status) AS line_status[])) AS status) AS statuses WHERE status IN (pl_line_status('confirmed'), pl_line_status('completed'))),
placed_lines AS (SELECT *, date AS last_date FROM (WITH life_lines AS (SELECT date, kind, hours, fee, project_id, phase_id, task_meta_id, status, billable, '' AS line_id FROM core.ledger WHERE date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31') SELECT * FROM (WITH known_phases AS (
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
  UNION ALL BY NAME SELECT *, month AS date, '' AS line_id FROM core.fee_months AS months WHERE month >= DATE '1970-01-01' AND month < DATE '2100-01-01' AND month <> DATE '2026-03-01'),
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
retained_lines AS (WITH placed_lines AS (SELECT *, date AS last_date FROM (WITH life_lines AS (SELECT * FROM core.lines WHERE project_id IN (SELECT project_id FROM core.retained_places) AND date BETWEEN DATE '1970-01-01' AND DATE '2099-12-31'
  UNION ALL BY NAME SELECT * FROM core.retainer_days WHERE NOT (date BETWEEN DATE '1970-01-01' AND DATE '2099-12-31')) SELECT * FROM (WITH known_phases AS (
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
uses AS (SELECT is_plan, project_id, phase_key, task_key, agreed_fee, minor_units, entry_date, is_left, is_counted, is_by_end, is_future, line_id, kind, is_expense, MAX(date) AS date, MAX(last_date) AS last_date, MAX(status) AS status,
    BOOL_OR(billable) AS billable, SUM(fee) AS fee, SUM(used_fee) AS used_fee, SUM(used_hours) AS used_hours
  FROM fee_uses WHERE agreed_fee IS NOT NULL AND (is_counted OR is_left) AND TRUE
  GROUP BY is_plan, project_id, phase_key, task_key, agreed_fee, minor_units, entry_date, is_left, is_counted, is_by_end, is_future, line_id, kind, is_expense, date <= DATE '2026-03-01', date < DATE '1970-01-01', date > DATE '2099-12-31', CASE WHEN date BETWEEN DATE '1970-01-01' AND DATE '2099-12-31' THEN pl_first_of_month(date) END),
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
SELECT DISTINCT uses.project_id, uses.phase_key, uses.task_key, uses.agreed_fee, uses.date
FROM uses
JOIN fee_lives AS lives ON lives.project_id = uses.project_id AND lives.phase_key = uses.phase_key AND lives.task_key = uses.task_key
WHERE uses.is_counted AND lives.contract = 'fixed' AND lives.lines_earn = 'use' AND lives.end_day IS NULL) AS fees WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS used;

SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM core.ledger
     WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) AND date >= (SELECT COALESCE(MAX(month), DATE '1970-01-01') FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')));

SELECT SUM(hours) AS hours, CAST(COUNT(cost) AS INTEGER) AS cost, CAST(COUNT(fee) AS INTEGER) AS fee
     FROM core.ledger AS lines
     WHERE lines.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND lines.date > DATE '2026-03-01' AND kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) GROUP BY project_id;
