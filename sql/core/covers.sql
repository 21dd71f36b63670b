-- One row per invoice line or write-off, and record that it covers: the part of its amount that falls on the record (M4). A credit of a line has one per
-- record of that line (is_credit): what it takes from its cover, at most the line's amount (N1).
-- stored: table at rest
-- A record that isn't there any more has no date of its own, and no project: the cover keeps its day and project, and a value that is kept.
-- freed_on is the day on which the line is credited whole, and covers nothing any more.
-- project_id is that of the bill, else that of the record. Covers of drafts are of status draft, and count nowhere.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH spread AS (
  SELECT *
  FROM core.cover_shares
),
taken AS (
  SELECT
    credit.bill_id,
    credit.invoice_id,
    credit.date,
    credit.status,
    credit.project_id,
    credit.phase_id,
    credit.task_meta_id,
    credit.credits AS credited_id,
    pl_money_units(credited.amount, credited.minor_units) AS credited_units,
    -pl_money_units(credit.amount, credit.minor_units) AS own_units,
    SUM(-pl_money_units(credit.amount, credit.minor_units)) OVER (
      PARTITION BY credit.credits ORDER BY credit.date, credit.bill_id ROWS UNBOUNDED PRECEDING
    ) AS units_so_far
  FROM core.bills AS credit
  JOIN core.bills AS credited ON credited.bill_kind = 'invoice' AND credited.bill_id = credit.credits
  WHERE credit.bill_kind = 'invoice'
    AND credit.amount < 0
    AND credited.amount > 0
    AND credit.status = pl_line_status('confirmed')
    AND credited.status = pl_line_status('confirmed')
),
freed AS (
  SELECT credited_id, MIN(CASE WHEN date > credited_date THEN date ELSE credited_date END) AS freed_on
  FROM (
    SELECT taken.credited_id, taken.date, credited.date AS credited_date
    FROM taken
    JOIN core.bills AS credited ON credited.bill_kind = 'invoice' AND credited.bill_id = taken.credited_id
    WHERE taken.units_so_far >= taken.credited_units
  ) AS whole_credits
  GROUP BY credited_id
),
credited AS (
  SELECT
    spread.*,
    SUM(units) OVER (PARTITION BY bill_id ORDER BY item_date, line_id ROWS UNBOUNDED PRECEDING) AS cover_so_far
  FROM spread
  WHERE bill_kind = 'invoice' AND bill_id IN (SELECT credited_id FROM taken)
),
reduced AS (
  SELECT
    'invoice' AS bill_kind,
    taken.bill_id,
    taken.invoice_id,
    taken.date,
    taken.status,
    credited.minor_units,
    COALESCE(taken.project_id, credited.project_id) AS project_id,
    taken.phase_id,
    taken.task_meta_id,
    credited.line_id,
    credited.is_there,
    credited.item_date,
    credited.item_project_id,
    credited.item_phase_id,
    credited.item_task_meta_id,
    credited.contract,
    credited.billable,
    credited.fee,
    credited.earned_fee,
    credited.given_value,
    credited.item_value,
    LEAST(taken.credited_units, taken.units_so_far) - LEAST(taken.credited_units, taken.units_so_far - taken.own_units) AS taken_units,
    credited.cover_so_far,
    credited.units,
    taken.credited_units
  FROM taken
  JOIN credited ON credited.bill_id = taken.credited_id
),
united AS (
  SELECT
    spread.bill_kind,
    spread.bill_id,
    spread.invoice_id,
    FALSE AS is_credit,
    spread.date,
    freed.freed_on,
    spread.status,
    spread.minor_units,
    spread.project_id,
    spread.phase_id,
    spread.task_meta_id,
    spread.line_id,
    spread.is_there,
    spread.item_date,
    spread.item_project_id,
    spread.item_phase_id,
    spread.item_task_meta_id,
    spread.contract,
    spread.billable,
    spread.fee,
    spread.earned_fee,
    spread.given_value,
    spread.item_value,
    spread.units
  FROM spread
  LEFT JOIN freed ON spread.bill_kind = 'invoice' AND freed.credited_id = spread.bill_id
  UNION ALL
  SELECT
    bill_kind,
    bill_id,
    invoice_id,
    TRUE AS is_credit,
    date,
    CAST(NULL AS DATE) AS freed_on,
    status,
    minor_units,
    project_id,
    phase_id,
    task_meta_id,
    line_id,
    is_there,
    item_date,
    item_project_id,
    item_phase_id,
    item_task_meta_id,
    contract,
    billable,
    fee,
    earned_fee,
    given_value,
    item_value,
    CAST(
      pl_share_of_units(taken_units, cover_so_far - units, credited_units) - pl_share_of_units(taken_units, cover_so_far, credited_units) AS BIGINT
    ) AS units
  FROM reduced
)
SELECT
  bill_kind,
  bill_id,
  invoice_id,
  is_credit,
  date,
  freed_on,
  status,
  COALESCE(project_id, item_project_id, 0) AS project_id,
  CASE WHEN project_id IS NULL THEN COALESCE(item_phase_id, 0) ELSE phase_id END AS phase_id,
  CASE WHEN project_id IS NULL THEN item_task_meta_id ELSE task_meta_id END AS task_meta_id,
  line_id,
  is_there,
  COALESCE(item_date, date) AS item_date,
  COALESCE(item_project_id, project_id, 0) AS item_project_id,
  COALESCE(item_phase_id, phase_id) AS item_phase_id,
  CASE WHEN is_there THEN item_task_meta_id ELSE task_meta_id END AS item_task_meta_id,
  COALESCE(contract, 'time') AS contract,
  COALESCE(billable, TRUE) AS billable,
  fee,
  earned_fee,
  given_value IS NOT NULL AS has_own_value,
  item_value,
  pl_money_of_units(units, minor_units) AS amount
FROM united
