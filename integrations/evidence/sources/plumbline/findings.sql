-- What is wrong in the records, so that nobody trusts a number that leaves work out.
SELECT "check", severity, COUNT(*) AS findings, SUM(hours) AS hours
FROM marts.data_quality
GROUP BY "check", severity
ORDER BY severity, findings DESC
