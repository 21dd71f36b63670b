import type { ServedResource } from '../../../store/record/index.ts';
import { FORM } from '../protocol/form-body.ts';
import { IGNORED_HEADERS } from '../protocol/ignored.ts';
import { errors, pascal, reference, type Schema } from '../protocol/operations.ts';
import { EXAMPLES } from './record-examples.ts';
import { listParameters, viewParameters } from './record-parameters.ts';

const READ_ERRORS = [400, 401, 403, 404, 406, 414, 429, 500, 503];

const WRITE_ERRORS = [...READ_ERRORS, 409, 413, 415, 422];

/** A deletion is answered without a body, whatever Accept says. */
const DELETE_ERRORS = WRITE_ERRORS.filter((status) => status !== 406);

export const LIST_HEADERS = [
  'X-Pagination-Total-Count',
  'X-Pagination-Page-Count',
  'X-Pagination-Current-Page',
  'X-Pagination-Per-Page',
];

/** Headers of every answer with a record. */
export const READ_HEADERS = [IGNORED_HEADERS.parameters, 'Preference-Applied'];

const WRITE_HEADERS = [IGNORED_HEADERS.parameters, IGNORED_HEADERS.fields, 'Preference-Applied'];

/** Descriptions of the headers that records have and reports lack. */
export const RECORD_HEADERS: Readonly<Record<string, string>> = {
  Link: 'The first, the previous, the next and the last page of the list (RFC 8288).',
  [IGNORED_HEADERS.parameters]:
    'Unknown parameters, and unknown names in fields and expand, separated by commas and percent-encoded.',
  [IGNORED_HEADERS.fields]: 'Unknown fields of the body, in the same form.',
  'Preference-Applied': 'handling=strict or handling=lenient, if Prefer asked for it.',
};

/** Describes the list of a resource. @param others The other paths of the list. */
export function describeList(resource: ServedResource, others: readonly string[]): object {
  const also = others.length > 0 ? ` Also at ${others.join(', ')}.` : '';
  const name = resource.path;
  return {
    tags: [pascal(name)],
    operationId: `${name}.list`,
    summary: `List ${name}`,
    description: `A page of records. Any field can filter, by one value or several separated by commas.${also}`,
    parameters: listParameters(resource),
    responses: {
      '200': {
        description: 'A page. Pages after the last are empty.',
        headers: headersOf([...LIST_HEADERS, 'Link', ...READ_HEADERS]),
        content: answerContent({ type: 'array', items: reference('schemas', pascal(name)) }),
      },
      ...(resource.hasNoEmptyList && { '204': { description: 'The list is empty.' } }),
      ...errors(READ_ERRORS),
    },
  };
}

export function describeCreate(resource: ServedResource): object {
  const name = resource.path;
  const record = resource.rules.split ? oneOrMore(pascal(name)) : reference('schemas', pascal(name));
  return {
    tags: [pascal(name)],
    operationId: `${name}.create`,
    summary: `Create a record of ${name}`,
    description: 'Needs the scope write.',
    parameters: [...viewParameters(resource), reference('parameters', 'Idempotency-Key')],
    requestBody: bodyOf(`${pascal(name)}New`, { example: EXAMPLES[name] }),
    responses: {
      '201': {
        description: 'The created record.',
        headers: {
          Location: { description: 'The path of the record.', schema: { type: 'string' } },
          ...headersOf(WRITE_HEADERS),
        },
        content: answerContent(record),
      },
      ...errors(WRITE_ERRORS),
    },
  };
}

export function describeRead(resource: ServedResource): object {
  const name = resource.path;
  return {
    tags: [pascal(name)],
    operationId: `${name}.read`,
    summary: `Read a record of ${name}`,
    parameters: viewParameters(resource),
    responses: {
      '200': {
        description: 'The record.',
        headers: headersOf(READ_HEADERS),
        content: answerContent(reference('schemas', pascal(name))),
      },
      ...errors(READ_ERRORS),
    },
  };
}

export function describeSettingsRead(): object {
  return {
    tags: ['Settings'],
    operationId: 'settings.read',
    summary: 'Read the settings of the company',
    description: 'The currency of all rates and amounts, the time zone, the work week and the fiscal year.',
    parameters: [reference('parameters', 'Prefer')],
    responses: {
      '200': {
        description: 'The settings.',
        headers: headersOf(READ_HEADERS),
        content: answerContent(reference('schemas', 'Settings')),
      },
      ...errors(READ_ERRORS.filter((status) => status !== 404)),
    },
  };
}

export function describeUpdate(resource: ServedResource, method: 'patch' | 'put'): object {
  const name = resource.path;
  return {
    tags: [pascal(name)],
    operationId: `${name}.${method}`,
    summary: `Change a record of ${name}`,
    description: 'Changes only the fields in the body. Needs the scope write.',
    parameters: viewParameters(resource),
    requestBody: bodyOf(`${pascal(name)}Changes`, {}),
    responses: {
      '200': {
        description: 'The changed record.',
        headers: headersOf(WRITE_HEADERS),
        content: answerContent(reference('schemas', pascal(name))),
      },
      '204': { description: 'The change has deleted the record.' },
      ...errors(WRITE_ERRORS),
    },
  };
}

export function describeDelete(resource: ServedResource): object {
  const name = resource.path;
  return {
    tags: [pascal(name)],
    operationId: `${name}.delete`,
    summary: `Delete a record of ${name}`,
    description: 'Needs the scope write.',
    responses: { '204': { description: 'The record is deleted.' }, ...errors(DELETE_ERRORS) },
  };
}

export function answerContent(schema: Schema): object {
  return { 'application/json': { schema }, 'application/xml': { schema: {} } };
}

/** Returns the schema of a POST's answer when a body may create several records: generators know no union with a list. */
function oneOrMore(name: string): Schema {
  return { description: `A record (${name}), or an array of them if the body made several.` };
}

/**
 * Describes a body in every media type.
 * XML is described in words, because generators warn of schemas of XML bodies.
 */
function bodyOf(name: string, more: object): object {
  return {
    required: true,
    description: 'Also as application/xml, in the form of the answers.',
    content: {
      'application/json': { schema: reference('schemas', name), ...more },
      [FORM]: { schema: reference('schemas', 'Form') },
    },
  };
}

export function headersOf(names: readonly string[]): object {
  return Object.fromEntries(names.map((header) => [header, reference('headers', header)]));
}
