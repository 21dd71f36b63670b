-- One row per line of logged time or expense: by which contract it earns, and what it earns by itself (earned_fee).
-- contract is time where work earns its fee: outside all places and periods of retainers, and of expenses that are billed beside an agreed fee. Lines of fixed places
-- and of retainers earn nothing by themselves here: their contracts earn on days of their own (M3).
-- A line of a capped place earns its part within the agreed fee (K1). Later days change nothing before them, so the cutoff decides nothing here.
-- A company without bills asks of no line what it earns.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH asked AS (
  SELECT DISTINCT pl_line_kind('actual') AS kind
  FROM core.bills
  UNION ALL
  SELECT DISTINCT pl_line_kind('expense') AS kind
  FROM core.bills
),
life_lines AS (
  SELECT kind, logged_time_id, project_expense_id, date, project_id, phase_id, task_meta_id, status, billable, hours, COALESCE(fee, 0) AS fee
  FROM core.ledger
  WHERE kind IN (SELECT kind FROM asked)
),
placed AS (
  SELECT
    found.*,
    CASE
      WHEN retainer_calendar.retainer_id IS NOT NULL AND found.kind = pl_line_kind('actual') THEN 'retainer'
      WHEN found.agreed_fee IS NULL THEN 'time'
      ELSE places.contract
    END AS contract
  FROM facts.fee_places AS found
  LEFT JOIN core.retainer_calendar
    ON retainer_calendar.project_id = CASE WHEN found.is_retained THEN found.project_id END
    AND retainer_calendar.phase_key = found.retained_phase
    AND retainer_calendar.date = found.date
  LEFT JOIN core.places ON places.project_id = found.project_id AND places.phase_key = found.phase_key AND places.task_key = found.task_key
),
running AS (
  SELECT
    placed.*,
    SUM(fee) OVER (
      PARTITION BY project_id, phase_key, task_key
      ORDER BY date, kind, logged_time_id, CAST(project_expense_id AS VARCHAR)
      ROWS UNBOUNDED PRECEDING
    ) AS fees_so_far
  FROM placed
  WHERE contract = 'capped'
)
SELECT
  kind, logged_time_id, project_expense_id, date, project_id, phase_id, task_meta_id, billable, hours, fee, 'time' AS contract, fee AS earned_fee
FROM life_lines
WHERE project_id NOT IN (SELECT project_id FROM core.places UNION ALL SELECT project_id FROM core.retained_places)
UNION ALL
SELECT
  kind, logged_time_id, project_expense_id, date, project_id, phase_id, task_meta_id, billable, hours, fee, contract,
  CASE WHEN contract = 'time' THEN fee ELSE 0 END AS earned_fee
FROM placed
WHERE contract <> 'capped'
UNION ALL
SELECT
  kind, logged_time_id, project_expense_id, date, project_id, phase_id, task_meta_id, billable, hours, fee, contract,
  LEAST(agreed_fee, fees_so_far) - LEAST(agreed_fee, fees_so_far - fee) AS earned_fee
FROM running
