-- One row per allocation and archived person without an end of the employment, with scheduled days after the last one with logged time: nobody can work
-- there any more (D5). The hours and amounts count.
-- says: hours planned for archived people
-- remedy: Plan somebody else, or give the person an end date or make it active.
-- tells_of: people
WITH archived AS (
  SELECT people.people_id, MAX(ledger.date) AS last_date
  FROM staging.people
  LEFT JOIN core.ledger ON ledger.people_id = people.people_id AND ledger.kind = pl_line_kind('actual')
  WHERE NOT people.is_active AND people.end_date IS NULL
  GROUP BY people.people_id
)
SELECT
  'warning' AS severity,
  'tasks' AS resource,
  CAST(ledger.task_id AS VARCHAR) AS id,
  MIN(ledger.date) AS date,
  'person ' || CAST(ledger.people_id AS VARCHAR) || ' is archived, '
    || COALESCE('and logged the last time on ' || CAST(archived.last_date AS VARCHAR), 'and has never logged time') AS detail,
  SUM(ledger.hours) AS hours,
  SUM(ledger.fee) AS amount_at_risk,
  ledger.people_id,
  ledger.project_id
FROM core.ledger
JOIN archived ON archived.people_id = ledger.people_id
WHERE ledger.kind = pl_line_kind('scheduled')
  AND ledger.status <> pl_line_status('canceled')
  AND ledger.date > COALESCE(archived.last_date, pl_add_days(ledger.date, -1))
GROUP BY ledger.task_id, ledger.people_id, ledger.project_id, archived.last_date
