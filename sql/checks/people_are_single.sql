-- Everybody with lines, work hours or time off is in the mart of people exactly once, so capacity has all of their hours.
-- checked: builds
WITH named AS (
  SELECT DISTINCT people_id FROM core.ledger WHERE people_id IS NOT NULL
  UNION
  SELECT people_id FROM core.work_hours
  UNION
  SELECT people_id FROM core.time_off_days
)
SELECT named.people_id, COUNT(people.people_id) AS row_count
FROM named
LEFT JOIN core.named_people AS people ON people.people_id = named.people_id
GROUP BY named.people_id
HAVING COUNT(people.people_id) <> 1
