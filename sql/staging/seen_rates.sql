-- One row per rate that a source without days was first seen to say on a day, and that is dated from it.
-- P6: rates that were made the one without a day, or taken out, are left out.
SELECT entry_id, level, id, people_id, phase_id, role_id, effective_date AS valid_from
FROM source.seen_rates
WHERE state = 'dated'
