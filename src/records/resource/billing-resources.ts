import { AUTHORS, type Fields, type Items, TIMES } from './field.ts';
import { defineResource } from './resource.ts';

/** The most records that an invoice line or a write-off names by one write. Unit: entries. */
const MAX_COVERS = 5000;

/** The records that an invoice line or a write-off covers: each one of logged time or an expense, with its part of the amount if that is given. */
const COVERED: Fields = {
  logged_time_id: { type: 'key' },
  project_expense_id: { type: 'id' },
  amount: { type: 'amount', isSigned: true },
  value: { type: 'amount', isSigned: true },
};

function coversIn(table: string): Items {
  return {
    table,
    shape: 'list',
    most: MAX_COVERS,
    fields: COVERED,
    constraints: [
      {
        broken: 'logged_time_id IS NULL AND project_expense_id IS NULL',
        reason: 'logged_time_id is missing, and so is project_expense_id: one of them is required',
      },
      {
        broken: 'logged_time_id IS NOT NULL AND project_expense_id IS NOT NULL',
        reason: 'logged_time_id is given beside project_expense_id, and only one of them can be',
      },
    ],
  };
}

/** Invoices as another program has written them; their lines are records of their own. */
export const invoices = defineResource({
  name: 'invoices',
  id: 'invoice_id',
  fields: {
    invoice_id: { type: 'id', required: true },
    number: { type: 'text' },
    client_id: { type: 'id', refers: 'clients' },
    issue_date: { type: 'date', required: true },
    due_date: { type: 'date' },
    paid_date: { type: 'date' },
    status: {
      type: 'word',
      words: { issued: 'it is owed, or paid', draft: 'it may still change', void: 'it counts nowhere' },
    },
    currency: { type: 'text' },
    ...AUTHORS,
    ...TIMES,
  },
  nested: { lines: 'invoice_lines' },
  served: { expanded: ['lines'] },
});

/** Lines of invoices, net of tax. An amount below 0 is a credit. */
export const invoiceLines = defineResource({
  name: 'invoice_lines',
  id: 'invoice_line_id',
  fields: {
    invoice_line_id: { type: 'id', required: true },
    invoice_id: { type: 'id', required: true, refers: 'invoices' },
    project_id: { type: 'id', refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    task_meta_id: { type: 'id', refers: 'project_tasks' },
    amount: { type: 'amount', required: true, isSigned: true },
    kind: {
      type: 'word',
      words: {
        other: 'anything else',
        time: 'hours of work',
        expense: 'expenses',
        fixed: 'a part of an agreed fee',
        retainer: 'a period of a retainer',
        discount: 'a discount on the invoice',
      },
    },
    name: { type: 'name' },
    credits: { type: 'id', refers: 'invoice_lines' },
    ...TIMES,
  },
  lists: { covers: coversIn('invoice_covers') },
});

/** Work that nobody will pay: an amount that is taken off, or added where it is below 0. */
export const writeOffs = defineResource({
  name: 'write_offs',
  id: 'write_off_id',
  fields: {
    write_off_id: { type: 'id', required: true },
    project_id: { type: 'id', required: true, refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    date: { type: 'date', required: true },
    amount: { type: 'amount', required: true, isSigned: true },
    reason: { type: 'name' },
    ...AUTHORS,
    ...TIMES,
  },
  lists: { covers: coversIn('write_off_covers') },
});
