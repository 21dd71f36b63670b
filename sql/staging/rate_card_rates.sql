-- One row per entry of a rate card: the bill rate of a role.
-- P2: an entry without a date has always been in effect. Without a rate it ends that of its role.
SELECT rate_card_id, role_id, position, effective_date AS dated_from, COALESCE(effective_date, pl_first_day()) AS valid_from, rate AS bill_rate
FROM source.rate_card_rates
