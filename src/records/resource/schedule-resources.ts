import { AUTHORS, ENDS_AFTER_START, type Field, type Items, REPEAT_STATES, STATUSES, TIMES } from './field.ts';
import { defineResource } from './resource.ts';

const repeatState: Field = { type: 'integer', codes: REPEAT_STATES };

const repeatEndsAfterStart = {
  broken: 'repeat_end_date < start_date',
  reason: 'repeat_end_date is before start_date',
};

const personIsNamed = {
  broken: 'people_id IS NULL AND NOT has_people_ids',
  reason: 'people_id is missing, and people_ids is empty',
};

const peopleIds = (table: string): Items => ({
  table,
  shape: 'list',
  fields: { people_id: { type: 'id', required: true, from: ['$'], refers: 'people' } },
});

/** Allocations: planned hours a day of people on a project. The service calls them tasks. */
export const tasks = defineResource({
  name: 'tasks',
  id: 'task_id',
  fields: {
    task_id: { type: 'id', required: true },
    project_id: { type: 'id', required: true, refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    people_id: { type: 'id', refers: 'people' },
    start_date: { type: 'date', required: true },
    end_date: { type: 'date', required: true },
    hours: { type: 'hours', required: true },
    name: { type: 'name' },
    repeat_state: repeatState,
    repeat_end_date: { type: 'date' },
    status: { type: 'integer', codes: STATUSES },
    billable: { type: 'boolean' },
    task_meta_id: { type: 'id', refers: 'project_tasks' },
    notes: { type: 'name' },
    priority: { type: 'integer' },
    start_time: { type: 'text' },
    root_task_id: { type: 'id' },
    ...AUTHORS,
    ...TIMES,
  },
  constraints: [ENDS_AFTER_START, repeatEndsAfterStart, personIsNamed],
  lists: { people_ids: peopleIds('task_people') },
  served: {
    defaults: { status: 2, repeat_state: 0, billable: true, name: '' },
    decimalStrings: ['hours'],
    liveDecimals: { hours: 'number' },
  },
});

/** The types of time off. A load adds types that only time off names. */
export const timeoffTypes = defineResource({
  name: 'timeoff_types',
  id: 'timeoff_type_id',
  fields: {
    timeoff_type_id: { type: 'id', required: true, from: ['timeoff_type_id', 'id'] },
    timeoff_type_name: { type: 'name', from: ['timeoff_type_name', 'name'] },
    color: { type: 'color' },
    active: { type: 'boolean' },
    approval_required: { type: 'boolean' },
    ...AUTHORS,
    ...TIMES,
  },
  served: { required: ['timeoff_type_name'], defaults: { active: true, approval_required: false } },
});

export const timeoffs = defineResource({
  name: 'timeoffs',
  id: 'timeoff_id',
  fields: {
    timeoff_id: { type: 'id', required: true },
    people_id: { type: 'id', refers: 'people' },
    timeoff_type_id: { type: 'id', refers: 'timeoff_types' },
    timeoff_type_name: { type: 'name' },
    start_date: { type: 'date', required: true },
    end_date: { type: 'date', required: true },
    hours: { type: 'hours' },
    full_day: { type: 'boolean' },
    repeat_state: repeatState,
    repeat_end_date: { type: 'date', from: ['repeat_end_date', 'repeat_end'] },
    status: { type: 'integer', codes: { 1: 'tentative', 2: 'confirmed', 3: 'declined' } },
    timeoff_notes: { type: 'name', from: ['timeoff_notes', 'notes'] },
    start_time: { type: 'text' },
    status_creator_id: { type: 'id' },
    ...AUTHORS,
    ...TIMES,
  },
  constraints: [ENDS_AFTER_START, repeatEndsAfterStart, personIsNamed],
  lists: { people_ids: peopleIds('timeoff_people') },
  served: {
    defaults: { status: 2, repeat_state: 0 },
    computed: ['timeoff_type_name'],
    aliases: { repeat_end: 'repeat_end_date' },
  },
});

/** Holidays of everyone, or of a region (D4). `region` is an id, or an object that holds one. */
export const holidays = defineResource({
  name: 'holidays',
  id: 'holiday_id',
  fields: {
    holiday_id: { type: 'id', required: true, from: ['holiday_id', 'id'] },
    name: { type: 'name' },
    date: { type: 'date' },
    end_date: { type: 'date' },
    region_id: { type: 'id', from: ['region_id', 'region.region_id', 'region.id', 'region'] },
    region_name: { type: 'name', from: ['region_name', 'region.name'] },
    ...TIMES,
  },
  constraints: [
    { broken: 'end_date < date', reason: 'end_date is before date' },
    { broken: 'date IS NULL AND NOT has_dates', reason: 'date is missing, and dates is empty' },
  ],
  lists: {
    dates: {
      table: 'holiday_dates',
      shape: 'list',
      fields: { date: { type: 'date', required: true, from: ['$'] } },
    },
  },
  served: { required: ['name'] },
});

/** The workplaces of people on some days: home, travel, office. */
export const statuses = defineResource({
  name: 'status',
  id: 'status_id',
  fields: {
    status_id: { type: 'id', required: true },
    people_id: { type: 'id', required: true, refers: 'people' },
    status_type_id: { type: 'integer', codes: { 1: 'home', 2: 'travel', 3: 'custom', 4: 'office' } },
    status_name: { type: 'name' },
    start_date: { type: 'date', required: true },
    end_date: { type: 'date' },
    repeat_state: repeatState,
    repeat_end_date: { type: 'date' },
    ...TIMES,
  },
  constraints: [ENDS_AFTER_START, repeatEndsAfterStart],
  served: { required: ['status_type_id'], defaults: { repeat_state: 0 }, hasNoEmptyList: true },
});

export const loggedTime = defineResource({
  name: 'logged_time',
  id: 'logged_time_id',
  fields: {
    logged_time_id: { type: 'key', required: true },
    people_id: { type: 'id', required: true, refers: 'people' },
    date: { type: 'date', required: true },
    hours: { type: 'hours', required: true },
    billable: { type: 'boolean' },
    locked: { type: 'boolean' },
    project_id: { type: 'id', refers: 'projects' },
    phase_id: { type: 'id', refers: 'phases' },
    task_id: { type: 'id', refers: 'tasks' },
    task_meta_id: { type: 'id', refers: 'project_tasks' },
    notes: { type: 'name' },
    reference_date: { type: 'date' },
    task_name: { type: 'name' },
    priority: { type: 'integer' },
    locked_date: { type: 'date' },
    ...AUTHORS,
    ...TIMES,
  },
  served: { defaults: { billable: true, locked: false } },
});
