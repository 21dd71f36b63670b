SELECT "kind", "line_id", "date", "people_id", "person", "role_id", "role", "project_id", "project", "phase_id", "phase", "task_meta_id", "task", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee", "amount"
FROM core.named_lines AS listed
WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
  AND (kind <> pl_line_kind('scheduled') OR status IN (pl_line_status('confirmed'), pl_line_status('completed')))
  AND (date > DATE '2026-01-05' OR date = DATE '2026-01-05' AND line_id > 'a:1')
ORDER BY date, line_id LIMIT 11;
