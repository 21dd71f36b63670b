import {
  decimalsOf,
  type Field,
  type Fields,
  type FieldType,
  type InnerList,
  type Items,
  innerLists,
  MONEY_DECIMALS,
  ownLists,
  type Resource,
  settings,
} from '../../../records/resource/index.ts';
import { plainField, type ServedResource, servedResources } from '../../../store/record/index.ts';
import { pascal, type Schema } from '../protocol/operations.ts';

const PLAIN_DECIMAL = '^([0-9]+[.]?[0-9]*|[.][0-9]+)$';

const SIGNED_DECIMAL = '^-?([0-9]+[.]?[0-9]*|[.][0-9]+)$';

type Types = Readonly<Record<FieldType, Schema>>;

/** Returns the schema of a decimal as text: with 4 decimals, and with more if its type has more. */
function decimalString(field: Pick<Field, 'type'>): Schema {
  const most = decimalsOf(field);
  const digits = most === MONEY_DECIMALS ? `{${most}}` : `{${MONEY_DECIMALS},${most}}`;
  return { type: 'string', pattern: `^[0-9]+[.][0-9]${digits}$` };
}

/** Schemas of values in answers, null aside. */
const ANSWERED: Types = {
  id: { type: 'integer', minimum: 0 },
  key: { type: 'string' },
  name: { type: 'string' },
  text: { type: 'string' },
  word: { type: 'string' },
  tag: { type: 'string', description: 'In lower case.' },
  boolean: { type: 'integer', enum: [0, 1] },
  integer: { type: 'integer' },
  hours: { type: 'number', minimum: 0, maximum: 24, description: 'Hours per day.' },
  effort: { type: 'number', minimum: 0, description: 'Hours of work.' },
  percent: { type: 'number', minimum: 0, maximum: 100, description: '0 to 100.' },
  week: { type: 'array', items: { type: 'number' }, description: 'Hours of Sunday to Saturday.' },
  rate: { ...decimalString({ type: 'rate' }), description: "The company's currency per hour." },
  amount: { type: 'number', minimum: 0 },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS, UTC.' },
  color: { type: 'string', pattern: '^[0-9A-Fa-f]{6}$', description: 'Six hexadecimal digits.' },
  ids: { type: 'array', items: { type: 'integer', minimum: 1 } },
  json: { description: 'Any JSON value.' },
};

const number: Schema = { type: ['number', 'string'], pattern: PLAIN_DECIMAL };

/** Schemas of values in bodies, null aside, with more spellings than answers have (1.2). */
const SENT: Types = {
  ...ANSWERED,
  id: { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,15}$' },
  tag: { type: ['string', 'object'] },
  boolean: { type: ['integer', 'boolean'], minimum: 0, maximum: 1 },
  hours: { ...number, minimum: 0, maximum: 24, description: 'Hours per day.' },
  effort: { ...number, minimum: 0, description: 'Hours of work.' },
  percent: { ...number, minimum: 0, maximum: 100, description: '0 to 100.' },
  week: { type: 'array', items: number, minItems: 7, maxItems: 7, description: 'Hours of Sunday to Saturday.' },
  rate: { ...number, minimum: 0, description: "The company's currency per hour." },
  amount: { ...number, minimum: 0 },
  color: { type: 'string', pattern: '^#?[0-9A-Fa-f]{6}$', description: 'Six hexadecimal digits.' },
};

/**
 * The schema of every form.
 * Forms can't hold lists of objects, and generators would also send a schema shared with JSON as a form.
 */
const FORM: Schema = {
  type: 'object',
  description: 'The fields of the JSON body as text: a list as name[] for each value, an object as name[member].',
  propertyNames: { minLength: 1 },
  additionalProperties: true,
};

/**
 * Returns the schemas of every resource, for answers and for bodies.
 * @param isLive True for decimals in the JSON types of the live service (4.1, --numbers).
 */
export function recordSchemas(isLive: boolean): Record<string, Schema> {
  return Object.assign(
    {
      Form: FORM,
      Settings: { type: 'object', properties: properties(settings, ANSWERED), required: Object.keys(settings) },
    },
    ...[...servedResources.values()].map((resource) => schemasOfResource(resource, isLive)),
  );
}

