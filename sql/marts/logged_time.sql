-- One row per logged-time record, the record behind an actual line. An inner join by logged_time_id keeps only actual lines.
-- A record without times of its own has the time of the load that brought it.
-- key: logged_time_id
SELECT logged_time_id, notes, created, modified
FROM staging.logged_time
