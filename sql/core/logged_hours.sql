-- One row per day with logged time: the hours of its records as loaded or written, which reports compare with the ledger.
SELECT date, SUM(hours) AS hours
FROM staging.logged_time
GROUP BY date
