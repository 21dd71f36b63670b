-- One row per rate card.
SELECT rate_card_id, name
FROM source.rate_cards
