-- An allocation has one line per person and day.
-- checked: core.spans, core.time_off_days by people_id
SELECT task_id, people_id, date, COUNT(*) AS line_count
FROM core.ledger
WHERE kind = pl_line_kind('scheduled')
GROUP BY task_id, people_id, date
HAVING COUNT(*) > 1
