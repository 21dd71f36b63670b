import { FORMATS } from '../../../numbers/write/index.ts';
import { DAY, errors, type Schema } from '../protocol/operations.ts';
import { closingBody, reopenBody } from './closing-body.ts';
import { describedState, oneState, state } from './closings-schemas.ts';

const states: Schema = { type: 'array', items: state };

/** Describes GET /v3/closings. */
export function describeClosings(): object {
  return {
    tags: ['Reports'],
    operationId: 'closings',
    summary: 'The kept states',
    description: 'The closings of periods, the other kept states, and those that can not be read any more.',
    responses: {
      '200': {
        description: 'The states, in the order of their keeping.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                closings: states,
                hard_closed: {
                  type: 'array',
                  description: 'The days whose actual and expense lines a server refuses to change.',
                  items: { type: 'object', properties: { start_date: DAY, end_date: DAY } },
                },
                kept: states,
                damaged: { type: 'array', items: { type: 'object' } },
                today: {
                  type: ['string', 'null'],
                  format: 'date',
                  description: "The company's day, from which to count back to a state; null before the first data.",
                },
              },
              required: ['closings', 'hard_closed', 'kept', 'damaged', 'today'],
            },
          },
        },
      },
      '304': { description: 'Nothing has changed.' },
      ...errors([401, 403, 429, 500, 503]),
    },
  };
}

const name = { name: 'name', in: 'path', required: true, schema: { type: 'string' } };

/** Describes GET /v3/closings/{name}. */
export function describeClosing(): object {
  return {
    tags: ['Reports'],
    operationId: 'closing',
    summary: 'A kept state',
    description:
      'The newest state with a name, or that with a number, such as 2026-03@1. For a closing, with what has come into its period since.',
    parameters: [name],
    responses: {
      '200': { description: 'The state.', content: describedState },
      ...errors([401, 403, 404, 422, 429, 500, 503]),
    },
  };
}

/** Describes POST /v3/closings. */
export function describeClose(): object {
  return {
    tags: ['Reports'],
    operationId: 'close',
    summary: 'Close a period, or keep a state',
    description:
      'Keeps the data with every answered change. With a period it closes it: softly, so that later changes are taken and can be compared, or hard, so that a server refuses what would change its actual and expense lines. Needs the scope close.',
    requestBody: { required: true, content: { 'application/json': { schema: closingBody.describe() } } },
    responses: {
      '201': { description: 'The state.', content: oneState },
      ...errors([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]),
    },
  };
}

/** Describes POST /v3/closings/{name}/reopen. */
export function describeReopen(): object {
  return {
    tags: ['Reports'],
    operationId: 'reopen',
    summary: 'Open a closed period again',
    description: 'Its files stay. Closing the period again makes number 2. Needs the scope close.',
    parameters: [name],
    requestBody: { required: true, content: { 'application/json': { schema: reopenBody.describe() } } },
    responses: {
      '200': { description: 'The state.', content: oneState },
      ...errors([400, 401, 403, 404, 409, 413, 415, 429, 500, 503]),
    },
  };
}

/** Describes GET /v3/closings/readiness. */
export function describeReadiness(): object {
  const readiness = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      start_date: DAY,
      end_date: DAY,
      day: DAY,
      warnings: { type: 'array', items: { type: 'object' } },
      booked_revenue: {
        type: 'string',
        description: 'The revenue of the period as it is booked, or would be; absent without a closing in force.',
      },
      catch_up_revenue: { type: 'string', description: 'The part of it that is for earlier periods.' },
      closed: { type: 'string', description: 'The closing that closes the period already; absent from an open one.' },
      closed_kind: { type: 'string', enum: ['soft', 'hard'] },
      since: {
        type: 'array',
        items: { type: 'string' },
        description: 'What has come since that closing, in sentences.',
      },
    },
  };
  return {
    tags: ['Reports'],
    operationId: 'readiness',
    summary: 'What is open in a period',
    description: 'Tells what a closing of the period would note, and a hard one would need confirmed.',
    parameters: [{ name: 'period', in: 'query', required: true, schema: { type: 'string' }, example: '2026-03' }],
    responses: {
      '200': {
        description: 'The warnings.',
        content: { 'application/json': { schema: { type: 'object', properties: { readiness } } } },
      },
      ...errors([400, 401, 403, 409, 429, 500, 503]),
    },
  };
}

/** Describes GET /v3/closings/{name}/files/{file}. */
export function describeFiled(): object {
  return {
    tags: ['Reports'],
    operationId: 'closingFile',
    summary: 'A filed report',
    description: 'A report as it was sent, byte for byte. Needs the scope rates, too.',
    parameters: [name, { ...name, name: 'file' }],
    responses: {
      '200': { description: 'The file.', content: { 'application/octet-stream': { schema: {} } } },
      '304': { description: 'Nothing has changed.' },
      ...errors([401, 403, 404, 429, 500, 503]),
    },
  };
}

/** Describes GET /v3/closings/{name}/memo.xlsx. */
export function describeMemo(): object {
  return {
    tags: ['Reports'],
    operationId: 'closingMemo',
    summary: 'The memo of a closing',
    description:
      'One page of Excel: what was open, the totals of the period at its closing and now, what has come since by cause, and who closed it. Needs the scope rates, too.',
    parameters: [name],
    responses: {
      '200': { description: 'The workbook.', content: { [FORMATS.xlsx.mediaType]: { schema: {} } } },
      ...errors([401, 403, 404, 422, 429, 500, 503]),
    },
  };
}
