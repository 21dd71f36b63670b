import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { AppError } from '../error.ts';
import { isObject } from '../json-object.ts';
import { type BodyOf, type BodySchema, WORDS } from './body-schema.ts';
import { describeFaults } from './schema-faults.ts';

/** A larger body gets its first fault only: an error of each of its values would fill the memory. Unit: values. */
const MAX_VALUES_WITH_ALL_FAULTS = 5_000;

/** Properties by name, in the keywords of JSON Schema. */
export type PropertySchemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A body of requests, or the arguments of a tool. */
export interface DeclaredBody<S extends BodySchema> {
  /**
   * Checks a body and completes it by the defaults of its fields.
   * @param place Where it stands in what was sent, for the names of its faults. Default: it is all of that.
   * @throws AppError usage naming each wrong field, limit if some have too many items.
   */
  read(sent: unknown, place?: string): BodyOf<S>;
  /** Returns its schema for OpenAPI and tools. @param more Keywords of its fields that depend on the catalogue. */
  describe(more?: PropertySchemas): Readonly<Record<string, unknown>>;
}

/** Declares a body by a schema, whose checks are compiled when first used. */
export function declareBody<const S extends BodySchema>(schema: S): DeclaredBody<S> {
  const compiled = new Map<boolean, ValidateFunction>();
  return {
    read(sent, place = '') {
      const allFaults = countValues(sent) <= MAX_VALUES_WITH_ALL_FAULTS;
      const validate = compiled.get(allFaults) ?? compile(schema, allFaults);
      compiled.set(allFaults, validate);
      if (validate(sent)) return complete(schema, sent) as BodyOf<S>;
      const { faults, areSizes } = describeFaults(validate.errors ?? [], sent, place);
      const message = faults.map((fault) => fault.message).join('; ');
      throw new AppError(areSizes ? 'limit' : 'usage', message, { fields: faults });
    },
    describe(more = {}) {
      const described = withoutWords(schema) as Readonly<Record<string, unknown>>;
      const properties = { ...(described['properties'] as PropertySchemas) };
      for (const [name, keywords] of Object.entries(more)) properties[name] = { ...properties[name], ...keywords };
      return { ...described, ...(schema.properties && { properties }) };
    },
  };
}

/** Compiles the check of a body: all faults, or the first. */
function compile(schema: BodySchema, allErrors: boolean): ValidateFunction {
  // The type BodySchema checks it already; compiling the schema of schemas takes most of the time.
  const options = { allErrors, verbose: true, allowUnionTypes: true, validateSchema: false };
  return new Ajv2020({ ...options, keywords: [...WORDS, 'example'] }).compile(schema);
}

function countValues(value: unknown): number {
  let count = 0;
  for (let level = [value]; level.length > 0; ) {
    count += level.length;
    if (count > MAX_VALUES_WITH_ALL_FAULTS) return count;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return count;
}

function complete({ properties }: BodySchema, sent: unknown): unknown {
  if (!properties || !isObject(sent)) return sent;
  const defaults = Object.entries(properties).flatMap(([name, each]) =>
    each.default === undefined ? [] : [[name, each.default] as const],
  );
  return { ...Object.fromEntries(defaults), ...sent };
}

/** Returns a schema without the keywords of the words of its faults. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isObject(value)) return value;
  const published = Object.entries(value).filter(([keyword]) => !WORDS.some((word) => word === keyword));
  return Object.fromEntries(published.map(([keyword, each]) => [keyword, withoutWords(each)]));
}
