WITH lines AS (
  SELECT ledger.people_id AS key_person, ledger.date AS key_day, ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM core.ledger AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.kind IN (pl_line_kind('scheduled'), pl_line_kind('actual'), pl_line_kind('expense'))
),
cells AS (
  SELECT key_person, key_day, kind, status, is_billable, is_to_date,
    SUM(hours) AS hours
  FROM lines GROUP BY key_person, key_day, kind, status, is_billable, is_to_date
),
row_keys AS (SELECT DISTINCT key_person, key_day FROM cells),
row_sums AS (
  SELECT key_person, key_day, SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled" FROM cells) AS cells
  GROUP BY key_person, key_day
),
total_sums AS (
  SELECT SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled" FROM cells) AS cells
),
parts AS (
  SELECT FALSE AS is_total, row_keys.key_person AS "people_id", of_person.person AS "person", row_keys.key_day AS "day", scheduled__hours
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_person IS NOT DISTINCT FROM row_keys.key_person AND row_sums.key_day IS NOT DISTINCT FROM row_keys.key_day
    LEFT JOIN core.named_people AS of_person ON of_person.people_id = row_keys.key_person
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "people_id", NULL AS "person", NULL AS "day", scheduled__hours
  FROM total_sums
),
amounts AS (SELECT *, COALESCE(scheduled__hours, 0) AS "scheduled_hours" FROM parts),
measures AS (SELECT *, 0 AS no_ratio FROM amounts)
SELECT is_total, "people_id", "person", "day", "scheduled_hours"
FROM measures
ORDER BY is_total, "people_id" NULLS LAST, "person" COLLATE en NULLS LAST, "person" NULLS LAST, "day" NULLS LAST;
