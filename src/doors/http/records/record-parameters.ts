import type { Resource } from '../../../records/resource/index.ts';
import {
  DEFAULT_PER_PAGE,
  expandNames,
  filtersOf,
  MAX_PER_PAGE,
  type ServedResource,
  shownNames,
} from '../../../store/record/index.ts';
import { reference, type Schema } from '../protocol/operations.ts';
import { MAX_KEY_CHARACTERS } from './idempotency.ts';

/** The parameter that refuses meaningless names instead of ignoring them. */
export const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description:
    'handling=strict (RFC 7240) refuses unknown parameters and fields with 400. Otherwise they are listed in X-Ignored-Parameters and X-Ignored-Fields.',
  schema: { type: 'string' },
};

export function describeId(resource: ServedResource): object {
  return { name: 'id', in: 'path', required: true, schema: idSchema(resource), example: idExample(resource) };
}

function idSchema({ fields, id }: Resource): Schema {
  return fields[id]?.type === 'key' ? { type: 'string', minLength: 1 } : { type: 'string', pattern: '^[0-9]{1,15}$' };
}

function idExample({ fields, id }: Resource): string {
  return fields[id]?.type === 'key' ? '019ecb272200c3dc30267518' : '1';
}

/** The header that makes a POST safe to repeat. */
export const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A text chosen by the client. A request repeated with it by the same token is not carried out again.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARACTERS },
};

export function listParameters(resource: ServedResource): object[] {
  const names = filtersOf(resource, true).keys();
  return [
    ...pageParameters(DEFAULT_PER_PAGE),
    query(
      'sort',
      'Fields separated by commas; - before a field sorts it in descending order. Default: the most recent first.',
      { type: 'string', minLength: 1 },
    ),
    query(
      'modified_since',
      'Records changed at or after this time: YYYY-MM-DD HH:MM:SS, UTC, a day, or Unix seconds.',
      { type: 'string', minLength: 1 },
    ),
    ...viewParameters(resource),
    ...[...names].map((name) =>
      query(name, 'Values separated by commas; a comma in a value is %2C. An empty value means none.', {
        type: 'string',
      }),
    ),
  ];
}

export function pageParameters(defaultSize: number): object[] {
  return [
    query('page', 'From 1; 0 is 1.', { type: 'integer', minimum: 0, default: 1 }),
    query('per-page', `At most ${MAX_PER_PAGE}; higher values count as ${MAX_PER_PAGE}.`, {
      type: 'integer',
      minimum: 1,
      default: defaultSize,
    }),
  ];
}

export function viewParameters(resource: ServedResource): object[] {
  return nameParameters(shownNames(resource, true), expandNames(resource, true));
}

/** Describes the parameters that choose among these fields and expansions. */
export function nameParameters(shown: readonly string[], expands: readonly string[]): object[] {
  // An open list, since unknown names are passed over and named in a header.
  const choose = (name: string, description: string, values: readonly string[]) => ({
    ...query(name, `${description} Of ${values.join(', ')}.`, {
      type: 'array',
      minItems: 1,
      items: { type: 'string', minLength: 1 },
      example: values.slice(0, 2),
    }),
    style: 'form',
    explode: false,
  });
  return [
    reference('parameters', 'Prefer'),
    choose('fields', 'Exactly these fields.', shown),
    ...(expands.length > 0 ? [choose('expand', 'Related data to add.', expands)] : []),
  ];
}

function query(name: string, description: string, schema: Schema): object {
  return { name, in: 'query', description, schema };
}
