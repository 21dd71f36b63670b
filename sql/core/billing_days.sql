-- One row per project, phase, project task, day of work (item_date) and day on which something changes (date): what is done there and not billed, and what bills
-- and work differ by. A balance of a day is a sum over all rows up to it (M3, M5).
-- stored: table at rest
-- Amount unbilled: revenue of billable work of contracts of time, and capped ones, on its own day, less that of what a bill covers, from its day on.
-- Amount undecided: the same of fees. Amount decided: fees of what is covered, of whatever contract. Amount covered: the amounts of invoices that cover it.
-- Amount difference: the value of what is covered, less the amounts of the bills that cover it. Amount changed: what has become of that value since (N2).
-- Work that is credited whole is unbilled again (N1). Without any cover in the company there is no row: no bill names its work.
-- A project that shares its contract with others has an empty row more, so that they are known to be there.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH asked AS (
  SELECT DISTINCT pl_line_kind('actual') AS kind
  FROM staging.covers
  UNION ALL
  SELECT DISTINCT pl_line_kind('expense') AS kind
  FROM staging.covers
),
work AS (
  SELECT lines.project_id, lines.phase_id, lines.task_meta_id, lines.date, SUM(lines.earned_fee) AS earned_fee, SUM(lines.fee) AS fee
  FROM asked
  JOIN core.earning_lines AS lines ON lines.kind = asked.kind
  WHERE lines.billable AND lines.contract IN ('time', 'capped')
  GROUP BY lines.project_id, lines.phase_id, lines.task_meta_id, lines.date
),
firm AS (
  SELECT *
  FROM core.covers
  WHERE status = pl_line_status('confirmed')
),
covering AS (
  SELECT
    firm.*,
    ROW_NUMBER() OVER (PARTITION BY line_id ORDER BY date, bill_kind, bill_id) AS place
  FROM firm
  WHERE NOT is_credit
),
steps AS (
  SELECT line_id, date, SUM(step) AS step
  FROM (
    SELECT line_id, date, 1 AS step
    FROM covering
    UNION ALL
    SELECT line_id, freed_on AS date, -1 AS step
    FROM covering
    WHERE freed_on IS NOT NULL
  ) AS all_steps
  GROUP BY line_id, date
),
counted AS (
  SELECT line_id, date, step, SUM(step) OVER (PARTITION BY line_id ORDER BY date ROWS UNBOUNDED PRECEDING) AS live
  FROM steps
),
turns AS (
  SELECT
    counted.date,
    CASE WHEN counted.date > items.item_date THEN counted.date ELSE items.item_date END AS later_date,
    CASE WHEN counted.live > 0 THEN 1 ELSE -1 END AS sign,
    items.item_date,
    items.project_id,
    items.phase_id,
    items.task_meta_id,
    items.item_project_id,
    items.item_phase_id,
    items.item_task_meta_id,
    items.contract IN ('time', 'capped') AS is_of_time,
    items.is_there AND items.billable AND items.contract IN ('time', 'capped') AS is_open,
    items.fee,
    items.earned_fee,
    items.item_value
  FROM counted
  JOIN covering AS items ON items.line_id = counted.line_id AND items.place = 1
  WHERE (counted.live > 0 AND counted.live - counted.step <= 0) OR (counted.live <= 0 AND counted.live - counted.step > 0)
),
changes AS (
  SELECT
    project_id, phase_id, task_meta_id, date AS item_date, date, earned_fee AS unbilled, fee AS undecided, 0 AS decided, 0 AS covered, 0 AS difference,
    0 AS changed
  FROM work
  UNION ALL
  SELECT
    item_project_id AS project_id, item_phase_id AS phase_id, item_task_meta_id AS task_meta_id, item_date, later_date AS date,
    -sign * earned_fee AS unbilled, -sign * fee AS undecided, 0 AS decided, 0 AS covered, 0 AS difference, sign * earned_fee AS changed
  FROM turns
  WHERE is_open
  UNION ALL
  SELECT
    project_id, phase_id, task_meta_id, item_date, date, 0 AS unbilled, 0 AS undecided, sign * fee AS decided, 0 AS covered,
    CASE WHEN is_of_time THEN sign * item_value ELSE 0 END AS difference, CASE WHEN is_of_time THEN -sign * item_value ELSE 0 END AS changed
  FROM turns
  UNION ALL
  SELECT
    project_id, phase_id, task_meta_id, item_date, date, 0 AS unbilled, 0 AS undecided, 0 AS decided,
    CASE WHEN bill_kind = 'invoice' THEN amount ELSE 0 END AS covered, CASE WHEN contract IN ('time', 'capped') THEN -amount ELSE 0 END AS difference,
    0 AS changed
  FROM firm
  UNION ALL
  SELECT
    named_projects.project_id, 0 AS phase_id, NULL AS task_meta_id, pl_first_day() AS item_date, pl_first_day() AS date, 0 AS unbilled, 0 AS undecided,
    0 AS decided, 0 AS covered, 0 AS difference, 0 AS changed
  FROM core.named_projects
  WHERE contract_id IS NOT NULL
)
SELECT
  project_id,
  phase_id,
  task_meta_id,
  item_date,
  date,
  CAST(SUM(unbilled) AS DECIMAL(38, 4)) AS unbilled,
  CAST(SUM(undecided) AS DECIMAL(38, 4)) AS undecided,
  CAST(SUM(decided) AS DECIMAL(38, 4)) AS decided,
  CAST(SUM(covered) AS DECIMAL(38, 4)) AS covered,
  CAST(SUM(difference) AS DECIMAL(38, 4)) AS difference,
  CAST(SUM(changed) AS DECIMAL(38, 4)) AS changed
FROM changes
GROUP BY project_id, phase_id, task_meta_id, item_date, date
