import { kinds } from '../record/kinds.ts';
import { DEFAULT_PER_PAGE, expandNames, MAX_PER_PAGE, shownNames } from '../record/list.ts';
import type { Kind } from '../record/records.ts';
import type { Shape } from '../record/shape.ts';
import type { Field, Fields, FieldType, Items } from '../resource/field.ts';
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

const PLAIN_DECIMAL = '^([0-9]+[.]?[0-9]*|[.][0-9]+)$';

/** What values are in answers, null aside. */
const ANSWERED: Readonly<Record<FieldType, Schema>> = {
  id: { type: 'integer', minimum: 0 },
  key: { type: 'string' },
  name: { type: 'string' },
  text: { type: 'string' },
  tag: { type: 'string', description: 'In lower case.' },
  boolean: { type: 'integer', enum: [0, 1] },
  integer: { type: 'integer' },
  hours: { type: 'number', minimum: 0, maximum: 24, description: 'Hours a day.' },
  week: { type: 'array', items: { type: 'number' }, description: 'Hours of Sunday to Saturday.' },
  rate: { type: 'string', pattern: '^[0-9]+[.][0-9]{4}$', description: "The company's currency, an hour." },
  amount: { type: 'number', minimum: 0 },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS, UTC.' },
};

const number: Schema = { type: ['number', 'string'], pattern: PLAIN_DECIMAL };

/** What values may be in bodies, null aside: more spellings than answers have (1.2). */
const SENT: Readonly<Record<FieldType, Schema>> = {
  ...ANSWERED,
  id: { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,15}$' },
  tag: { type: ['string', 'object'] },
  boolean: { enum: [0, 1, true, false, '0', '1'] },
  hours: { ...number, minimum: 0, maximum: 24, description: 'Hours a day.' },
  week: { type: 'array', items: number, minItems: 7, maxItems: 7, description: 'Hours of Sunday to Saturday.' },
  rate: { ...number, minimum: 0, description: "The company's currency, an hour." },
  amount: { ...number, minimum: 0 },
};

/** The paths of every resource: list, read, create, update, delete. */
export function recordPaths(): Record<string, object> {
  return Object.assign({}, ...[...kinds.values()].map(pathsOfKind));
}

/** The schemas of every resource: what answers hold, and what bodies may. */
export function recordSchemas(): Record<string, Schema> {
  return Object.assign({}, ...[...kinds.values()].map(schemasOfKind));
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
  const plain = Object.keys(shape.lists).filter((name) => isPlain(shape.lists[name]));
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

function schemasOfKind({ shape, rules }: Kind): Record<string, Schema> {
  const { fields, lists, unshown, computed, required, resource } = shape;
  const name = pascal(resource.name);
  const answered = {
    ...properties(
      pick(fields, (each) => !unshown.includes(each)),
      ANSWERED,
      shape,
    ),
    ...Object.fromEntries(Object.entries(lists).map(([each, items]) => [each, listSchema(items, ANSWERED)])),
    ...rules.schemas?.answer,
  };
  const sent = {
    ...properties(
      pick(fields, (each) => !computed.includes(each)),
      SENT,
      undefined,
    ),
    ...Object.fromEntries(Object.entries(lists).map(([each, items]) => [each, orNull(listSchema(items, SENT))])),
    ...rules.schemas?.body,
  };
  const musts = rules.schemas?.required ?? required;
  const needed = Object.fromEntries(
    musts.flatMap((each) => (fields[each] ? [[each, fieldSchema(fields[each], SENT)]] : [])),
  );
  const description = 'Fields that mean nothing are passed over, and so are those that only the service sets.';
  return {
    [name]: { type: 'object', properties: answered },
    [`${name}New`]: { type: 'object', description, properties: { ...sent, ...needed }, required: musts },
    [`${name}Changes`]: { type: 'object', description, properties: sent },
  };
}

function pick(fields: Fields, isWanted: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
}

function properties(fields: Fields, types: typeof ANSWERED, shape: Shape | undefined): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      shape?.decimalStrings.includes(name) ? orNull(ANSWERED.rate, 'Hours a day.') : orNull(fieldSchema(field, types)),
    ]),
  );
}

function fieldSchema(field: Field, types: typeof ANSWERED): Schema {
  const { codes, min, max, refers } = field;
  if (codes) {
    const meanings = Object.entries(codes).map(([code, meaning]) => `${code} ${meaning}`);
    return { type: 'integer', enum: Object.keys(codes).map(Number), description: `${meanings.join(', ')}.` };
  }
  return {
    ...types[field.type],
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(refers ? { description: `An id of ${refers}.` } : {}),
  };
}

function listSchema({ shape, fields }: Items, types: typeof ANSWERED): Schema {
  const [first] = Object.values(fields);
  if (isPlain({ shape, fields }) && first) return { type: 'array', items: types[first.type] };
  if (shape === 'entries')
    return { type: 'object', description: 'By the day that it is so from.', additionalProperties: types.week };
  return { type: 'array', items: { type: 'object', properties: properties(fields, types, undefined) } };
}

function isPlain(items: Pick<Items, 'shape' | 'fields'> | undefined): boolean {
  const [first, ...others] = Object.values(items?.fields ?? {});
  return items?.shape === 'list' && others.length === 0 && (first?.from?.includes('$') ?? false);
}

/** The same, or null. */
function orNull(schema: Schema, description?: string): Schema {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] };
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...[type].flat(), 'null'] }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
    ...(description === undefined ? {} : { description }),
  };
}
