-- One row per holder of bill rates, as in core.bill_rates, and day from which it has a rate because a source without days was first seen to say it then.
-- P6: who holds a rate in a project's team and names a phase, holds it in the phase's; the rate of a card is one of each project and client with the card.
-- part: where CASE WHEN level = 'role' THEN id IN (SELECT role_id FROM marts.roles) WHEN level = 'person' THEN id IN (SELECT people_id FROM core.named_people) WHEN level = 'client_card' THEN id IN (SELECT client_id FROM core.named_projects) WHEN level IN ('phase', 'phase_team') THEN id IN (SELECT phase_id FROM marts.phases) ELSE id IN (SELECT project_id FROM core.named_projects) END AND (people_id = 0 OR people_id IN (SELECT people_id FROM core.named_people))
-- copied: without rates
SELECT
  CASE WHEN level = 'project_team' AND phase_id <> 0 THEN 'phase_team' ELSE level END AS level,
  CASE WHEN level = 'project_team' AND phase_id <> 0 THEN phase_id ELSE id END AS id,
  people_id,
  role_id,
  valid_from
FROM staging.seen_rates
WHERE level <> 'rate_card'
UNION
SELECT card_uses.level, card_uses.id, seen_rates.people_id, seen_rates.role_id, seen_rates.valid_from
FROM staging.seen_rates
JOIN staging.card_uses ON card_uses.rate_card_id = seen_rates.id
WHERE seen_rates.level = 'rate_card'
