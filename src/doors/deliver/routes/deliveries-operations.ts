import { errors, TEXT, TEXT_OR_NULL } from '../../http/protocol/operations.ts';

const count = { type: 'integer' };

const target = {
  type: 'object',
  properties: {
    target: { ...TEXT, description: 'Its kind; with the scope deliver also its address.' },
    state: { enum: ['waiting', 'sending', 'sent', 'accepted', 'retrying', 'failed'] },
    attempts: count,
    at: TEXT_OR_NULL,
    sending_since: { ...TEXT_OR_NULL, description: 'When the try began that is under way; null if none is.' },
    waits_for: {
      ...TEXT_OR_NULL,
      description: 'The earlier occurrence that has to be there first; null if nothing is waited for.',
    },
    why: { ...TEXT_OR_NULL, description: 'Why the last try failed. Only with the scope deliver.' },
  },
  required: ['target', 'state', 'attempts', 'at', 'sending_since', 'waits_for'],
};

/** Null before the first occurrence. */
const lastOccurrence = {
  type: ['object', 'null'],
  properties: {
    occurrence: TEXT,
    moment: TEXT,
    is_late: { type: 'boolean' },
    state: { enum: ['waiting', 'sending', 'sent', 'nothing', 'withheld', 'failed'] },
    data_version: TEXT_OR_NULL,
    period: TEXT_OR_NULL,
    rows: { type: ['integer', 'null'] },
    why: { ...TEXT_OR_NULL, description: 'Why it waits, or is not sent.' },
    targets: { type: 'array', items: target },
  },
  required: ['occurrence', 'moment', 'is_late', 'state', 'data_version', 'period', 'rows', 'why', 'targets'],
};

const delivery = {
  type: 'object',
  properties: {
    name: TEXT,
    kind: { enum: ['delivery', 'alert'] },
    when: TEXT,
    next: { ...TEXT_OR_NULL, description: 'The next moment; null if it comes with an event.' },
    last: lastOccurrence,
  },
  required: ['name', 'kind', 'when', 'next', 'last'],
};

export const listOperation = {
  tags: ['Deliveries'],
  operationId: 'deliveries',
  summary: 'All deliveries and alerts',
  description:
    'When each comes next, and what has become of its last occurrence. Recipients and errors need the scope deliver.',
  responses: {
    '200': {
      description: 'The deliveries.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { deliveries: { type: 'array', items: delivery } },
            required: ['deliveries'],
          },
        },
      },
    },
    ...errors([401, 403, 429]),
  },
};

export const runOperation = {
  tags: ['Deliveries'],
  operationId: 'runDelivery',
  summary: 'Send a delivery now',
  description:
    'Begins an occurrence of a delivery or alert, whatever its moment; the list tells what becomes of it. Needs the scope deliver.',
  parameters: [{ name: 'name', in: 'path', required: true, schema: TEXT, description: 'The name of the delivery.' }],
  responses: {
    '202': {
      description: 'It has begun.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { occurrence: TEXT }, required: ['occurrence'] },
        },
      },
    },
    ...errors([400, 401, 403, 404, 413, 415, 429, 503]),
  },
};
