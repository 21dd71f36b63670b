-- One row per project, phase and closing: what has become of the position of its days since it was closed, beyond what had become of it by the closing before.
-- Parameters: booked_chain, booked_kept and booked_today, as of facts/booked_spans, with what is billed and written off (billed).
-- All of it stands on the last day of the closing (date): so the sum up to a day is today's position of all days up to the latest closing before that day, less
-- what this closing has kept of it.
WITH stated AS (
  SELECT place, project_id, phase_id, COALESCE(billed, 0) - COALESCE(revenue, 0) AS position
  FROM booked_kept
  UNION ALL
  SELECT booked_chain.place, project_id, phase_id, COALESCE(revenue, 0) - COALESCE(billed, 0) AS position
  FROM booked_today
  JOIN booked_chain ON booked_today.date <= booked_chain.end_date
),
steps AS (
  SELECT place, project_id, phase_id, position
  FROM stated
  UNION ALL
  SELECT place + 1 AS place, project_id, phase_id, -position
  FROM stated
)
SELECT steps.project_id, steps.phase_id, booked_chain.end_date AS date, SUM(steps.position) AS restated
FROM steps
JOIN booked_chain ON booked_chain.place = steps.place
GROUP BY steps.project_id, steps.phase_id, booked_chain.end_date
HAVING SUM(steps.position) <> 0
