-- One row per line of logged time or expense: by which contract it earns, and what it earns by itself (earned_fee).
-- contract is time where work earns its fee: outside all places and retainers, and of expenses that are billed beside an agreed fee. Lines of fixed places
-- and of retainers earn nothing by themselves here: their contracts earn on days of their own (M3).
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
WITH placed AS (
  SELECT
    ledger.kind,
    ledger.logged_time_id,
    ledger.project_expense_id,
    ledger.date,
    ledger.project_id,
    ledger.phase_id,
    ledger.task_meta_id,
    ledger.billable,
    ledger.hours,
    COALESCE(ledger.fee, 0) AS fee,
    CASE
      WHEN ledger.kind = pl_line_kind('actual') AND (of_phase.project_id IS NOT NULL OR of_project.project_id IS NOT NULL) THEN 'retainer'
      WHEN ledger.kind = pl_line_kind('actual') OR places.has_expenses THEN COALESCE(places.contract, 'time')
      ELSE 'time'
    END AS contract
  FROM core.ledger
  LEFT JOIN (SELECT DISTINCT project_id, level FROM core.places) AS levels ON levels.project_id = ledger.project_id
  LEFT JOIN core.places
    ON places.project_id = ledger.project_id
    AND places.phase_key = CASE WHEN levels.level = 'phase' THEN ledger.phase_id ELSE 0 END
    AND places.task_key = CASE WHEN levels.level = 'task' THEN COALESCE(ledger.task_meta_id, 0) ELSE 0 END
  LEFT JOIN (SELECT DISTINCT project_id, phase_key FROM core.retained_places WHERE phase_key <> 0) AS of_phase
    ON of_phase.project_id = ledger.project_id AND of_phase.phase_key = ledger.phase_id
  LEFT JOIN (SELECT DISTINCT project_id FROM core.retained_places WHERE phase_key = 0) AS of_project ON of_project.project_id = ledger.project_id
  WHERE ledger.kind IN (pl_line_kind('actual'), pl_line_kind('expense'))
)
SELECT
  placed.kind,
  placed.logged_time_id,
  placed.project_expense_id,
  placed.date,
  placed.project_id,
  placed.phase_id,
  placed.task_meta_id,
  placed.billable,
  placed.hours,
  placed.fee,
  placed.contract,
  CASE
    WHEN placed.contract = 'time' THEN placed.fee
    WHEN placed.contract = 'capped' THEN COALESCE(of_time.earned_fee, of_expense.earned_fee, 0)
    ELSE 0
  END AS earned_fee
FROM placed
LEFT JOIN (SELECT logged_time_id, earned_fee FROM core.capped_fees WHERE logged_time_id IS NOT NULL) AS of_time
  ON of_time.logged_time_id = placed.logged_time_id
LEFT JOIN (SELECT project_expense_id, earned_fee FROM core.capped_fees WHERE project_expense_id IS NOT NULL) AS of_expense
  ON of_expense.project_expense_id = placed.project_expense_id
