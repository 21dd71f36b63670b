-- A changed holiday touches everybody: it may have been a holiday of another region, or of all people (D4).
SELECT people.people_id
FROM core.people
CROSS JOIN changed_records
WHERE changed_records.resource = 'holidays'
