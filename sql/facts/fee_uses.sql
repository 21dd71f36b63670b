-- One row per line of a project with agreed fees: what it uses of its agreed fee.
-- Parameters: fee_day (cutoff_date, one row), asked_statuses (status), and places, all lines of the projects: date, line_id, hours, fee, billable,
-- and the columns of fee_places. Lines whose parts nobody asks for may be sums of lines on one side of the cutoff.
-- Only some lines count (is_counted): up to the cutoff logged time and expenses, after it expenses and what is left to do (is_left): scheduled
-- lines of an asked status, or firm ones.
WITH days AS (
  SELECT
    places.*,
    places.kind = pl_line_kind('expense') AS is_expense,
    COALESCE(places.date <= fee_day.cutoff_date, FALSE) AS is_done,
    places.is_completed OR COALESCE(places.fee_end_date <= fee_day.cutoff_date, FALSE) AS is_over
  FROM places
  CROSS JOIN fee_day
),
chosen AS (
  SELECT
    days.*,
    days.kind = pl_line_kind('scheduled')
      AND NOT days.is_done
      AND (days.status IN (SELECT status FROM asked_statuses) OR (days.agreed_fee IS NOT NULL AND days.is_firm)) AS is_left
  FROM days
),
counted AS (
  SELECT
    chosen.*,
    chosen.is_expense OR chosen.is_left OR (chosen.kind = pl_line_kind('actual') AND chosen.is_done) AS is_counted
  FROM chosen
)
SELECT
  counted.*,
  CASE WHEN is_counted THEN COALESCE(fee, 0) ELSE 0 END AS used_fee,
  CASE WHEN is_counted AND billable THEN COALESCE(hours, 0) ELSE 0 END AS used_hours
FROM counted
