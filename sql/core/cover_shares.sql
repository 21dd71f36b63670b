-- One row per invoice line or write-off, and record that it covers: the part of its amount that falls on the record (M4), in units of the currency. Covers of
-- credits are in core.covers.
-- An amount that isn't given is spread by the value of the records: that which a cover has kept, else what the record earns today, its fee where a contract earns on days
-- of its own (N2). By hours where all values are 0, and in equal parts where all hours are. Rounded cumulatively, in the order date, line_id.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
WITH items AS (
  SELECT 'a:' || lines.logged_time_id AS line_id, lines.*
  FROM (SELECT DISTINCT logged_time_id FROM staging.covers WHERE logged_time_id IS NOT NULL) AS named
  JOIN core.earning_lines AS lines ON lines.logged_time_id = named.logged_time_id
  UNION ALL
  SELECT 'e:' || CAST(lines.project_expense_id AS VARCHAR) AS line_id, lines.*
  FROM (SELECT DISTINCT project_expense_id FROM staging.covers WHERE project_expense_id IS NOT NULL) AS named
  JOIN core.earning_lines AS lines ON lines.project_expense_id = named.project_expense_id
),
named AS (
  SELECT
    covers.bill_kind,
    covers.bill_id,
    COALESCE('a:' || covers.logged_time_id, 'e:' || CAST(covers.project_expense_id AS VARCHAR)) AS line_id,
    pl_money_units(pl_round_money(covers.given_amount, bills.minor_units), bills.minor_units) AS given_units,
    covers.given_value,
    bills.invoice_id,
    bills.date,
    bills.status,
    bills.minor_units,
    pl_money_units(bills.amount, bills.minor_units) AS bill_units,
    bills.project_id,
    bills.phase_id,
    bills.task_meta_id,
    bills.credits
  FROM staging.covers
  JOIN core.bills ON bills.bill_kind = covers.bill_kind AND bills.bill_id = covers.bill_id
),
valued AS (
  SELECT
    named.*,
    items.line_id IS NOT NULL AS is_there,
    items.date AS item_date,
    items.project_id AS item_project_id,
    items.phase_id AS item_phase_id,
    items.task_meta_id AS item_task_meta_id,
    items.contract,
    items.billable,
    COALESCE(items.hours, 0) AS hours,
    COALESCE(items.fee, 0) AS fee,
    COALESCE(items.earned_fee, 0) AS earned_fee,
    pl_round_money(
      COALESCE(named.given_value, CASE WHEN items.contract IN ('time', 'capped') THEN items.earned_fee ELSE items.fee END, 0), named.minor_units
    ) AS item_value
  FROM named
  LEFT JOIN items ON items.line_id = named.line_id
  WHERE NOT (named.bill_kind = 'invoice' AND named.credits IS NOT NULL AND named.bill_units < 0)
),
weighed AS (
  SELECT
    valued.*,
    pl_money_units(item_value, minor_units) AS value_units,
    pl_hour_units(hours) AS hour_units,
    SUM(CASE WHEN given_units IS NULL THEN pl_money_units(item_value, minor_units) ELSE 0 END) OVER (PARTITION BY bill_kind, bill_id) AS all_values,
    SUM(CASE WHEN given_units IS NULL THEN pl_hour_units(hours) ELSE 0 END) OVER (PARTITION BY bill_kind, bill_id) AS all_hours,
    bill_units - SUM(COALESCE(given_units, 0)) OVER (PARTITION BY bill_kind, bill_id) AS left_units
  FROM valued
),
weights AS (
  SELECT
    weighed.*,
    CASE
      WHEN given_units IS NOT NULL THEN 0
      WHEN all_values > 0 THEN value_units
      WHEN all_values < 0 THEN -value_units
      WHEN all_hours > 0 THEN hour_units
      ELSE 1
    END AS weight
  FROM weighed
),
running AS (
  SELECT
    weights.*,
    SUM(weight) OVER (PARTITION BY bill_kind, bill_id ORDER BY item_date, line_id ROWS UNBOUNDED PRECEDING) AS weight_so_far,
    SUM(weight) OVER (PARTITION BY bill_kind, bill_id) AS all_weights
  FROM weights
)
SELECT
  bill_kind,
  bill_id,
  invoice_id,
  date,
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
    COALESCE(
      given_units,
      CASE
        WHEN weight_so_far < 0 THEN -pl_share_of_units(left_units, -weight_so_far, all_weights)
        ELSE pl_share_of_units(left_units, weight_so_far, all_weights)
      END
        - CASE
          WHEN weight_so_far < weight THEN -pl_share_of_units(left_units, weight - weight_so_far, all_weights)
          ELSE pl_share_of_units(left_units, weight_so_far - weight, all_weights)
        END
    ) AS BIGINT
  ) AS units
FROM running
