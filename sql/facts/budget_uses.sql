-- One row per line that may use a budget: an expense that isn't billed uses none.
-- Parameters: use_lines, the lines: kind, billable, hours, fee, is_to_date (up to the cutoff) and is_asked (of a requested status).
-- Logged time and expenses up to the cutoff use a budget (is_used). Scheduled lines of a requested status and all expenses are its plan
-- (is_planned); those of them after the cutoff are left (is_left). A budget in hours counts billable_hours, any other the fee.
SELECT
  use_lines.*,
  CASE WHEN use_lines.billable THEN use_lines.hours END AS billable_hours,
  use_lines.kind <> pl_line_kind('scheduled') AND use_lines.is_to_date AS is_used,
  use_lines.kind = pl_line_kind('expense') OR (use_lines.kind = pl_line_kind('scheduled') AND use_lines.is_asked) AS is_planned,
  NOT use_lines.is_to_date
    AND (use_lines.kind = pl_line_kind('expense') OR (use_lines.kind = pl_line_kind('scheduled') AND use_lines.is_asked)) AS is_left
FROM use_lines
WHERE CASE WHEN use_lines.kind = pl_line_kind('expense') THEN use_lines.billable ELSE TRUE END
