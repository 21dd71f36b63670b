-- One row per agreed fee that lines use: the billable hours of its whole life, and if it is earned by progress.
-- Parameter: uses, the lines of the fees or sums of them, with the columns of fee_uses.
-- If billable hours are left to do, or the project or phase is over, lines earn the agreed fee by their part of all billable hours
-- (is_by_progress). Otherwise, and if it is canceled, they earn what they use of it.
SELECT
  project_id,
  phase_key,
  task_key,
  agreed_fee,
  SUM(used_hours) AS life_hours,
  SUM(used_hours) > 0 AND NOT is_canceled AND (is_over OR SUM(CASE WHEN is_left THEN used_hours ELSE 0 END) > 0) AS is_by_progress
FROM uses
WHERE agreed_fee IS NOT NULL
GROUP BY project_id, phase_key, task_key, agreed_fee, is_over, is_canceled
