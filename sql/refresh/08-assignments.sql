-- Refreshes core.assignments by people_id after people, roles, projects, phases, core.people.
-- Who is in a team, or was, is named by the record of its project or phase.
SELECT people_id
FROM named_people
WHERE resource IN ('people', 'projects', 'phases')
UNION
SELECT people_id
FROM changed_core_people
UNION
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'roles' AND changed_records.id = assignments.team_role_id
UNION
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'projects' AND changed_records.id = assignments.project_id
UNION
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = assignments.phase_id
