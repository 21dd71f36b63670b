-- A changed rate card touches the people who work on projects that have it, or whose client has it (P2).
WITH holders AS (
  SELECT projects.project_id
  FROM staging.card_uses
  JOIN changed_records ON changed_records.resource = 'rate_cards' AND changed_records.id = card_uses.rate_card_id
  JOIN staging.projects
    ON (card_uses.level = 'rate_card' AND card_uses.id = projects.project_id)
    OR (card_uses.level = 'client_card' AND card_uses.id = projects.client_id)
)
SELECT DISTINCT assignments.people_id
FROM core.assignments
JOIN holders ON holders.project_id = assignments.project_id
