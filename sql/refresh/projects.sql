-- A changed project touches the people who work on it.
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'projects' AND changed_records.id = assignments.project_id
