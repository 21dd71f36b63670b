-- An allocation has one line per person and day.
-- Checked after core.ledger by people_id, date.
SELECT task_id, people_id, date, COUNT(*) AS line_count
FROM core.ledger
WHERE kind = pl_line_kind('scheduled')
GROUP BY task_id, people_id, date
HAVING COUNT(*) > 1
