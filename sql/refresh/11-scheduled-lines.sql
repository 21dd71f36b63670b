-- Refreshes core.ledger where kind = pl_line_kind('scheduled') from core.scheduled_lines by people_id after core.scheduled_spans, core.time_off_days.
SELECT people_id
FROM changed_core_scheduled_spans
UNION
SELECT people_id
FROM changed_core_time_off_days
