import { billRates, ENDS_AFTER_START, type Fields, TIMES } from './field.ts';
import { defineResource } from './resource.ts';

/** A contract: the role and rates of a person from a date on (R1). */
const contract: Fields = {
  effective_date: { type: 'date' },
  role_id: { type: 'id', refers: 'roles' },
  role_name: { type: 'name' },
  cost_rate: { type: 'rate' },
  cost_rate_from: { type: 'text' },
};

/** The people of the company: employees, contractors and placeholders. */
export const people = defineResource({
  name: 'people',
  id: 'people_id',
  fields: {
    people_id: { type: 'id', required: true },
    name: { type: 'name' },
    people_code: { type: 'text' },
    email: { type: 'text' },
    job_title: { type: 'name' },
    department_id: { type: 'id', from: ['department_id', 'department.department_id'], refers: 'departments' },
    department_name: { type: 'name', from: ['department.name'] },
    role_id: { type: 'id', refers: 'roles' },
    region_id: { type: 'id' },
    work_days_hours: { type: 'week' },
    contractor: { type: 'boolean' },
    people_type_id: {
      type: 'integer',
      codes: { 1: 'employee', 2: 'contractor', 3: 'placeholder', 4: 'role placeholder' },
    },
    start_date: { type: 'date' },
    end_date: { type: 'date' },
    active: { type: 'boolean' },
    default_hourly_rate: { type: 'rate' },
    cost_rate: { type: 'rate' },
    effective_date: { type: 'date' },
    notes: { type: 'name' },
    avatar_file: { type: 'text' },
    auto_email: { type: 'integer' },
    employee_type: { type: 'integer' },
    ...TIMES,
  },
  constraints: [ENDS_AFTER_START],
  lists: {
    contracts: { table: 'contracts', shape: 'list', fields: contract },
    bill_rate_history: billRates('person_bill_rates'),
    tags: { table: 'people_tags', shape: 'list', fields: { tag: { type: 'tag', required: true, from: ['$'] } } },
    work_days_hours_history: {
      table: 'work_days_hours_history',
      shape: 'entries',
      fields: {
        effective_date: { type: 'date', required: true },
        work_days_hours: { type: 'week', required: true, from: ['$'] },
      },
    },
  },
  served: {
    defaults: { active: true, people_type_id: 1, contractor: false },
    required: ['name'],
    unshown: ['cost_rate', 'effective_date', 'department_name'],
    computed: ['department_name'],
    expanded: ['contracts', 'bill_rate_history'],
    counted: ['current_hourly_rate'],
    code: 'people_code',
    needsRates: ['cost_rate'],
  },
});
