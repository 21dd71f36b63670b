-- One row per line of logged time or expense in a capped place (K1): what it earns, its part within the agreed fee.
-- Lines use the fee in one order: date, labour before expenses, line. Later days change nothing before them, so the cutoff decides nothing here.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
WITH capped AS (
  SELECT project_id, level, phase_key, task_key, agreed_fee, has_expenses
  FROM core.places
  WHERE contract = 'capped'
),
running AS (
  SELECT
    ledger.kind,
    ledger.project_id,
    ledger.logged_time_id,
    ledger.project_expense_id,
    capped.agreed_fee,
    COALESCE(ledger.fee, 0) AS fee,
    SUM(COALESCE(ledger.fee, 0)) OVER (
      PARTITION BY capped.project_id, capped.phase_key, capped.task_key
      ORDER BY ledger.date, ledger.kind, ledger.logged_time_id, CAST(ledger.project_expense_id AS VARCHAR)
      ROWS UNBOUNDED PRECEDING
    ) AS fees_so_far
  FROM capped
  JOIN core.ledger
    ON ledger.project_id = capped.project_id
    AND (capped.level <> 'phase' OR ledger.phase_id = capped.phase_key)
    AND (capped.level <> 'task' OR ledger.task_meta_id = capped.task_key)
    AND (ledger.kind = pl_line_kind('actual') OR (ledger.kind = pl_line_kind('expense') AND capped.has_expenses))
)
SELECT
  kind,
  project_id,
  logged_time_id,
  project_expense_id,
  LEAST(agreed_fee, fees_so_far) - LEAST(agreed_fee, fees_so_far - fee) AS earned_fee
FROM running
