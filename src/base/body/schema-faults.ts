import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldError } from '../error.ts';
import { formatForeign, MAX_SHOWN_CHARACTERS } from '../foreign-text.ts';
import { listNames } from '../nearest-name.ts';
import type { BodySchema } from './body-schema.ts';

/** The faults of a body in sentences, one for each field. */
export interface BodyFaults {
  readonly faults: readonly FieldError[];
  /** True if its only faults are lists and objects that are too long. */
  readonly areSizes: boolean;
}

/** A fault where it is: the name of the field, the schema that it breaks, and its value. */
interface PlacedFault {
  readonly field: string;
  readonly schema: BodySchema;
  readonly value: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

const SIZES = ['maxItems', 'maxProperties'];

/** Words of each kind of faults; any other is of a value that isn't what its schema expects. */
const SENTENCES: Readonly<Record<string, (fault: PlacedFault) => FieldError>> = {
  additionalProperties({ field, schema, params }) {
    const sent = String(params['additionalProperty']);
    const name = join(field, sent);
    const known = Object.keys(schema.properties ?? {});
    const taken = known.length === 0 ? 'none is taken' : `the fields are ${listNames(sent, known)}`;
    return { field: name, message: `${name}: there is no such field; ${taken}` };
  },
  required({ field, schema, params }) {
    const missing = String(params['missingProperty']);
    const name = join(field, missing);
    return { field: name, message: `${name} is missing${wayOutOf(schema.properties?.[missing])}` };
  },
  propertyNames({ field, schema, params }) {
    const named = String(params['propertyName']);
    const expected = expectedOf(schema.propertyNames ?? {});
    return { field: join(field, named), message: `${field}: ${show(named)} is not ${expected}` };
  },
  maxItems: ({ field, schema, value }) => tooMany(field, (value as unknown[]).length, schema.maxItems),
  maxProperties: ({ field, schema, value }) =>
    tooMany(field, Object.keys(value as object).length, schema.maxProperties),
  minItems: ({ field, schema }) => ({ field, message: `${field} is empty${wayOutOf(schema)}` }),
};

/**
 * Describes the errors of a validator with the option `verbose`.
 * @param sent The value that it checked.
 * @param place Where that stands in what was sent.
 */
export function describeFaults(errors: readonly ErrorObject[], sent: unknown, place: string): BodyFaults {
  // An error of a choice or of a name is told by the keyword that holds it.
  const told = errors.filter(
    ({ schemaPath, propertyName, keyword }) =>
      !schemaPath.includes('/anyOf/') && (propertyName === undefined || keyword === 'propertyNames'),
  );
  const faults = new Map<string, FieldError>();
  for (const error of told) {
    const fault = describeFault(error, sent, place);
    if (!faults.has(fault.field)) faults.set(fault.field, fault);
  }
  return { faults: [...faults.values()], areSizes: told.every(({ keyword }) => SIZES.includes(keyword)) };
}

function describeFault(error: ErrorObject, sent: unknown, place: string): FieldError {
  const { keyword, data, params } = error;
  const field = nameField(error.instancePath, sent, place);
  const schema = (error.parentSchema ?? {}) as BodySchema;
  const sentence = SENTENCES[keyword];
  if (sentence) return sentence({ field, schema, value: data, params });
  if (field === '') return { field: 'body', message: describeRoot(schema, data) };
  return { field, message: `${field}: ${show(data)} is not ${expectedOf(schema)}${wayOutOf(schema)}` };
}

function describeRoot(schema: BodySchema, value: unknown): string {
  const expected = expectedOf(schema);
  return value === undefined ? `The body is missing; give ${expected}` : `The body is not ${expected}`;
}

function tooMany(field: string, count: number, most: number | undefined): FieldError {
  return { field, message: `${field}: there are ${count}; at most ${most} are taken; give fewer` };
}

function wayOutOf(schema: BodySchema | undefined): string {
  return schema?.wayOut === undefined ? '' : `; ${schema.wayOut}`;
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** Returns the noun of the right values. */
function expectedOf({ expected, enum: choices, type, properties, ...limits }: BodySchema): string {
  const { minimum, maximum, maxLength } = limits;
  if (choices) return `one of ${choices.join(', ')}`;
  const fields = properties ? ` with the fields ${Object.keys(properties).join(', ')}` : '';
  const noun = expected ?? `${nounOf(type)}${fields}`;
  if (maxLength !== undefined) return `${noun} of at most ${maxLength} characters`;
  if (maximum !== undefined) return `${noun} from ${minimum ?? 0} to ${maximum}`;
  return minimum === undefined ? noun : `${noun} of at least ${minimum}`;
}

function nounOf(type: BodySchema['type']): string {
  const named = [type ?? []].flat().filter((each) => each !== 'null');
  return named.map((each) => NOUNS[each]).join(' or ');
}

/** Returns the name of a field: changes[1].path, in which the first item of a list has the number 1. */
function nameField(pointer: string, sent: unknown, place: string): string {
  let [field, value] = [place, sent];
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    field = Array.isArray(value) ? `${field}[${Number(name) + 1}]` : join(field, name);
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return field;
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

function show(value: unknown): string {
  return formatForeign(JSON.stringify(value), MAX_SHOWN_CHARACTERS);
}
