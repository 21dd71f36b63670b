import { filtersOf } from '../../record/filters.ts';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../../record/list.ts';
import { type Kind, nameOf } from '../../record/records.ts';
import type { Shape } from '../../record/shape.ts';
import { expandNames, shownNames } from '../../record/view.ts';
import { FORM } from '../protocol/form-body.ts';
import { IGNORED_HEADERS } from '../protocol/ignored.ts';
import { errors, pascal, reference, type Schema } from '../protocol/operations.ts';
import { MAX_KEY_CHARACTERS } from './idempotency.ts';
import { EXAMPLES } from './record-examples.ts';

const READ_ERRORS = [400, 401, 403, 404, 406, 414, 429, 500, 503];

const WRITE_ERRORS = [...READ_ERRORS, 409, 413, 415, 422];

export const LIST_HEADERS = [
  'X-Pagination-Total-Count',
  'X-Pagination-Page-Count',
  'X-Pagination-Current-Page',
  'X-Pagination-Per-Page',
];

/** Headers of every answer with a record. */
const READ_HEADERS = [IGNORED_HEADERS.parameters, 'Preference-Applied'];

const WRITE_HEADERS = [IGNORED_HEADERS.parameters, IGNORED_HEADERS.fields, 'Preference-Applied'];

/** Descriptions of the headers that records have and reports lack. */
export const RECORD_HEADERS: Readonly<Record<string, string>> = {
  [IGNORED_HEADERS.parameters]:
    'Parameters, and names in fields and expand, that mean nothing here; separated by commas, percent-encoded.',
  [IGNORED_HEADERS.fields]: 'Fields of the body that mean nothing here, likewise.',
  'Preference-Applied': 'handling=strict or handling=lenient, where Prefer has asked for it.',
};

/** The parameter that refuses meaningless names instead of ignoring them. */
export const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description: 'handling=strict (RFC 7240): what would be named in X-Ignored-Parameters or X-Ignored-Fields is a 400.',
  schema: { type: 'string' },
};

/** Describes the list of a resource. @param others The other paths of the list. */
export function describeList(kind: Kind, others: readonly string[]): object {
  const also = others.length > 0 ? ` Also at ${others.join(', ')}.` : '';
  const name = nameOf(kind);
  return {
    tags: [pascal(name)],
    operationId: `${name}.list`,
    summary: `List ${name}`,
    description: `A page of records. Any field filters, by one value or several with commas between.${also}`,
    parameters: listParameters(kind),
    responses: {
      '200': {
        description: 'A page; one past the last is empty.',
        headers: headersOf([...LIST_HEADERS, ...READ_HEADERS]),
        content: contentOf({ type: 'array', items: reference('schemas', pascal(name)) }),
      },
      ...(kind.shape.hasNoEmptyList && { '204': { description: 'There is nothing to show.' } }),
      ...errors(READ_ERRORS),
    },
  };
}

export function describeCreate(kind: Kind): object {
  const name = nameOf(kind);
  const record = kind.rules.split ? oneOrMore(pascal(name)) : reference('schemas', pascal(name));
  return {
    tags: [pascal(name)],
    operationId: `${name}.create`,
    summary: `Create a record of ${name}`,
    description: 'Needs the scope write.',
    parameters: [...viewParameters(kind), reference('parameters', 'Idempotency-Key')],
    requestBody: bodyOf(`${pascal(name)}New`, { example: EXAMPLES[name] }),
    responses: {
      '201': {
        description: 'The record as it was made.',
        headers: {
          Location: { description: 'Where it is read.', schema: { type: 'string' } },
          ...headersOf(WRITE_HEADERS),
        },
        content: contentOf(record),
      },
      ...errors(WRITE_ERRORS),
    },
  };
}

export function describeId({ shape }: Kind): object {
  return { name: 'id', in: 'path', required: true, schema: idSchema(shape), example: idExample(shape) };
}

export function describeRead(kind: Kind): object {
  const name = nameOf(kind);
  return {
    tags: [pascal(name)],
    operationId: `${name}.read`,
    summary: `Read a record of ${name}`,
    parameters: viewParameters(kind),
    responses: {
      '200': {
        description: 'The record.',
        headers: headersOf(READ_HEADERS),
        content: contentOf(reference('schemas', pascal(name))),
      },
      ...errors(READ_ERRORS),
    },
  };
}

