-- One row per allocation, the record behind scheduled lines. An inner join by task_id keeps only lines that have an allocation.
-- A record without times of its own has the time of the load that brought it.
-- key: task_id
SELECT task_id, name AS allocation, start_date, end_date, notes, created, modified
FROM staging.allocations
