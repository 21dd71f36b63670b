import { kinds } from '../record/kinds.ts';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../record/list.ts';
import { plainField } from '../record/node.ts';
import type { Kind } from '../record/records.ts';
import type { Shape } from '../record/shape.ts';
import { expandNames, shownNames } from '../record/view.ts';
import { MAX_KEY_CHARACTERS } from './idempotency.ts';
import { EXAMPLES } from './record-examples.ts';
import { pathsOf } from './records.ts';
import { errors, pascal, reference, type Schema } from './schemas.ts';

const READ_ERRORS = [400, 401, 403, 404, 406, 414, 429, 500, 503];

const WRITE_ERRORS = [...READ_ERRORS, 409, 413, 415, 422];

/** Headers of every list. */
export const LIST_HEADERS = [
  'X-Pagination-Total-Count',
  'X-Pagination-Page-Count',
  'X-Pagination-Current-Page',
  'X-Pagination-Per-Page',
];

/** The paths of every resource: list, read, create, update, delete. */
export function recordPaths(): Record<string, object> {
  return Object.assign({}, ...[...kinds.values()].map(pathsOfKind));
}

function pathsOfKind(kind: Kind): Record<string, object> {
  const { shape, rules } = kind;
  const { name } = shape.resource;
  const [path = '', ...others] = pathsOf(kind);
  const also = others.length > 0 ? ` Also at ${others.join(', ')}.` : '';
  const shared = { tags: [pascal(name)] };
  const record = {
    'application/json': { schema: reference('schemas', pascal(name)) },
    'application/xml': { schema: {} },
  };
  const list = {
    'application/json': { schema: { type: 'array', items: reference('schemas', pascal(name)) } },
    'application/xml': { schema: {} },
  };
  const can = (method: 'create' | 'update' | 'delete') => shape.methods.includes(method);
  const update = (method: string) => ({
    ...shared,
    operationId: `${name}.${method}`,
    summary: `Change a record of ${name}`,
    description: 'Changes what the body names, and nothing else. Needs the scope write.',
    requestBody: bodyOf(`${pascal(name)}Changes`, {}),
    responses: {
      '200': { description: 'The record as it is now.', content: record },
      '204': { description: 'What was sent has deleted the record.' },
      ...errors(WRITE_ERRORS),
    },
  });
  return {
    [path]: {
      get: {
        ...shared,
        operationId: `${name}.list`,
        summary: `List ${name}`,
        description: `A page of records. Any field filters, by one value or several with commas between.${also}`,
        parameters: listParameters(kind),
        responses: {
          '200': {
            description: 'A page; one past the last is empty.',
            headers: Object.fromEntries(LIST_HEADERS.map((header) => [header, reference('headers', header)])),
            content: list,
          },
          ...errors(READ_ERRORS),
        },
      },
      ...(can('create') && {
        post: {
          ...shared,
          operationId: `${name}.create`,
          summary: `Create a record of ${name}`,
          description: 'Needs the scope write.',
          parameters: [reference('parameters', 'Idempotency-Key')],
          requestBody: bodyOf(`${pascal(name)}New`, { example: EXAMPLES[name] }),
          responses: {
            '201': {
              description: 'The record as it was made.',
              headers: { Location: { description: 'Where it is read.', schema: { type: 'string' } } },
              content: {
                'application/json': {
                  schema: rules.split ? oneOrMore(pascal(name)) : reference('schemas', pascal(name)),
                },
                'application/xml': { schema: {} },
              },
            },
            ...errors(WRITE_ERRORS),
          },
        },
      }),
    },
    [`${path}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: idSchema(shape), example: idExample(shape) }],
      get: {
        ...shared,
        operationId: `${name}.read`,
        summary: `Read a record of ${name}`,
        parameters: viewParameters(kind),
        responses: { '200': { description: 'The record.', content: record }, ...errors(READ_ERRORS) },
      },
      ...(can('update') && { patch: update('patch'), put: update('put') }),
      ...(can('delete') && {
        delete: {
          ...shared,
          operationId: `${name}.delete`,
          summary: `Delete a record of ${name}`,
          description: 'Needs the scope write.',
          responses: { '204': { description: 'It is deleted.' }, ...errors(WRITE_ERRORS) },
        },
      }),
    },
  };
}

/** What a POST answers where a body may make several records. */
function oneOrMore(name: string): Schema {
  return { anyOf: [reference('schemas', name), { type: 'array', items: reference('schemas', name) }] };
}

function bodyOf(name: string, more: object): object {
  return { required: true, content: { 'application/json': { schema: reference('schemas', name), ...more } } };
}

function idSchema({ fields, id }: Shape): Schema {
  return fields[id]?.type === 'key' ? { type: 'string', minLength: 1 } : { type: 'string', pattern: '^[0-9]{1,15}$' };
}

function idExample({ fields, id }: Shape): string {
  return fields[id]?.type === 'key' ? '019ecb272200c3dc30267518' : '1';
}

/** The parameter by which a POST may be sent again. */
export const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A text that the client chooses. A request sent again with it, by the same token, is not carried out again.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARACTERS },
};

function listParameters(kind: Kind): object[] {
  const { shape, rules } = kind;
  const filtered = Object.entries(shape.fields).filter(
    ([name, { type }]) => type !== 'week' && !shape.unshown.includes(name),
  );
  const plain = Object.keys(shape.lists).filter((name) => plainField(shape.lists[name]?.fields ?? {}));
  const window = shape.fields['date'] && !shape.fields['start_date'] ? ['start_date', 'end_date'] : [];
  const names = new Set([...filtered.map(([name]) => name), ...plain, ...window, ...Object.keys(rules.filters ?? {})]);
  return [
    query('page', 'From 1.', { type: 'integer', minimum: 1, default: 1 }),
    query('per-page', `At most ${MAX_PER_PAGE}; more is served as ${MAX_PER_PAGE}.`, {
      type: 'integer',
      minimum: 1,
      default: DEFAULT_PER_PAGE,
    }),
    query('sort', 'Fields with commas between; - before one turns its order round.', { type: 'string' }),
    query('modified_since', 'Records changed then or later: YYYY-MM-DD HH:MM:SS, UTC, or a day.', { type: 'string' }),
    ...viewParameters(kind),
    ...[...names].map((name) => query(name, 'Values with commas between; an empty one is none.', { type: 'string' })),
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
    choose('fields', 'Exactly these fields.', shownNames(kind, true)),
    ...(expands.length > 0 ? [choose('expand', 'Related data to be added.', expands)] : []),
  ];
}

function query(name: string, description: string, schema: Schema): object {
  return { name, in: 'query', description, schema };
}
