-- One row per day with logged time: the hours of its records as loaded or written, which reports compare with the ledger.
-- part: SELECT date, SUM(hours) AS hours FROM core.ledger WHERE kind = pl_line_kind('actual') GROUP BY date
-- copied: without rates
SELECT date, SUM(hours) AS hours
FROM staging.logged_time
GROUP BY date
