-- One row per logged-time record: what its line doesn't say. Joined by logged_time_id, it keeps the actual lines alone.
-- A record without times of its own has the time of the load that brought it.
SELECT logged_time_id, notes, created, modified
FROM staging.logged_time
