-- One row per record and id in it without a record. The hours count, under that id.
-- Allocations and logged time are many, so their unknown ids are found first, in one pass of each.
WITH unknown_of_allocations AS (
  SELECT
    CAST(allocations.task_id AS VARCHAR) AS id,
    allocations.start_date AS date,
    allocations.hours,
    allocations.people_id,
    allocations.project_id,
    CASE WHEN people.people_id IS NULL THEN allocations.people_id END AS unknown_people_id,
    CASE WHEN projects.project_id IS NULL THEN allocations.project_id END AS unknown_project_id,
    CASE WHEN phases.phase_id IS NULL THEN NULLIF(allocations.phase_id, 0) END AS unknown_phase_id,
    CASE WHEN project_tasks.task_meta_id IS NULL THEN allocations.task_meta_id END AS unknown_task_meta_id
  FROM staging.allocations
  LEFT JOIN staging.people ON people.people_id = allocations.people_id
  LEFT JOIN staging.projects ON projects.project_id = allocations.project_id
  LEFT JOIN staging.phases ON phases.phase_id = allocations.phase_id
  LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = allocations.task_meta_id
  WHERE (people.people_id IS NULL AND allocations.people_id IS NOT NULL)
    OR (projects.project_id IS NULL AND allocations.project_id IS NOT NULL)
    OR (phases.phase_id IS NULL AND allocations.phase_id <> 0)
    OR (project_tasks.task_meta_id IS NULL AND allocations.task_meta_id IS NOT NULL)
),
unknown_of_logged_time AS (
  SELECT
    logged_time.logged_time_id AS id,
    logged_time.date,
    logged_time.hours,
    logged_time.people_id,
    logged_time.project_id,
    CASE WHEN people.people_id IS NULL THEN logged_time.people_id END AS unknown_people_id,
    CASE WHEN projects.project_id IS NULL THEN logged_time.project_id END AS unknown_project_id,
    CASE WHEN phases.phase_id IS NULL THEN NULLIF(logged_time.phase_id, 0) END AS unknown_phase_id,
    CASE WHEN allocations.task_id IS NULL THEN logged_time.task_id END AS unknown_task_id,
    CASE WHEN project_tasks.task_meta_id IS NULL THEN logged_time.task_meta_id END AS unknown_task_meta_id
  FROM staging.logged_time
  LEFT JOIN staging.people ON people.people_id = logged_time.people_id
  LEFT JOIN staging.projects ON projects.project_id = logged_time.project_id
  LEFT JOIN staging.phases ON phases.phase_id = logged_time.phase_id
  LEFT JOIN staging.allocations ON allocations.task_id = logged_time.task_id
  LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = logged_time.task_meta_id
  WHERE (people.people_id IS NULL AND logged_time.people_id IS NOT NULL)
    OR (projects.project_id IS NULL AND logged_time.project_id IS NOT NULL)
    OR (phases.phase_id IS NULL AND logged_time.phase_id <> 0)
    OR (allocations.task_id IS NULL AND logged_time.task_id IS NOT NULL)
    OR (project_tasks.task_meta_id IS NULL AND logged_time.task_meta_id IS NOT NULL)
),
named AS (
  SELECT
    'tasks' AS resource,
    CAST(allocations.task_id AS VARCHAR) AS id,
    allocations.start_date AS date,
    'people_ids' AS field,
    people.people_id AS value,
    allocations.hours,
    people.people_id,
    allocations.project_id
  FROM staging.allocation_people AS people
  JOIN staging.allocations ON allocations.task_id = people.task_id
  UNION ALL
  SELECT 'timeoffs', CAST(timeoff_id AS VARCHAR), start_date, 'people_id', people_id, hours, people_id, NULL
  FROM staging.time_off
  UNION ALL
  SELECT 'timeoffs', CAST(time_off.timeoff_id AS VARCHAR), time_off.start_date, 'people_ids', people.people_id, time_off.hours, people.people_id, NULL
  FROM staging.time_off_people AS people
  JOIN staging.time_off ON time_off.timeoff_id = people.timeoff_id
  UNION ALL
  SELECT 'project_expenses', CAST(project_expense_id AS VARCHAR), date, 'project_id', project_id, NULL, NULL, project_id
  FROM staging.expenses
  UNION ALL
  SELECT 'phases', CAST(phase_id AS VARCHAR), NULL, 'project_id', project_id, NULL, NULL, project_id
  FROM staging.phases
  UNION ALL
  SELECT 'project_tasks', CAST(task_meta_id AS VARCHAR), NULL, 'project_id', project_id, NULL, NULL, project_id
  FROM staging.project_tasks
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), NULL, 'client_id', client_id, NULL, NULL, project_id
  FROM staging.projects
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), NULL, 'project_manager', project_manager_id, NULL, NULL, project_id
  FROM staging.projects
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), NULL, 'stage_id', stage_id, NULL, NULL, project_id
  FROM staging.projects
  UNION ALL
  SELECT 'project_tasks', CAST(task_meta_id AS VARCHAR), NULL, 'phase_id', NULLIF(phase_id, 0), NULL, NULL, project_id
  FROM staging.project_tasks
  UNION ALL
  SELECT 'milestones', CAST(milestone_id AS VARCHAR), date, 'project_id', project_id, NULL, NULL, project_id
  FROM staging.milestones
  UNION ALL
  SELECT 'milestones', CAST(milestone_id AS VARCHAR), date, 'phase_id', NULLIF(phase_id, 0), NULL, NULL, project_id
  FROM staging.milestones
  UNION ALL
  SELECT 'departments', CAST(department_id AS VARCHAR), NULL, 'parent_id', parent_department_id, NULL, NULL, NULL
  FROM staging.departments
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), NULL, 'project_team.phase_id', NULLIF(phase_id, 0), NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), NULL, 'project_team.people_id', people_id, NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), NULL, 'project_team.role_id', role_id, NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'phases', CAST(phase_id AS VARCHAR), NULL, 'phase_team.people_id', people_id, NULL, people_id, NULL
  FROM staging.phase_team
  UNION ALL
  SELECT 'phases', CAST(phase_id AS VARCHAR), NULL, 'phase_team.role_id', role_id, NULL, people_id, NULL
  FROM staging.phase_team
  UNION ALL
  SELECT 'people', CAST(people_id AS VARCHAR), NULL, 'department_id', department_id, NULL, people_id, NULL
  FROM staging.people
  WHERE department_name IS NULL
  UNION ALL
  SELECT 'people', CAST(people_id AS VARCHAR), NULL, 'role_id', role_id, NULL, people_id, NULL
  FROM staging.people
  UNION ALL
  SELECT 'people', CAST(people_id AS VARCHAR), effective_date, 'contracts.role_id', role_id, NULL, people_id, NULL
  FROM staging.contracts
),
known AS (
  SELECT 'people_id' AS field, people_id AS value FROM staging.people
  UNION ALL
  SELECT 'project_id', project_id FROM staging.projects
  UNION ALL
  SELECT 'phase_id', phase_id FROM staging.phases
  UNION ALL
  SELECT 'client_id', client_id FROM staging.clients
  UNION ALL
  SELECT 'role_id', role_id FROM staging.roles
  UNION ALL
  SELECT 'project_manager', account_id FROM staging.accounts
  UNION ALL
  SELECT 'stage_id', stage_id FROM staging.project_stages
  UNION ALL
  SELECT 'department_id', department_id FROM staging.departments
  UNION ALL
  SELECT 'parent_id', department_id FROM staging.departments
),
referred AS (
  SELECT
    resource,
    id,
    date,
    field,
    CASE
      WHEN field LIKE '%people_id%' THEN 'people_id'
      WHEN field LIKE '%role_id' THEN 'role_id'
      WHEN field LIKE '%phase_id' THEN 'phase_id'
      ELSE field
    END AS known_field,
    value,
    hours,
    people_id,
    project_id
  FROM named
),
found AS (
  SELECT 'tasks' AS resource, id, date, 'people_id' AS field, unknown_people_id AS value, hours, people_id, project_id
  FROM unknown_of_allocations
  UNION ALL
  SELECT 'tasks', id, date, 'project_id', unknown_project_id, hours, people_id, project_id
  FROM unknown_of_allocations
  UNION ALL
  SELECT 'tasks', id, date, 'phase_id', unknown_phase_id, hours, people_id, project_id
  FROM unknown_of_allocations
  UNION ALL
  SELECT 'tasks', id, date, 'task_meta_id', unknown_task_meta_id, hours, people_id, project_id
  FROM unknown_of_allocations
  UNION ALL
  SELECT 'logged_time', id, date, 'people_id', unknown_people_id, hours, people_id, project_id
  FROM unknown_of_logged_time
  UNION ALL
  SELECT 'logged_time', id, date, 'project_id', unknown_project_id, hours, people_id, project_id
  FROM unknown_of_logged_time
  UNION ALL
  SELECT 'logged_time', id, date, 'phase_id', unknown_phase_id, hours, people_id, project_id
  FROM unknown_of_logged_time
  UNION ALL
  SELECT 'logged_time', id, date, 'task_id', unknown_task_id, hours, people_id, project_id
  FROM unknown_of_logged_time
  UNION ALL
  SELECT 'logged_time', id, date, 'task_meta_id', unknown_task_meta_id, hours, people_id, project_id
  FROM unknown_of_logged_time
  UNION ALL
  SELECT
    referred.resource,
    referred.id,
    referred.date,
    referred.field,
    referred.value,
    referred.hours,
    referred.people_id,
    referred.project_id
  FROM referred
  LEFT JOIN known ON known.field = referred.known_field AND known.value = referred.value
  WHERE known.value IS NULL
)
SELECT DISTINCT
  'warning' AS severity,
  resource,
  id,
  date,
  field || ' ' || CAST(value AS VARCHAR) || ' does not exist' AS detail,
  hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  people_id,
  project_id
FROM found
WHERE value IS NOT NULL
