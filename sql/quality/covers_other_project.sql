-- One row per invoice line or write-off, and record of another project that it covers (N2). The cover counts in the project of the bill, the work in its own.
-- says: bills that cover work of another project
-- remedy: Move the work to the project of the bill, or the bill to that of the work.
SELECT
  'warning' AS severity,
  CASE covers.bill_kind WHEN 'invoice' THEN 'invoice_lines' ELSE 'write_offs' END AS resource,
  CAST(covers.bill_id AS VARCHAR) AS id,
  covers.date AS date,
  'covers ' || covers.line_id || ' of project ' || CAST(covers.item_project_id AS VARCHAR) AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(covers.amount AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  covers.project_id AS project_id
FROM core.covers
WHERE NOT covers.is_credit AND covers.is_there AND covers.item_project_id <> covers.project_id AND covers.status = pl_line_status('confirmed')
