-- One row per finding: something in the data that is odd. Nothing here is left out of the numbers.
-- Stored as a table where nothing is written.
SELECT 'unknown_reference' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.unknown_reference
UNION ALL
SELECT 'hours_without_cost_rate' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.hours_without_cost_rate
UNION ALL
SELECT 'hours_without_bill_rate' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.hours_without_bill_rate
UNION ALL
SELECT 'allocation_without_days' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.allocation_without_days
UNION ALL
SELECT 'work_outside_employment' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.work_outside_employment
UNION ALL
SELECT 'repeat_without_end' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.repeat_without_end
UNION ALL
SELECT 'allocation_outside_phase' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.allocation_outside_phase
UNION ALL
SELECT 'time_on_canceled_project' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.time_on_canceled_project
UNION ALL
SELECT 'billable_expense_on_non_billable_project' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.billable_expense_on_non_billable_project
UNION ALL
SELECT 'markup_on_non_billable_expense' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.markup_on_non_billable_expense
UNION ALL
SELECT 'phase_budgets_differ_from_project' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.phase_budgets_differ_from_project
UNION ALL
SELECT 'more_than_24_hours_in_a_day' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.more_than_24_hours_in_a_day
UNION ALL
SELECT 'duplicate_code' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.duplicate_code
UNION ALL
SELECT 'contract_before_start' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.contract_before_start
UNION ALL
SELECT 'rejected_record' AS "check", severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id
FROM quality.rejected_record
