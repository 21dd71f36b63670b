WITH lines AS (
  SELECT ledger.people_id AS key_person, pl_week_start(ledger.date, 1) AS key_interval, ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-02-15' AS is_to_date, ledger.hours, ledger.cost, ledger.fee, ledger.cost_rate_source
  FROM core.ledger AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.kind <> pl_line_kind('expense')
    AND ledger.kind <> pl_line_kind('revenue')
    AND ledger.kind <> pl_line_kind('invoice')
    AND ledger.kind <> pl_line_kind('write_off')
    AND ledger.role_id IN (1)
),
cells AS (
  SELECT key_person, key_interval, kind, status, is_billable, is_to_date,
    SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee, SUM(CASE WHEN cost_rate_source = 'none' THEN hours END) AS hours_without_cost_rate, SUM(CASE WHEN fee IS NULL THEN hours END) AS hours_without_bill_rate
  FROM lines GROUP BY key_person, key_interval, kind, status, is_billable, is_to_date
),
periods AS (
  SELECT pl_week_start(date, 1) AS key_interval, MIN(date) AS first_day, MAX(date) AS last_day
  FROM (SELECT pl_add_days(DATE '2026-01-01', series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(DATE '2026-01-01', DATE '2026-03-31'))) AS series (day)) AS days
  GROUP BY key_interval
),
members AS (SELECT DISTINCT member.people_id AS key_person, periods.key_interval, member.people_id FROM core.named_people AS member JOIN core.roster AS roster ON roster.people_id = member.people_id CROSS JOIN periods WHERE member.is_known AND roster.valid_from <= periods.last_day AND roster.valid_to > periods.first_day
    AND pl_has_common_weekday(roster.weekdays, pl_weekdays_between(
      GREATEST(roster.valid_from, periods.first_day), LEAST(pl_add_days(roster.valid_to, -1), periods.last_day))) AND member.role_id IN (1)),
