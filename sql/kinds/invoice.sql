-- One row per line of an invoice, and project that it falls on: an amount, without hours, cost and fee (I2).
-- A line without a project is of that of the records that it covers; of several, it is a line for each, by what it covers of each; without covers, by the
-- other lines of its invoice (I3). With nothing to go by, it is of no project (0).
-- rank: 5
-- computed: beside the ledger
-- line_id: i: invoice_line_id, i: invoice_line_id project_id
WITH invoiced AS (
  SELECT *
  FROM core.bills
  WHERE bill_kind = 'invoice'
),
covered AS (
  SELECT
    bill_id,
    project_id,
    CASE WHEN MIN(phase_id) = MAX(phase_id) THEN MIN(phase_id) ELSE 0 END AS phase_id,
    SUM(amount) AS amount
  FROM core.covers
  WHERE bill_kind = 'invoice' AND project_id <> 0
  GROUP BY bill_id, project_id
),
known AS (
  SELECT bill_id, invoice_id, project_id, phase_id, task_meta_id, amount AS weight
  FROM invoiced
  WHERE project_id IS NOT NULL
  UNION ALL
  SELECT invoiced.bill_id, invoiced.invoice_id, covered.project_id, covered.phase_id, NULL AS task_meta_id, covered.amount AS weight
  FROM invoiced
  JOIN covered ON covered.bill_id = invoiced.bill_id
  WHERE invoiced.project_id IS NULL
),
others AS (
  SELECT invoice_id, project_id, SUM(weight) AS weight
  FROM known
  GROUP BY invoice_id, project_id
),
parts AS (
  SELECT bill_id, project_id, phase_id, task_meta_id, weight
  FROM known
  UNION ALL
  SELECT invoiced.bill_id, COALESCE(others.project_id, 0) AS project_id, 0 AS phase_id, NULL AS task_meta_id, COALESCE(others.weight, 0) AS weight
  FROM invoiced
  LEFT JOIN known ON known.bill_id = invoiced.bill_id
  LEFT JOIN others ON others.invoice_id = invoiced.invoice_id AND others.weight > 0
  WHERE known.bill_id IS NULL
),
running AS (
  SELECT
    parts.*,
    COUNT(*) OVER (PARTITION BY bill_id) AS part_count,
    ROW_NUMBER() OVER (PARTITION BY bill_id ORDER BY project_id) AS place,
    SUM(ABS(weight)) OVER (PARTITION BY bill_id ORDER BY project_id ROWS UNBOUNDED PRECEDING) AS weight_so_far,
    SUM(ABS(weight)) OVER (PARTITION BY bill_id) AS all_weights,
    SUM(weight) OVER (PARTITION BY bill_id) AS weight_sum
  FROM parts
)
SELECT
  pl_line_kind('invoice') AS kind,
  'i:' || CAST(invoiced.bill_id AS VARCHAR) || CASE WHEN running.part_count > 1 THEN ':' || CAST(running.project_id AS VARCHAR) ELSE '' END AS line_id,
  invoiced.date,
  running.project_id,
  running.phase_id,
  running.task_meta_id,
  invoiced.status,
  TRUE AS billable,
  CASE
    WHEN running.part_count = 1 THEN invoiced.amount
    WHEN running.weight_sum = invoiced.amount THEN running.weight
    WHEN running.all_weights = 0 THEN CASE WHEN running.place = 1 THEN invoiced.amount ELSE 0 END
    ELSE pl_money_of_units(
      pl_share_of_units(
        pl_money_units(invoiced.amount, invoiced.minor_units),
        pl_money_units(running.weight_so_far, invoiced.minor_units),
        pl_money_units(running.all_weights, invoiced.minor_units)
      )
        - pl_share_of_units(
          pl_money_units(invoiced.amount, invoiced.minor_units),
          pl_money_units(running.weight_so_far - ABS(running.weight), invoiced.minor_units),
          pl_money_units(running.all_weights, invoiced.minor_units)
        ),
      invoiced.minor_units
    )
  END AS amount
FROM invoiced
JOIN running ON running.bill_id = invoiced.bill_id
