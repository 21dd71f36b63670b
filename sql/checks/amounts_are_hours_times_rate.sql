-- Every amount of a line with hours is hours times rate, rounded once; a non-billable line has a fee of 0.
-- checked: core.ledger by people_id, date
SELECT ledger.kind, ledger.date, ledger.people_id, ledger.hours, ledger.cost_rate, ledger.cost, ledger.bill_rate, ledger.fee
FROM core.ledger
CROSS JOIN core.settings
WHERE (ledger.hours IS NOT NULL OR ledger.people_id IS NOT NULL)
  AND (
    pl_amount(ledger.hours, ledger.cost_rate, settings.minor_units) IS DISTINCT FROM ledger.cost
    OR CASE WHEN ledger.billable THEN pl_amount(ledger.hours, ledger.bill_rate, settings.minor_units) ELSE 0 END
      IS DISTINCT FROM ledger.fee
  )
