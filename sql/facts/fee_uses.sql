-- One row per line of a project with places: what it uses of its agreed fee.
-- Parameters: fee_day (is_plan, cutoff_date and today; one row, or another of the plan by itself, before whose cutoff nothing is done),
-- asked_statuses (status), and placed_lines, all lines of the projects: date, line_id, hours, fee,
-- billable, last_date, and the columns of fee_places. Lines whose parts nobody asks for may be sums of lines on one side of the cutoff and of today;
-- last_date is the latest day of them, and all have one entry_date.
-- Only some lines count (is_counted): up to the cutoff logged time and expenses, after it expenses and scheduled lines of an asked status. They use the
-- fee. Hours count, too, of what is left to do (is_left): scheduled lines after the cutoff of an asked status, or firm ones.
WITH days AS (
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
