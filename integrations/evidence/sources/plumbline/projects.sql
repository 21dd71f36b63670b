-- The report projects of a window. Change its days here.
SELECT project_id, name AS project, client, scheduled_to_date_hours, actual_hours, variance_hours, actual_fees, budget_used_percent
FROM reports.projects(start_date := '2026-01-01', end_date := '2026-06-30')
ORDER BY variance_hours DESC
