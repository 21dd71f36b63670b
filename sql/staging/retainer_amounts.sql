-- One row per entry of a retainer's amounts: what the periods hold that begin on or after its day, and their price.
-- An entry without a day has always held.
SELECT retainer_id, position, COALESCE(effective_date, pl_first_day()) AS valid_from, amount, price
FROM source.retainer_amounts
