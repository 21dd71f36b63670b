-- Nobody is scheduled before the start or after the end of the employment (D6).
-- checked: core.people, core.spans by people_id
SELECT ledger.task_id, ledger.people_id, ledger.date
FROM core.ledger
JOIN core.people ON people.people_id = ledger.people_id
WHERE ledger.kind = pl_line_kind('scheduled') AND (ledger.date < people.employed_from OR ledger.date >= people.employed_to)
