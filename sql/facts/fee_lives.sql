-- One row per place (core.places) and row of fee_day: if and when it has ended, and how its lines earn its agreed fee.
-- Parameters: fee_day (is_plan, cutoff_date and today), and fee_uses, the lines of the places or sums of them.
-- K3: a confirmed place has ended when it is completed, or when its end is over, nothing is left to do and no entry of progress below 100 % is dated on
-- or after it. end_day is null while that isn't so. A
-- completed place without a day of its own ends on the last day that has a line up to today.
-- fee_units is the agreed fee in minor units of the currency.
-- life_hours are the billable hours of its whole life, in millionths: of an ended place those up to its end.
-- life_fees are what lines use of the agreed fee in its whole life, likewise.
-- In lines_earn stands `entries`, their part of the hours between entries of progress (fee_steps), of which last_entry is the latest that counts before
-- the end; `progress`, their part of all billable hours; `use`, what they use of the fee; `nothing`, where other lines have the fee (K4).
-- rest_fee is the part of the fee that no line and no milestone or day of its own has; it stands on rest_day, if there is one.
WITH used AS (
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
  FROM core.places
  JOIN core.fee_progress
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
  FROM core.places
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
  JOIN core.fee_milestones
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
