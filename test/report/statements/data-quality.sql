SELECT "check", "severity", "resource", "id", "date", "detail", "hours", "amount_at_risk"
FROM marts.data_quality AS listed
WHERE (date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' OR date IS NULL)
  AND listed.project_id IN (501)
ORDER BY "check" NULLS FIRST, "date" NULLS FIRST, "resource" NULLS FIRST, "id" NULLS FIRST, "detail" NULLS FIRST;
