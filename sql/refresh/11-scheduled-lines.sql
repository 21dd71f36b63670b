-- Refreshes core.ledger where kind = pl_line_kind('scheduled') by people_id after core.spans, core.time_off_days, core.person_rates, rows gone from core.assignments.
-- An assignment that is new has no lines but those of the allocation that made it.
SELECT people_id
FROM changed_core_spans
UNION
SELECT people_id
FROM changed_core_time_off_days
UNION
SELECT people_id
FROM changed_core_person_rates
UNION
SELECT spans.people_id
FROM core.spans
JOIN changed_core_assignments AS gone
  ON gone.people_id = spans.people_id
  AND gone.project_id = spans.project_id
  AND gone.phase_id = spans.phase_id
WHERE gone.stored_row IS NOT NULL
