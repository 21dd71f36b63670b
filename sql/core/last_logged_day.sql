-- One row: the last day that has logged time of anybody; null where nothing is logged.
-- Without another cutoff, a report counts actuals up to this day, but never beyond today: days on which nobody has logged time yet are plan.
SELECT MAX(date) AS last_logged_date
FROM core.ledger
WHERE kind = pl_line_kind('actual')