export function describeUpdate(kind: Kind, method: 'patch' | 'put'): object {
  const name = nameOf(kind);
  return {
    tags: [pascal(name)],
    operationId: `${name}.${method}`,
    summary: `Change a record of ${name}`,
    description: 'Changes what the body names, and nothing else. Needs the scope write.',
    parameters: viewParameters(kind),
    requestBody: bodyOf(`${pascal(name)}Changes`, {}),
    responses: {
      '200': {
        description: 'The record as it is now.',
        headers: headersOf(WRITE_HEADERS),
        content: contentOf(reference('schemas', pascal(name))),
      },
      '204': { description: 'What was sent has deleted the record.' },
      ...errors(WRITE_ERRORS),
    },
  };
}

export function describeDelete(kind: Kind): object {
  const name = nameOf(kind);
  return {
    tags: [pascal(name)],
    operationId: `${name}.delete`,
    summary: `Delete a record of ${name}`,
    description: 'Needs the scope write.',
    responses: { '204': { description: 'It is deleted.' }, ...errors(WRITE_ERRORS) },
  };
}

function contentOf(schema: Schema): object {
  return { 'application/json': { schema }, 'application/xml': { schema: {} } };
}

/** Returns the schema of a POST's answer when a body may create several records. */
function oneOrMore(name: string): Schema {
  return { anyOf: [reference('schemas', name), { type: 'array', items: reference('schemas', name) }] };
}

/**
 * Describes a body in every media type.
 * XML is described in words, because generators warn of schemas of XML bodies.
 */
function bodyOf(name: string, more: object): object {
  return {
    required: true,
    description: 'Also as application/xml, in the shape that answers have.',
    content: {
      'application/json': { schema: reference('schemas', name), ...more },
      [FORM]: { schema: reference('schemas', 'Form') },
    },
  };
}

function headersOf(names: readonly string[]): object {
  return Object.fromEntries(names.map((header) => [header, reference('headers', header)]));
}

function idSchema({ fields, id }: Shape): Schema {
  return fields[id]?.type === 'key' ? { type: 'string', minLength: 1 } : { type: 'string', pattern: '^[0-9]{1,15}$' };
}

function idExample({ fields, id }: Shape): string {
  return fields[id]?.type === 'key' ? '019ecb272200c3dc30267518' : '1';
}

/** The header that makes a POST safe to repeat. */
export const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A text that the client chooses. A request sent again with it, by the same token, is not carried out again.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARACTERS },
};

function listParameters(kind: Kind): object[] {
  const names = filtersOf(kind, true).keys();
  return [
    query('page', 'From 1; 0 is 1.', { type: 'integer', minimum: 0, default: 1 }),
    query('per-page', `At most ${MAX_PER_PAGE}; more is served as ${MAX_PER_PAGE}.`, {
      type: 'integer',
      minimum: 1,
      default: DEFAULT_PER_PAGE,
    }),
    query('sort', 'Fields with commas between; - before one turns its order round. Default: the most recent first.', {
      type: 'string',
    }),
    query('modified_since', 'Records changed then or later: YYYY-MM-DD HH:MM:SS, UTC, a day, or Unix seconds.', {
      type: 'string',
    }),
    ...viewParameters(kind),
    ...[...names].map((name) =>
      query(name, 'Values with commas between, which are %2C inside a value; an empty one is none.', {
        type: 'string',
      }),
    ),
  ];
}

function viewParameters(kind: Kind): object[] {
  const choose = (name: string, description: string, values: readonly string[]) => ({
    ...query(name, description, { type: 'array', minItems: 1, items: { type: 'string', enum: values } }),
    style: 'form',
    explode: false,
  });
  const expands = expandNames(kind, true);
  return [
    reference('parameters', 'Prefer'),
    choose('fields', 'Exactly these fields.', shownNames(kind, true)),
    ...(expands.length > 0 ? [choose('expand', 'Related data to be added.', expands)] : []),
  ];
}

function query(name: string, description: string, schema: Schema): object {
  return { name, in: 'query', description, schema };
}
