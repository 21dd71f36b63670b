-- An allocation has one line per person and day.
SELECT task_id, people_id, date, COUNT(*) AS line_count
FROM core.ledger
WHERE kind = 'scheduled'
GROUP BY task_id, people_id, date
HAVING COUNT(*) > 1
