-- One row per rate card that a project or a client has, from a day on.
-- P2: an entry without a date has always been in effect. Without a card it ends the one before.
SELECT 'rate_card' AS level, project_id AS id, position, COALESCE(effective_date, pl_first_day()) AS valid_from, rate_card_id
FROM source.project_rate_cards
UNION ALL
SELECT 'client_card' AS level, client_id AS id, position, COALESCE(effective_date, pl_first_day()) AS valid_from, rate_card_id
FROM source.client_rate_cards
