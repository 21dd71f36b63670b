-- One row per allocation, the record behind scheduled lines: what they don't say. Joined by task_id, it keeps the lines that name one of them alone.
-- A record without times of its own has the time of the load that brought it.
SELECT task_id, name AS allocation, start_date, end_date, notes, created, modified
FROM staging.allocations
