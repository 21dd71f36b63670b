/*
 * A body is declared once, as a JSON Schema in the keywords below, with the words of its faults.
 * Its check, its type, its place in OpenAPI and the arguments of a tool are made from that.
 */
type TypeName = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';

export interface BodySchema {
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly example?: unknown;
  /** The value of a field that is left out. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly BodySchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly required?: readonly string[];
  /** False in every object with fields, as another name is a mistake that would go unnoticed; absent where a standard allows others. */
  readonly additionalProperties?: false | BodySchema;
  readonly propertyNames?: BodySchema;
  readonly maxProperties?: number;
  readonly items?: BodySchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Noun that a right value is, such as "a whole number of rows". Default: that of its type or choices. */
  readonly expected?: string;
  /** Clause that ends the sentence about a missing or a wrong value, such as "give one SELECT". */
  readonly wayOut?: string;
}

/** The keywords that only the words of faults need. */
export const WORDS = ['expected', 'wayOut'] as const;

interface JsonValues {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly null: null;
  readonly object: Readonly<Record<string, unknown>>;
  readonly array: readonly unknown[];
}

/** The value that a schema describes, completed by its defaults. */
export type BodyOf<S> = S extends { enum: readonly (infer Choice)[] }
  ? Choice
  : S extends { anyOf: readonly (infer Choice)[] }
    ? BodyOf<Choice>
    : S extends { properties: infer Properties }
      ? ObjectOf<Properties, S extends { required: readonly (infer Name)[] } ? Name : never>
      : S extends { additionalProperties: infer Member extends BodySchema }
        ? Readonly<Record<string, BodyOf<Member>>>
        : S extends { items: infer Item; type: infer Types }
          ? readonly BodyOf<Item>[] | TypedValue<Exclude<NamesIn<Types>, 'array'>>
          : S extends { type: infer Types }
            ? TypedValue<NamesIn<Types>>
            : unknown;

type NamesIn<Types> = Types extends readonly (infer Name)[] ? Name : Types;

type TypedValue<Name> = Name extends TypeName ? JsonValues[Name] : never;

type ObjectOf<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required | Completed<Properties> ? Name : never]: BodyOf<
    Properties[Name]
  >;
} & {
  readonly [Name in keyof Properties as Name extends Required | Completed<Properties> ? never : Name]?: BodyOf<
    Properties[Name]
  >;
};

type Completed<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { default: unknown } ? Name : never;
}[keyof Properties];
