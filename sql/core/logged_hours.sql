-- One row per day with logged time: the hours of its records as they were loaded or written, for reports to hold the ledger against.
SELECT date, SUM(hours) AS hours
FROM staging.logged_time
GROUP BY date
