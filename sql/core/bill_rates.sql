-- One row per holder of bill rates and range of days [valid_from, valid_to) with one of them, null for none. The ranges of a holder cover every day,
-- except those of cards, which are the days with a rate.
-- level and id say who holds the rate: phase_team and phase a phase, project_team, project and rate_card a project, client_card a client, person a
-- person, role a role. Rates of teams have a person, too, and those of cards a role; else both are 0.
-- P1: the latest entry in effect; of two with the same date the later in the list, so that the range of the earlier is empty. dated_from is the date of the entry.
-- P2: the card of the day, and in it the rate of the day.
-- stored: table at rest
-- part: where CASE WHEN level = 'role' THEN id IN (SELECT role_id FROM marts.roles) WHEN level = 'person' THEN id IN (SELECT people_id FROM core.named_people) WHEN level = 'client_card' THEN id IN (SELECT client_id FROM core.named_projects) WHEN level IN ('phase', 'phase_team') THEN id IN (SELECT phase_id FROM marts.phases) ELSE id IN (SELECT project_id FROM core.named_projects) END AND (people_id = 0 OR people_id IN (SELECT people_id FROM core.named_people))
-- copied: without rates
WITH entries AS (
  SELECT level, id, 0 AS people_id, position, valid_from, bill_rate
  FROM staging.bill_rates
  UNION ALL
  SELECT 'phase_team' AS level, phase_id AS id, people_id, 0 AS position, pl_first_day() AS valid_from, hourly_rate AS bill_rate
  FROM core.phase_team
  UNION ALL
  SELECT 'phase_team' AS level, phase_team.phase_id AS id, phase_team.people_id, rates.position, rates.valid_from, rates.bill_rate
  FROM core.phase_team
  JOIN staging.team_rates AS rates
    ON rates.team = phase_team.team AND rates.id = phase_team.team_id AND rates.people_id = phase_team.people_id
    AND (rates.team = 'phase' OR rates.phase_id = phase_team.phase_id)
  UNION ALL
  SELECT 'project_team' AS level, project_id AS id, people_id, 0 AS position, pl_first_day() AS valid_from, hourly_rate AS bill_rate
  FROM core.project_team
  UNION ALL
  SELECT 'project_team' AS level, project_team.project_id AS id, project_team.people_id, rates.position, rates.valid_from, rates.bill_rate
  FROM core.project_team
  JOIN staging.team_rates AS rates
    ON rates.team = 'project' AND rates.id = project_team.project_id AND rates.people_id = project_team.people_id AND rates.phase_id = 0
),
entry_ranges AS (
  SELECT
    level,
    id,
    people_id,
    position,
    valid_from,
    LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY level, id, people_id ORDER BY valid_from, position) AS valid_to,
    bill_rate
  FROM entries
),
uses AS (
  SELECT
    level,
    id,
    rate_card_id,
    valid_from,
    LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY level, id ORDER BY valid_from, position) AS valid_to
  FROM staging.card_uses
),
cards AS (
  SELECT
    rate_card_id,
    role_id,
    dated_from,
    bill_rate,
    valid_from,
    LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY rate_card_id, role_id ORDER BY valid_from, position) AS valid_to
  FROM staging.rate_card_rates
)
SELECT
  level,
  id,
  people_id,
  0 AS role_id,
  valid_from,
  valid_to,
  bill_rate,
  CASE WHEN position > 0 THEN valid_from END AS dated_from
FROM entry_ranges
WHERE valid_from < valid_to
UNION ALL
SELECT
  uses.level,
  uses.id,
  0 AS people_id,
  cards.role_id,
  GREATEST(uses.valid_from, cards.valid_from) AS valid_from,
  LEAST(uses.valid_to, cards.valid_to) AS valid_to,
  cards.bill_rate,
  cards.dated_from
FROM uses
JOIN cards ON cards.rate_card_id = uses.rate_card_id AND cards.valid_from < uses.valid_to AND cards.valid_to > uses.valid_from
WHERE cards.bill_rate IS NOT NULL AND uses.valid_from < uses.valid_to AND cards.valid_from < cards.valid_to
