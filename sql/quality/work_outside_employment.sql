-- One row per logged-time record dated before the start of the person's employment or after its end.
-- says: time logged outside the employment
-- remedy: Correct the dates of the time or of the employment.
SELECT
  'warning' AS severity,
  'logged_time' AS resource,
  ledger.logged_time_id AS id,
  ledger.date,
  'person ' || CAST(ledger.people_id AS VARCHAR) || ' is employed '
    || CASE
      WHEN ledger.date < people.employed_from THEN 'from ' || CAST(people.start_date AS VARCHAR)
      ELSE 'until ' || CAST(people.end_date AS VARCHAR)
    END AS detail,
  ledger.hours,
  ledger.cost AS amount_at_risk,
  ledger.people_id,
  ledger.project_id
FROM core.ledger
JOIN core.people ON people.people_id = ledger.people_id
WHERE ledger.kind = pl_line_kind('actual') AND (ledger.date < people.employed_from OR ledger.date >= people.employed_to)
