-- A changed milestone touches the project of the phase that it names, and the one of whose fee it was a part.
SELECT phases.project_id
FROM staging.milestones
JOIN changed_records ON changed_records.resource = 'milestones' AND changed_records.id = milestones.milestone_id
JOIN staging.phases ON phases.phase_id = milestones.phase_id
UNION
SELECT fee_milestones.project_id
FROM core.fee_milestones
JOIN changed_records ON changed_records.resource = 'milestones' AND changed_records.id = fee_milestones.milestone_id
