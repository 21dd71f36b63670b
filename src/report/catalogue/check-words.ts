/** A check of data quality in words: what it finds, and what to do. */
interface CheckWords {
  readonly what: string;
  readonly remedy: string;
}

export const CHECK_WORDS: Readonly<Record<string, CheckWords>> = {
  hours_without_cost_rate: {
    what: 'no cost rate',
    remedy: 'Give the person a contract with a cost rate from that day, or the role a cost rate.',
  },
  hours_without_bill_rate: {
    what: 'no bill rate',
    remedy: 'Give the person, the role, the phase or the project a bill rate.',
  },
  rejected_record: {
    what: 'invalid records that were set aside',
    remedy: 'Correct them in the source; Data quality names field and reason.',
  },
  more_than_24_hours_in_a_day: {
    what: 'more than 24 hours logged in a day',
    remedy: 'Correct the hours or the dates of the logged time.',
  },
  unknown_reference: {
    what: 'references to records that do not exist',
    remedy: 'Restore what was deleted, or point the records elsewhere.',
  },
  allocation_without_days: {
    what: 'allocations without a working day',
    remedy: 'Move them, or mend the work hours or time off of the person.',
  },
  work_outside_employment: {
    what: 'time logged outside the employment',
    remedy: 'Correct the dates of the time or of the employment.',
  },
  repeat_without_end: {
    what: 'repeats without an end',
    remedy: 'Give each repeat or its project an end date.',
  },
  allocation_outside_phase: {
    what: 'scheduled days outside the phase',
    remedy: 'Move the allocations, or the dates of their phase.',
  },
  time_on_canceled_project: {
    what: 'time logged on canceled projects',
    remedy: 'Move the time to another project, or reopen this one.',
  },
  billable_expense_on_non_billable_project: {
    what: 'billable expenses on projects that are not billable',
    remedy: 'Make the project billable, or the expense not.',
  },
  markup_on_non_billable_expense: {
    what: 'markups on expenses that are not billable',
    remedy: 'Remove the markup, or make the expense billable.',
  },
  credit: {
    what: 'projects whose credits exceed their other expenses',
    remedy: 'Correct the sign, the amount or the project of the credit, or load the expense that it refunds.',
  },
  phase_budgets_differ_from_project: {
    what: 'budgets that differ from the sum of their phases',
    remedy: 'Correct the budget of the project or of a phase; the phases count.',
  },
  logged_in_future: {
    what: 'time logged in the future',
    remedy: 'Correct the date, often its year; reports count the time once the cutoff reaches it.',
  },
  logged_outside_project: {
    what: 'time logged outside the dates of its project',
    remedy: 'Correct the date or the project of the time, or the dates of the project.',
  },
  allocation_outside_project: {
    what: 'scheduled days outside the project',
    remedy: 'Move the allocations, or the dates of their project.',
  },
  time_on_canceled_phase: {
    what: 'time logged on canceled phases',
    remedy: 'Move the time to another phase, or reopen this one.',
  },
  more_than_24_hours_planned: {
    what: 'more than 24 hours planned for a day',
    remedy: 'Remove what is planned twice, or move it.',
  },
  same_record_twice: {
    what: 'time logged twice, record by record the same',
    remedy: 'Delete the second record, or note what tells them apart.',
  },
  time_off_without_hours: {
    what: 'time off that takes no hours',
    remedy: 'Give it hours, or make it full days.',
  },
  duplicate_code: { what: 'codes used more than once', remedy: 'Give each project and person its own code.' },
  part_of_another_project: {
    what: 'phases and project tasks of another project',
    remedy: 'Name a part of the same project in the record, or move the part.',
  },
  planned_for_archived: {
    what: 'hours planned for archived people',
    remedy: 'Plan somebody else, or give the person an end date or make it active.',
  },
  contract_before_start: {
    what: 'contracts from before the start of the employment',
    remedy: 'Correct the date of the contract or of the start.',
  },
};

/** Describes a check; by its name if it is unknown. */
export function describeCheck(check: string): CheckWords {
  return CHECK_WORDS[check] ?? { what: check.replaceAll('_', ' '), remedy: 'See Data quality.' };
}

/** The remedy of a finding about a person without a record, who can't be given a rate. */
const UNKNOWN_PERSON = 'Restore the record of the person, or correct the id in the records of the work.';

/** Returns what to do about a cause. */
export function remedyOf({ check, is_known }: { readonly check: string; readonly is_known: boolean }): string {
  return is_known ? describeCheck(check).remedy : UNKNOWN_PERSON;
}
