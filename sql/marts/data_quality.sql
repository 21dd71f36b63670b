-- One row per finding of something odd in the data. Findings don't change any number.
-- stored: table at rest
-- part: findings
-- hides: amount_at_risk
SELECT 'unknown_reference' AS "check", unknown_reference.*
FROM quality.unknown_reference
UNION ALL
SELECT 'part_of_another_project' AS "check", part_of_another_project.*
FROM quality.part_of_another_project
UNION ALL
SELECT 'hours_without_cost_rate' AS "check", hours_without_cost_rate.*
FROM quality.hours_without_cost_rate
UNION ALL
SELECT 'hours_without_bill_rate' AS "check", hours_without_bill_rate.*
FROM quality.hours_without_bill_rate
UNION ALL
SELECT 'allocation_without_days' AS "check", allocation_without_days.*
FROM quality.allocation_without_days
UNION ALL
SELECT 'work_outside_employment' AS "check", work_outside_employment.*
FROM quality.work_outside_employment
UNION ALL
SELECT 'planned_for_archived' AS "check", planned_for_archived.*
FROM quality.planned_for_archived
UNION ALL
SELECT 'repeat_without_end' AS "check", repeat_without_end.*
FROM quality.repeat_without_end
UNION ALL
SELECT 'allocation_outside_phase' AS "check", allocation_outside_phase.*
FROM quality.allocation_outside_phase
UNION ALL
SELECT 'time_on_canceled_project' AS "check", time_on_canceled_project.*
FROM quality.time_on_canceled_project
UNION ALL
SELECT 'billable_expense_on_non_billable_project' AS "check", billable_expense_on_non_billable_project.*
FROM quality.billable_expense_on_non_billable_project
UNION ALL
SELECT 'markup_on_non_billable_expense' AS "check", markup_on_non_billable_expense.*
FROM quality.markup_on_non_billable_expense
UNION ALL
SELECT 'credit' AS "check", credit.*
FROM quality.credit
UNION ALL
SELECT 'progress_without_place' AS "check", progress_without_place.*
FROM quality.progress_without_place
UNION ALL
SELECT 'phase_budgets_differ_from_project' AS "check", phase_budgets_differ_from_project.*
FROM quality.phase_budgets_differ_from_project
UNION ALL
SELECT 'more_than_24_hours_in_a_day' AS "check", more_than_24_hours_in_a_day.*
FROM quality.more_than_24_hours_in_a_day
UNION ALL
SELECT 'duplicate_code' AS "check", duplicate_code.*
FROM quality.duplicate_code
UNION ALL
SELECT 'contract_before_start' AS "check", contract_before_start.*
FROM quality.contract_before_start
UNION ALL
SELECT 'rate_never_used' AS "check", rate_never_used.*
FROM quality.rate_never_used
UNION ALL
SELECT 'logged_in_future' AS "check", logged_in_future.*
FROM quality.logged_in_future
UNION ALL
SELECT 'logged_outside_project' AS "check", logged_outside_project.*
FROM quality.logged_outside_project
UNION ALL
SELECT 'allocation_outside_project' AS "check", allocation_outside_project.*
FROM quality.allocation_outside_project
UNION ALL
SELECT 'time_on_canceled_phase' AS "check", time_on_canceled_phase.*
FROM quality.time_on_canceled_phase
UNION ALL
SELECT 'more_than_24_hours_planned' AS "check", more_than_24_hours_planned.*
FROM quality.more_than_24_hours_planned
UNION ALL
SELECT 'same_record_twice' AS "check", same_record_twice.*
FROM quality.same_record_twice
UNION ALL
SELECT 'time_off_without_hours' AS "check", time_off_without_hours.*
FROM quality.time_off_without_hours
UNION ALL
SELECT 'contract_without_place' AS "check", contract_without_place.*
FROM quality.contract_without_place
UNION ALL
SELECT 'retainer_beside_agreed_fee' AS "check", retainer_beside_agreed_fee.*
FROM quality.retainer_beside_agreed_fee
UNION ALL
SELECT 'contract_without_amount' AS "check", contract_without_amount.*
FROM quality.contract_without_amount
UNION ALL
SELECT 'contract_of_non_billable' AS "check", contract_of_non_billable.*
FROM quality.contract_of_non_billable
UNION ALL
SELECT 'recognised_by_progress' AS "check", recognised_by_progress.*
FROM quality.recognised_by_progress
UNION ALL
SELECT 'agreed_fee_without_days' AS "check", agreed_fee_without_days.*
FROM quality.agreed_fee_without_days
UNION ALL
SELECT 'end_date_may_be_computed' AS "check", end_date_may_be_computed.*
FROM quality.end_date_may_be_computed
UNION ALL
SELECT 'billed_twice' AS "check", billed_twice.*
FROM quality.billed_twice
UNION ALL
SELECT 'billed_non_billable' AS "check", billed_non_billable.*
FROM quality.billed_non_billable
UNION ALL
SELECT 'invoiced_beyond_fee' AS "check", invoiced_beyond_fee.*
FROM quality.invoiced_beyond_fee
UNION ALL
SELECT 'invoiced_below_value' AS "check", invoiced_below_value.*
FROM quality.invoiced_below_value
UNION ALL
SELECT 'changed_after_billing' AS "check", changed_after_billing.*
FROM quality.changed_after_billing
UNION ALL
SELECT 'covers_nothing' AS "check", covers_nothing.*
FROM quality.covers_nothing
UNION ALL
SELECT 'covers_differ' AS "check", covers_differ.*
FROM quality.covers_differ
UNION ALL
SELECT 'covers_other_project' AS "check", covers_other_project.*
FROM quality.covers_other_project
UNION ALL
SELECT 'credited_beyond' AS "check", credited_beyond.*
FROM quality.credited_beyond
UNION ALL
SELECT 'invoice_overdue' AS "check", invoice_overdue.*
FROM quality.invoice_overdue
UNION ALL
SELECT 'invoice_in_other_currency' AS "check", invoice_in_other_currency.*
FROM quality.invoice_in_other_currency
UNION ALL
SELECT 'unbilled_over_90' AS "check", unbilled_over_90.*
FROM quality.unbilled_over_90
UNION ALL
SELECT 'rejected_record' AS "check", rejected_record.*
FROM quality.rejected_record
