import type { Catalogue, FindingCause } from '../../../numbers/report/catalogue/index.ts';
import { valueSchema } from '../../../numbers/report/describe/describe-catalogue.ts';
import { VALUE_TYPES } from '../../../numbers/write/index.ts';
import { DAY, reference, type Schema, TEXT, TEXT_OR_NULL } from '../protocol/operations.ts';

const column: Schema = {
  type: 'object',
  properties: {
    name: TEXT,
    label: TEXT,
    unit: TEXT,
    type: { type: 'string', enum: [...new Set(Object.values(VALUE_TYPES))] },
  },
  required: ['name', 'label', 'unit', 'type'],
};

const causeProperties: Readonly<Record<keyof FindingCause, Schema>> = {
  check: TEXT,
  severity: TEXT,
  cause: { ...TEXT, description: 'The cause in words.' },
  people_id: { ...TEXT_OR_NULL, description: 'The person who has no rate; null if the check is about another record.' },
  person: { ...TEXT_OR_NULL, description: 'The name of the person.' },
  is_known: { type: 'boolean', description: 'False if the person has no record.' },
  findings: { type: 'integer' },
  scheduled_days: { type: 'integer', description: 'Findings about scheduled time.' },
  first_date: { ...TEXT_OR_NULL, description: 'The first day of the findings.' },
  hours: { ...TEXT_OR_NULL, description: 'Their hours, with all digits.' },
  scheduled_hours: { ...TEXT_OR_NULL, description: 'The hours among them that are scheduled, not logged.' },
  amount_at_risk: {
    ...TEXT_OR_NULL,
    description: 'The amount at risk, with all digits; null if it is unknown or the token lacks the scope rates.',
  },
  remedy: { ...TEXT, description: 'What to do.' },
};

const causesSchema: Schema = {
  type: 'array',
  description: 'With causes: all findings by their cause, gravest first, whatever the page shows.',
  items: { type: 'object', properties: causeProperties, required: Object.keys(causeProperties) },
};

const comparedProperties: Readonly<Record<string, Schema>> = {
  state: { ...TEXT, description: 'The name of a kept state, now, or closings.' },
  label: { ...TEXT, description: 'The label of the state; absent if it has none.' },
  day: { ...DAY, description: 'Its today.' },
  cutoff_date: DAY,
  data_version: TEXT,
};

const comparedAlways = Object.keys(comparedProperties).filter((name) => name !== 'label');

const baselineSchema: Schema = {
  type: ['object', 'null'],
  description: 'The kept state whose plan is compared; null without one. Absent from reports that take no baseline.',
  properties: {
    state: TEXT,
    number: { type: ['integer', 'null'] },
    kind: TEXT,
    kept_at: { type: 'string', format: 'date-time' },
    data_version: TEXT,
    missing_projects: {
      type: 'integer',
      description: "The projects in the answer that it doesn't have, which were planned with 0.",
    },
    missing_actual_hours: { ...TEXT, description: 'Their actual hours, with all digits.' },
  },
  required: ['state', 'number', 'kind', 'kept_at', 'data_version', 'missing_projects', 'missing_actual_hours'],
};

const laterSchema: Schema = {
  type: 'object',
  description: 'The later state of a comparison; absent from other reports.',
  properties: comparedProperties,
  required: comparedAlways,
};

const earlierSchema: Schema = {
  type: 'object',
  description: 'The earlier state of a comparison, or the closings; absent from other reports.',
  properties: {
    ...comparedProperties,
    closings: {
      type: 'array',
      description: 'The closings, each with the days that are compared with it.',
      items: {
        type: 'object',
        properties: { ...comparedProperties, start_date: DAY, end_date: DAY },
        required: [...comparedAlways, 'start_date', 'end_date'],
      },
    },
  },
  required: ['state'],
};

/** Returns the schema of the data needed to reproduce a report and to trust it. */
export function metaSchema({ parameters }: Catalogue): Schema {
  return {
    type: 'object',
    properties: {
      row_count: { type: 'integer', description: 'The number of rows on all pages; absent for lines with limit.' },
      report: TEXT,
      parameters: {
        type: 'object',
        description: 'As understood, with defaults. In a list, null stands for a missing value.',
        // The state that it is read of stands beside them.
        properties: Object.fromEntries(
          [...parameters.values()].flatMap((each) => (each.name === 'as_of' ? [] : [[each.name, valueSchema(each)]])),
        ),
        additionalProperties: TEXT,
      },
      cutoff: {
        type: 'object',
        description:
          'The last day on which actuals count, and in words why it is that day; absent from reports without a cutoff.',
        properties: {
          date: { type: 'string', format: 'date' },
          reason: { type: 'string', examples: ['the last day with logged time, 2026-10-30, and the weekend after it'] },
        },
        required: ['date', 'reason'],
      },
      currency: TEXT,
      minor_units: { type: 'integer', description: "Decimals of the currency's minor unit." },
      generated_at: { type: 'string', format: 'date-time' },
      data_version: { type: 'string', description: 'The version of the data behind every number.' },
      loaded_at: { type: 'string', format: 'date-time' },
      source: { type: 'string', description: 'The service that the records come from; absent for a loaded dataset.' },
      synced_at: {
        type: 'string',
        format: 'date-time',
        description: 'When the records were last known to equal those of the source.',
      },
      baseline: baselineSchema,
      from: earlierSchema,
      to: laterSchema,
      notes: { type: 'array', items: TEXT },
      checks: {
        type: 'array',
        description:
          'Pairs of numbers that were compared. In a report on a part of the company, checks of the whole company have no numbers.',
        items: {
          type: 'object',
          properties: { check: TEXT, left: TEXT, right: TEXT, ok: { type: 'boolean' } },
          required: ['check', 'ok'],
        },
      },
      hidden_columns: {
        type: 'array',
        items: TEXT,
        description: 'Columns left out, because the token lacks the scope rates.',
      },
      part: {
        type: 'array',
        items: TEXT,
        description: 'The names of what the part is limited to that the token sees; absent from answers of all data.',
      },
      columns: { type: 'array', items: column, description: 'The columns of the rows, in order.' },
      nested_columns: {
        type: 'object',
        description: 'With expand: the columns of the rows in each row.',
        additionalProperties: { type: 'array', items: column },
      },
      insights: reference('schemas', 'Insights'),
      causes: causesSchema,
      next_cursor: { type: 'string', description: 'The start of the next lines; absent after the last.' },
    },
    // The short form has no others.
    required: ['report', 'parameters', 'currency', 'generated_at', 'data_version', 'notes'],
  };
}
