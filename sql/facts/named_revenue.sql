-- One row per line of kind revenue, with the names of what it refers to, in columns of core.named_lines. Those that it lacks are null.
-- Parameter: listed_revenue, with the columns of core.revenue_lines.
SELECT
  listed_revenue.kind,
  listed_revenue.line_id,
  listed_revenue.date,
  pl_first_of_month(listed_revenue.date) AS month,
  listed_revenue.project_id,
  named_projects.project,
  named_projects.project_code,
  named_projects.client_id,
  named_projects.client,
  named_projects.project_manager,
  named_projects.project_manager_name,
  listed_revenue.phase_id,
  phases.phase,
  listed_revenue.task_meta_id,
  project_tasks.task,
  listed_revenue.status,
  listed_revenue.billable,
  listed_revenue.amount
FROM listed_revenue
LEFT JOIN core.named_projects ON named_projects.project_id = listed_revenue.project_id
LEFT JOIN marts.phases ON phases.phase_id = listed_revenue.phase_id AND phases.phase IS NOT NULL
LEFT JOIN marts.project_tasks ON project_tasks.task_meta_id = listed_revenue.task_meta_id AND project_tasks.task IS NOT NULL