crew AS (SELECT key_person, key_interval, people_id FROM members UNION SELECT key_person, key_interval, people_id FROM lines WHERE people_id IS NOT NULL),
row_keys AS (SELECT DISTINCT key_person, key_interval FROM cells UNION SELECT key_person, key_interval FROM members),
row_sums AS (
  SELECT key_person, key_interval, SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff" FROM cells) AS cells
  GROUP BY key_person, key_interval
),
total_sums AS (
  SELECT SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff" FROM cells) AS cells
),
people_capacity AS (
  SELECT people_id, key_interval, SUM(hours) AS capacity, SUM(hours_to_date) AS capacity_to_date, SUM(time_off_hours) AS time_off
  FROM (
    SELECT people_id, key_interval, week_hours[1] * ((pl_days_between(first_day, last_day) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, last_day) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, last_day) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, last_day) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, last_day) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, last_day) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, last_day) + 7 - (13 - weekday) % 7) // 7) AS hours,
      CASE WHEN first_day <= DATE '2026-02-15' THEN week_hours[1] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (13 - weekday) % 7) // 7) END AS hours_to_date, 0 AS time_off_hours
    FROM (
      SELECT *, pl_weekday(first_day) AS weekday
      FROM (
        SELECT spans.people_id, key_interval, week_hours, GREATEST(valid_from, first_day) AS first_day,
          LEAST(pl_add_days(capacity_to, -1), last_day) AS last_day
        FROM (SELECT DISTINCT crew.people_id, crew.key_interval, first_day, last_day
      FROM crew JOIN periods ON periods.key_interval IS NOT DISTINCT FROM crew.key_interval) AS spans
        JOIN core.work_hours AS work_hours ON work_hours.people_id = spans.people_id AND valid_from <= last_day AND capacity_to > first_day
      ) AS clipped
    ) AS worked
    UNION ALL
    SELECT days.people_id, pl_week_start(days.date, 1), -days.time_off_hours,
      CASE WHEN days.date <= DATE '2026-02-15' THEN -days.time_off_hours END, days.time_off_hours
    FROM core.time_off_days AS days
    JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    WHERE days.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND days.people_id IN (SELECT people_id FROM crew)
  ) AS hours
  GROUP BY people_id, key_interval
),
window_capacity AS (
  SELECT people_id, SUM(hours) AS capacity, SUM(hours_to_date) AS capacity_to_date, SUM(time_off_hours) AS time_off
  FROM (
    SELECT people_id, week_hours[1] * ((pl_days_between(first_day, last_day) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, last_day) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, last_day) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, last_day) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, last_day) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, last_day) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, last_day) + 7 - (13 - weekday) % 7) // 7) AS hours,
      CASE WHEN first_day <= DATE '2026-02-15' THEN week_hours[1] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (7 - weekday) % 7) // 7) + week_hours[2] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (8 - weekday) % 7) // 7) + week_hours[3] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (9 - weekday) % 7) // 7) + week_hours[4] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (10 - weekday) % 7) // 7) + week_hours[5] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (11 - weekday) % 7) // 7) + week_hours[6] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (12 - weekday) % 7) // 7) + week_hours[7] * ((pl_days_between(first_day, LEAST(last_day, DATE '2026-02-15')) + 7 - (13 - weekday) % 7) // 7) END AS hours_to_date, 0 AS time_off_hours
    FROM (
      SELECT *, pl_weekday(first_day) AS weekday
      FROM (
        SELECT spans.people_id, week_hours, GREATEST(valid_from, first_day) AS first_day,
          LEAST(pl_add_days(capacity_to, -1), last_day) AS last_day
        FROM (SELECT DISTINCT people_id, DATE '2026-01-01' AS first_day, DATE '2026-03-31' AS last_day FROM crew) AS spans
        JOIN core.work_hours AS work_hours ON work_hours.people_id = spans.people_id AND valid_from <= last_day AND capacity_to > first_day
      ) AS clipped
    ) AS worked
    UNION ALL
    SELECT days.people_id, -days.time_off_hours,
      CASE WHEN days.date <= DATE '2026-02-15' THEN -days.time_off_hours END, days.time_off_hours
    FROM core.time_off_days AS days
    JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    WHERE days.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND days.people_id IN (SELECT people_id FROM crew)
  ) AS hours
  GROUP BY people_id
),
row_capacity AS (
  SELECT crew.key_person, crew.key_interval, SUM(capacity) AS "capacity", SUM(capacity_to_date) AS "capacity_to_date", SUM(time_off) AS "time_off"
  FROM crew JOIN people_capacity ON people_capacity.people_id = crew.people_id AND people_capacity.key_interval IS NOT DISTINCT FROM crew.key_interval
  GROUP BY crew.key_person, crew.key_interval
),
total_capacity AS (
  SELECT SUM(capacity) AS "capacity", SUM(capacity_to_date) AS "capacity_to_date", SUM(time_off) AS "time_off"
  FROM window_capacity
),
row_worked_days AS (
    WITH able_days AS (
      SELECT days.*, week_hours
      FROM (
    SELECT key_person, key_interval, people_id, date, SUM(hours) AS scheduled_hours
    FROM lines WHERE kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) GROUP BY key_person, key_interval, people_id, date
  ) AS days
      JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    )
    SELECT *, time_off_hours AS time_off, capacity_hours AS capacity,
      CASE WHEN date <= DATE '2026-02-15' THEN capacity_hours END AS capacity_to_date
    FROM (
SELECT
  able_days.*,
  pl_hours_on(able_days.week_hours, able_days.date) AS work_hours,
  COALESCE(time_off_days.time_off_hours, 0) AS time_off_hours,
  pl_hours_on(able_days.week_hours, able_days.date) - COALESCE(time_off_days.time_off_hours, 0) AS capacity_hours
FROM able_days
LEFT JOIN core.time_off_days AS time_off_days ON time_off_days.people_id = able_days.people_id AND time_off_days.date = able_days.date

    ) AS capacity_days
  ),
