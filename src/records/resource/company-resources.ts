import { AUTHORS, billRates, type Fields, MAX_INTEGER, MAX_RATES, rateCardsIn, TIMES } from './field.ts';
import { defineResource } from './resource.ts';

/** The settings of the company: one object; missing fields have defaults. */
export const settings: Fields = {
  name: { type: 'name' },
  currency: { type: 'text' },
  work_days_hours: { type: 'week' },
  time_zone: { type: 'text' },
  week_starts_on: { type: 'integer', min: 0, max: 6 },
  fiscal_year_starts_in: { type: 'integer', min: 1, max: 12 },
};

/** The settings as a resource of one record, so that they are read and validated like records. */
export const settingsResource = defineResource({ name: 'settings', id: 'name', fields: settings });

/** The departments of the company, as a tree. */
export const departments = defineResource({
  name: 'departments',
  id: 'department_id',
  fields: {
    department_id: { type: 'id', required: true },
    name: { type: 'name' },
    parent_id: { type: 'id', refers: 'departments' },
    ...AUTHORS,
    ...TIMES,
  },
  served: { required: ['name'] },
});

export const clients = defineResource({
  name: 'clients',
  id: 'client_id',
  fields: { client_id: { type: 'id', required: true }, name: { type: 'name' }, ...AUTHORS, ...TIMES },
  lists: { rate_cards: rateCardsIn('client_rate_cards') },
  served: { required: ['name'], expanded: ['rate_cards'] },
});

/** The accounts that may sign in to the service; one of them manages a project. */
export const accounts = defineResource({
  name: 'accounts',
  id: 'account_id',
  fields: {
    account_id: { type: 'id', required: true },
    name: { type: 'name' },
    email: { type: 'text' },
    account_type: { type: 'integer', min: 0, max: MAX_INTEGER },
    active: { type: 'boolean' },
    department_filter: { type: 'ids' },
    access: { type: 'json' },
    avatar: { type: 'text' },
    timezone: { type: 'text' },
    view_rights: { type: 'json' },
    edit_rights: { type: 'json' },
    budget_rights: { type: 'json' },
    ...TIMES,
  },
  served: { methods: ['update'], defaults: { active: true } },
});

/** The roles of people, with default rates for people without their own. */
export const roles = defineResource({
  name: 'roles',
  id: 'role_id',
  fields: {
    role_id: { type: 'id', required: true, from: ['role_id', 'id'] },
    name: { type: 'name' },
    default_hourly_rate: { type: 'rate' },
    ...AUTHORS,
    ...TIMES,
  },
  lists: {
    cost_rate_history: {
      table: 'cost_rate_history',
      shape: 'list',
      fields: { rate: { type: 'rate' }, effective_date: { type: 'date' } },
    },
    bill_rate_history: billRates('role_bill_rates'),
  },
  served: {
    required: ['name'],
    expanded: ['cost_rate_history', 'bill_rate_history'],
    counted: ['current_hourly_rate'],
    needsRates: ['cost_rate_history'],
    aliases: { id: 'role_id' },
  },
});

/** Lists of bill rates by role, which projects and clients have agreed on. */
export const rateCards = defineResource({
  name: 'rate_cards',
  id: 'rate_card_id',
  fields: { rate_card_id: { type: 'id', required: true }, name: { type: 'name' }, ...AUTHORS, ...TIMES },
  lists: {
    rates: {
      table: 'rate_card_rates',
      shape: 'list',
      most: MAX_RATES,
      fields: {
        role_id: { type: 'id', required: true, refers: 'roles' },
        rate: { type: 'rate' },
        effective_date: { type: 'date' },
      },
    },
  },
  served: { required: ['name'] },
});
