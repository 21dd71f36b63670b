-- One row per project and role in a rate card of the project or its client, and range of days [valid_from, valid_to) with one rate, null for none. The
-- ranges of a project and role cover every day.
-- R4, P2: the project's card comes before the client's.
-- stored: table at rest
-- copied: without rates
WITH offers AS (
  SELECT level, id AS project_id, role_id, valid_from, valid_to, bill_rate, dated_from
  FROM core.bill_rates
  WHERE level = 'rate_card'
  UNION ALL
  SELECT bill_rates.level, projects.project_id, bill_rates.role_id, bill_rates.valid_from, bill_rates.valid_to, bill_rates.bill_rate, bill_rates.dated_from
  FROM core.bill_rates
  JOIN staging.projects ON projects.client_id = bill_rates.id
  WHERE bill_rates.level = 'client_card'
),
starts AS (
  SELECT project_id, role_id, pl_first_day() AS valid_from FROM offers
  UNION
  SELECT project_id, role_id, valid_from FROM offers
  UNION
  SELECT project_id, role_id, valid_to AS valid_from FROM offers WHERE valid_to < pl_after_last_day()
),
ranges AS (
  SELECT
    project_id,
    role_id,
    valid_from,
    LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY project_id, role_id ORDER BY valid_from) AS valid_to
  FROM starts
)
SELECT
  ranges.project_id,
  ranges.role_id,
  ranges.valid_from,
  ranges.valid_to,
  COALESCE(own.bill_rate, clients.bill_rate) AS bill_rate,
  CASE WHEN own.bill_rate IS NOT NULL THEN own.level ELSE clients.level END AS bill_rate_source,
  CASE WHEN own.bill_rate IS NOT NULL THEN own.dated_from ELSE clients.dated_from END AS bill_rate_from
FROM ranges
LEFT JOIN offers AS own
  ON own.level = 'rate_card' AND own.project_id = ranges.project_id AND own.role_id = ranges.role_id
  AND own.valid_from <= ranges.valid_from AND own.valid_to > ranges.valid_from
LEFT JOIN offers AS clients
  ON clients.level = 'client_card' AND clients.project_id = ranges.project_id AND clients.role_id = ranges.role_id
  AND clients.valid_from <= ranges.valid_from AND clients.valid_to > ranges.valid_from