function schemasOfResource(resource: ServedResource, isLive: boolean): Record<string, Schema> {
  const { rules, methods } = resource;
  const { fields, unshown, computed, required, aliases } = resource;
  const name = pascal(resource.path);
  const lists = ownLists(resource);
  const shown = {
    ...properties(
      pick(fields, (each) => !unshown.includes(each)),
      ANSWERED,
    ),
    ...Object.fromEntries(
      decimalStringsOf(resource, isLive).map((each) => {
        const field = fields[each] as Field;
        return [each, orNull({ ...fieldSchema(field, ANSWERED), ...decimalString(field) })];
      }),
    ),
  };
  const answered = {
    ...withAliases(shown, aliases),
    ...Object.fromEntries(
      lists.map(([each, items]) => [each, listSchema(items, ANSWERED, innerLists(resource, each))]),
    ),
    ...rules.schemas?.answer,
  };
  const taken = properties(
    pick(fields, (each) => !computed.includes(each)),
    SENT,
  );
  const sent = {
    ...withAliases(taken, aliases),
    ...Object.fromEntries(
      lists.map(([each, items]) => [each, orNull(listSchema(items, SENT, innerLists(resource, each)))]),
    ),
    ...rules.schemas?.body,
  };
  const musts = rules.schemas?.required ?? required;
  const needed = Object.fromEntries(
    musts.flatMap((each) => (fields[each] ? [[each, fieldSchema(fields[each], SENT)]] : [])),
  );
  const description = 'Fields that only the service sets are ignored. Unknown fields are listed in X-Ignored-Fields.';
  return {
    [name]: { type: 'object', properties: answered },
    ...(methods.includes('create') && {
      [`${name}New`]: { type: 'object', description, properties: { ...sent, ...needed }, required: musts },
    }),
    ...(methods.includes('update') && { [`${name}Changes`]: { type: 'object', description, properties: sent } }),
  };
}

/** Returns the fields of an answer whose decimals are strings, rates aside. */
function decimalStringsOf({ decimalStrings, liveDecimals }: Resource, isLive: boolean): string[] {
  if (!isLive) return [...decimalStrings];
  const live = Object.keys(liveDecimals).filter((name) => liveDecimals[name] === 'string');
  return [...decimalStrings.filter((name) => liveDecimals[name] === undefined), ...live];
}

/** Adds the aliases of the properties present. */
function withAliases(named: Record<string, Schema>, aliases: Resource['aliases']): Record<string, Schema> {
  const second = Object.entries(aliases).flatMap(([alias, name]) => (named[name] ? [[alias, named[name]]] : []));
  return { ...named, ...Object.fromEntries(second) };
}

function pick(fields: Fields, isWanted: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
}

function properties(fields: Fields, types: Types): Record<string, Schema> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, orNull(fieldSchema(field, types))]));
}

function fieldSchema(field: Field, types: Types): Schema {
  const { codes, words, min, max, refers, isSigned } = field;
  if (codes) {
    const meanings = Object.entries(codes).map(([code, meaning]) => `${code} ${meaning}`);
    return { type: 'integer', enum: Object.keys(codes).map(Number), description: `${meanings.join(', ')}.` };
  }
  if (words) {
    const meanings = Object.entries(words).map(([word, meaning]) => `${word}: ${meaning}`);
    return { type: 'string', enum: Object.keys(words), description: `${meanings.join('; ')}.` };
  }
  const { minimum, ...signed } = types[field.type];
  return {
    ...(isSigned
      ? { ...signed, ...(signed['pattern'] === undefined ? {} : { pattern: SIGNED_DECIMAL }) }
      : types[field.type]),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(refers ? { description: `An id of ${refers}.` } : {}),
  };
}

function listSchema({ shape, fields }: Items, types: Types, inner: readonly InnerList[]): Schema {
  const plain = plainField(fields);
  if (plain) return { type: 'array', items: types[plain.type] };
  if (shape === 'entries')
    return { type: 'object', description: 'By the first day on which it applies.', additionalProperties: types.week };
  const lists = inner.map((list) => [
    list.field,
    { type: 'array', items: { type: 'object', properties: properties(list.fields, types) } },
  ]);
  const members = { ...properties(fields, types), ...Object.fromEntries(lists) };
  return { type: 'array', items: { type: 'object', properties: members } };
}

function orNull(schema: Schema, description?: string): Schema {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] };
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...[type].flat(), 'null'] }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
    ...(description === undefined ? {} : { description }),
  };
}
