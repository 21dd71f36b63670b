-- One row per holiday, person who has it and range of its days.
-- D4: a holiday is for everybody or, with a region, for the people of that region.
SELECT spans.holiday_id, people.people_id, spans.first_date, spans.last_date
FROM core.holiday_spans AS spans
JOIN core.people ON people.region_id = spans.region_id
UNION ALL
SELECT spans.holiday_id, people.people_id, spans.first_date, spans.last_date
FROM core.holiday_spans AS spans
CROSS JOIN core.people
WHERE spans.region_id IS NULL