row_overtime AS (
  SELECT key_person, key_interval, SUM(GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0)) AS "overtime", SUM(CASE WHEN date > DATE '2026-03-01' THEN GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) END) AS "future_overtime", SUM(LEAST(COALESCE(scheduled_hours, 0), capacity)) AS "covered"
  FROM row_worked_days
  GROUP BY key_person, key_interval
),
total_overtime AS (
  SELECT SUM(GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0)) AS "overtime", SUM(CASE WHEN date > DATE '2026-03-01' THEN GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) END) AS "future_overtime", SUM(LEAST(COALESCE(scheduled_hours, 0), capacity)) AS "covered"
  FROM row_worked_days
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_person AS "people_id", of_person.people_code AS "people_code", of_person.person AS "name", of_person.department_id AS "department_id", of_person.department AS "department", of_person.role_id AS "role_id", of_person.role AS "role", of_person.people_type_id AS "people_type_id", GREATEST(row_keys.key_interval, DATE '2026-01-01') AS "period_start", LEAST(CAST(row_keys.key_interval + INTERVAL 7 DAY - INTERVAL 1 DAY AS DATE), DATE '2026-03-31') AS "period_end", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, capacity, capacity_to_date, time_off, overtime, future_overtime, covered
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_person IS NOT DISTINCT FROM row_keys.key_person AND row_sums.key_interval IS NOT DISTINCT FROM row_keys.key_interval
    LEFT JOIN row_capacity ON row_capacity.key_person IS NOT DISTINCT FROM row_keys.key_person AND row_capacity.key_interval IS NOT DISTINCT FROM row_keys.key_interval
    LEFT JOIN row_overtime ON row_overtime.key_person IS NOT DISTINCT FROM row_keys.key_person AND row_overtime.key_interval IS NOT DISTINCT FROM row_keys.key_interval
    LEFT JOIN core.named_people AS of_person ON of_person.people_id = row_keys.key_person
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "people_id", NULL AS "people_code", NULL AS "name", NULL AS "department_id", NULL AS "department", NULL AS "role_id", NULL AS "role", NULL AS "people_type_id", NULL AS "period_start", NULL AS "period_end", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, capacity, capacity_to_date, time_off, overtime, future_overtime, covered
  FROM total_sums CROSS JOIN total_capacity CROSS JOIN total_overtime
),
amounts AS (SELECT *, COALESCE(scheduled__hours, 0) AS "scheduled_hours", COALESCE(scheduled_billable__hours, 0) AS "scheduled_billable_hours", COALESCE(scheduled_non_billable__hours, 0) AS "scheduled_non_billable_hours", COALESCE(tentative__hours, 0) AS "tentative_hours", COALESCE(scheduled_to_date__hours, 0) AS "scheduled_to_date_hours", COALESCE(actual__hours, 0) AS "actual_hours", COALESCE(actual_billable__hours, 0) AS "actual_billable_hours", COALESCE(actual_non_billable__hours, 0) AS "actual_non_billable_hours", COALESCE(actual__hours, 0) - COALESCE(scheduled_to_date__hours, 0) AS "variance_hours", COALESCE(actual__hours, 0) + COALESCE(scheduled_after_cutoff__hours, 0) AS "forecast_hours", CASE WHEN COALESCE(scheduled__cost) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__cost, 0) END AS "scheduled_cost", CASE WHEN COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__cost, 0) END AS "scheduled_to_date_cost", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__cost, 0) END AS "actual_cost", CASE WHEN COALESCE(actual__cost, scheduled_to_date__cost) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__cost, 0) - COALESCE(scheduled_to_date__cost, 0) END AS "variance_cost", CASE WHEN COALESCE(actual__cost, scheduled_after_cutoff__cost) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__cost, 0) + COALESCE(scheduled_after_cutoff__cost, 0) END AS "forecast_cost", COALESCE(scheduled__hours_without_cost_rate, 0) AS "scheduled_hours_without_cost_rate", COALESCE(actual__hours_without_cost_rate, 0) AS "actual_hours_without_cost_rate", CASE WHEN COALESCE(scheduled__fee) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__fee, 0) END AS "scheduled_fees", CASE WHEN COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__fee, 0) END AS "scheduled_to_date_fees", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__fee, 0) END AS "actual_fees", CASE WHEN COALESCE(actual__fee, scheduled_to_date__fee) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) - COALESCE(scheduled_to_date__fee, 0) END AS "variance_fees", CASE WHEN COALESCE(actual__fee, scheduled_after_cutoff__fee) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(scheduled_after_cutoff__fee, 0) END AS "forecast_fees", CASE WHEN COALESCE(tentative__fee) IS NULL AND (has_tentative) THEN NULL ELSE COALESCE(tentative__fee, 0) END AS "tentative_fees", COALESCE(scheduled__hours_without_bill_rate, 0) AS "scheduled_hours_without_bill_rate", COALESCE(actual__hours_without_bill_rate, 0) AS "actual_hours_without_bill_rate", COALESCE(capacity, 0) AS "capacity_hours", COALESCE(capacity_to_date, 0) AS "capacity_to_date_hours", COALESCE(time_off, 0) AS "time_off_hours", COALESCE(overtime, 0) AS "overtime_hours", COALESCE(capacity, 0) - COALESCE(covered, 0) AS "unscheduled_hours" FROM parts),
measures AS (SELECT *, pl_percent(variance_hours, scheduled_to_date_hours) AS "variance_hours_percent", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_cost, scheduled_to_date_cost) END AS "variance_cost_percent", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_fees, scheduled_to_date_fees) END AS "variance_fees_percent", pl_percent(scheduled_hours, capacity_hours) AS "scheduled_percent", pl_percent(actual_billable_hours, capacity_to_date_hours) AS "utilization_percent" FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "people_id", "people_code", "name", "department_id", "department", "role_id", "role", "people_type_id", "period_start", "period_end", "scheduled_hours", "scheduled_billable_hours", "scheduled_non_billable_hours", "tentative_hours", "scheduled_to_date_hours", "actual_hours", "actual_billable_hours", "actual_non_billable_hours", "variance_hours", "variance_hours_percent", "forecast_hours", "scheduled_cost", "scheduled_to_date_cost", "actual_cost", "variance_cost", "variance_cost_percent", "forecast_cost", "scheduled_hours_without_cost_rate", "actual_hours_without_cost_rate", "scheduled_fees", "scheduled_to_date_fees", "actual_fees", "variance_fees", "variance_fees_percent", "forecast_fees", "tentative_fees", "scheduled_hours_without_bill_rate", "actual_hours_without_bill_rate", "capacity_hours", "capacity_to_date_hours", "time_off_hours", "overtime_hours", "unscheduled_hours", "scheduled_percent", "utilization_percent"
FROM measures
ORDER BY is_total, "actual_hours" DESC NULLS LAST, "name" COLLATE en NULLS LAST, "name" NULLS LAST, "name" COLLATE en NULLS LAST, "name" NULLS LAST, "people_id" NULLS LAST, "period_start" NULLS LAST;

