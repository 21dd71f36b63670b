import { FORMATS, type FormatName } from '../../../numbers/write/index.ts';
import { PART_SCHEMA } from '../../identity/written-part.ts';
import { PUBLISHED_SCHEMA, SCHEMA_NAME } from '../../postgres/published-schema.ts';

/** The formats of files: all but that of terminals. */
export const FILE_FORMATS = Object.keys(FORMATS).filter(
  (name) => !FORMATS[name as FormatName].isForDisplay,
) as readonly FormatName[];

/** Recipients of whom each gets the own rows. */
export const EACH = ['person', 'project_manager', 'client', 'department'] as const;

/** The states of the data and of deliveries that an alert may be about. */
export const PROBLEMS = ['data_too_old', 'sync_failed', 'check_failed', 'delivery_failed'] as const;

const TEXT = { type: 'string', minLength: 1 };
const ADDRESSES = { type: 'array', minItems: 1, items: TEXT };
const DURATION = { type: 'string', pattern: '^[1-9][0-9]{0,8}[smhd]$' };
const COUNT = { type: 'integer', minimum: 1, maximum: 100 };
const PARAMETERS = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };

const TARGETS = {
  type: 'array',
  minItems: 1,
  description: 'Each item is one target: email, folder, s3, webhook, slack, teams or postgres.',
  items: { $ref: '#/$defs/target' },
};

/** The parts that deliveries and alerts share. */
const SHARED = {
  name: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,49}$', description: 'Small letters, digits and "-".' },
  when: {
    ...TEXT,
    description:
      'Minute, hour, day of month, month and weekday in the time zone of the company, such as "0 7 3 * *"; or new_data, or closed.',
  },
  report: { ...TEXT, description: 'The name of a report.' },
  parameters: { ...PARAMETERS, description: 'The parameters of the report, such as {period: last_month}.' },
  where: { ...TEXT, description: 'A condition over the columns of the report, such as missing_hours gt 0.' },
  rates: {
    enum: [true, false, 'each'],
    description:
      'True for numbers that reveal costs; each for those of the recipients who may see them. Default: without them.',
  },
  only: {
    type: 'object',
    ...PART_SCHEMA,
    description:
      'The part of the data that all of it is of, by filters of reports with ids, such as {department_id: [3, 4]}.',
  },
  max_age: { ...DURATION, description: 'The age of the data beyond which nothing is sent, such as 2h.' },
  wait: { ...DURATION, description: 'The time to wait for newer data before saying so. Default: 1h.' },
  to: TARGETS,
};

/**
 * The JSON Schema of deliveries.yaml, by which files are read and editors complete them. Its target has all kinds side by
 * side, as the words for a file with two of them in one item are better than those of a schema.
 */
export const DELIVERIES_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Plumbline deliveries',
  description: 'Says which reports and words are sent when, and where.',
  type: 'object',
  additionalProperties: false,
  properties: {
    page: { ...TEXT, pattern: '^https?://', description: 'The address of the page, to which links in messages lead.' },
    smtp: {
      type: 'object',
      additionalProperties: false,
      required: ['host', 'from'],
      properties: {
        host: TEXT,
        port: {
          type: 'integer',
          minimum: 1,
          maximum: 65_535,
          description: 'Default: 587, with tls: true 465, and with tls: none 25.',
        },
        tls: {
          enum: [true, false, 'none'],
          description:
            'True for TLS from the first byte; none for a relay on this machine or in a private network. Default: STARTTLS, which is required.',
        },
        user: TEXT,
        password: { ...TEXT, description: `\${NAME} of the environment, or file:PATH.` },
        from: { ...TEXT, description: 'The sender, such as "Reports <reports@example.com>".' },
      },
    },
    domains: { ...ADDRESSES, description: 'The domains that mail goes to; it goes nowhere else.' },
    access: { ...TEXT, description: 'The file access.yaml, which says with rates: each who sees costs.' },
    max_attachment: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,3} ?(?:[kK]B|MB)$',
      description:
        'The size from which a link to the page takes the place of an attachment: up to 9999 kB or MB, such as 500 kB. Default: 10 MB.',
    },
    deliveries: { type: 'array', items: { $ref: '#/$defs/delivery' } },
    alerts: { type: 'array', items: { $ref: '#/$defs/alert' } },
  },
  $defs: {
    delivery: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'when', 'to'],
      properties: {
        ...SHARED,
        formats: { type: 'array', minItems: 1, items: { enum: FILE_FORMATS } },
        marts: {
          type: ['string', 'array'],
          pattern: '^all$',
          items: TEXT,
          minItems: 1,
          description: 'In place of a report, all or a list of marts, which go to PostgreSQL.',
        },
      },
    },
    alert: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'to'],
      properties: {
        ...SHARED,
        insight: { ...TEXT, description: 'The name of a sentence about projects or phases, in place of where.' },
        problems: { type: 'array', minItems: 1, items: { enum: PROBLEMS }, description: 'In place of a report.' },
        rows: { enum: ['any', 'all', 'total'], description: 'The rows of which where must hold. Default: any.' },
        for: { ...COUNT, description: 'The data versions running in which it must hold. Default: 1.' },
        recover_for: { ...COUNT, description: 'The data versions running in which it must not hold. Default: 1.' },
        remind: { ...DURATION, description: 'The time after which rows that continue are named again.' },
      },
    },
    target: {
      type: 'object',
      additionalProperties: false,
      properties: {
        email: {
          type: ['array', 'boolean'],
          items: TEXT,
          minItems: 1,
          description: 'Addresses; true with each, for those of the records.',
        },
        each: { enum: EACH, description: 'Each gets the own rows, and nothing else.' },
        addresses: {
          type: 'object',
          additionalProperties: ADDRESSES,
          description: 'With each: client or department, the addresses by name or id.',
        },
        folder: { ...TEXT, description: 'A folder; {name} and {period} stand for the delivery and its period.' },
        s3: {
          ...TEXT,
          pattern: '^(?:s3://|\\$\\{|file:)',
          description: 'A place in a bucket, such as s3://reports/{name}.',
        },
        webhook: { ...TEXT, description: 'The address that gets JSON.' },
        secret: { ...TEXT, description: 'With webhook, the key of its signature.' },
        slack: { ...TEXT, description: `The address of an incoming webhook of Slack, as \${NAME} or file:PATH.` },
        teams: { ...TEXT, description: `The address of a workflow of Teams, as \${NAME} or file:PATH.` },
        postgres: { ...TEXT, description: `The address of a database of PostgreSQL, as \${NAME} or file:PATH.` },
        schema: {
          type: 'string',
          pattern: SCHEMA_NAME.source,
          description: `With postgres, the schema of the tables: small letters, digits and "_". Default: ${PUBLISHED_SCHEMA}.`,
        },
        grants: {
          type: 'object',
          additionalProperties: false,
          required: ['select'],
          properties: { select: { type: 'array', minItems: 1, items: TEXT } },
          description: 'With postgres, the roles that may read the tables, such as {select: [bi]}.',
        },
      },
    },
  },
} as const;
