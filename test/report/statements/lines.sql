SELECT CAST(date AS VARCHAR) AS key, COUNT(*) AS count
FROM core.lines AS listed
WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
  AND listed.billable IN (true)
GROUP BY date
ORDER BY date;

SELECT "kind", "line_id", "date", "people_id", "person", "role_id", "role", "project_id", "project", "phase_id", "phase", "task_meta_id", "task", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee", "amount"
FROM core.named_lines AS listed
WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
  AND (kind <> pl_line_kind('scheduled') OR status IN (pl_line_status('confirmed'), pl_line_status('completed')))
  AND listed.billable IN (true)
ORDER BY date, line_id;