WITH people AS (
  SELECT SUM(hours) AS hours_by_person, SUM(cost) AS cost_by_person, SUM(fee) AS fee_by_person
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND ledger.role_id IN (1) GROUP BY people_id) AS groups
),
projects AS (
  SELECT SUM(hours) AS hours_by_project, SUM(cost) AS cost_by_project, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee_by_project, SUM(fee_rounded_off) AS fee_rounded_off
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee, SUM(fee_rounded_off) AS fee_rounded_off FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND ledger.role_id IN (1) GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('actual')),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
expenses AS (
  SELECT SUM(cost) AS expense_cost, SUM(unrounded_cost) AS exact_expense_cost, SUM(fee) AS expense_fee, SUM(unrounded_fee) AS exact_expense_fee
  FROM core.expenses WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND project_expense_id IN (SELECT project_expense_id FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('expense') AND ledger.role_id IN (1))
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses;

SELECT SUM(CASE WHEN kind = 'actual' AND is_to_date AND is_billable THEN hours END) AS hours_0,
       CAST(COUNT(DISTINCT CASE WHEN kind = 'actual' AND is_to_date AND is_billable THEN people_id END) AS INTEGER) AS people_0
       FROM (
         SELECT *, billable AS is_billable, date <= DATE '2026-02-15' AS is_to_date FROM core.ledger
       ) AS lines
       WHERE kind = pl_line_kind('actual') AND lines.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND status <> pl_line_status('canceled') AND lines.role_id IN (1) AND lines.people_id NOT IN (
        SELECT people_id FROM core.work_hours
        WHERE valid_from <= LEAST(DATE '2026-03-31', DATE '2026-02-15') AND capacity_to > DATE '2026-01-01' AND work_weekdays <> 0
      );

SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM core.ledger
     WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) AND date >= (SELECT COALESCE(MAX(month), DATE '1970-01-01') FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')));
