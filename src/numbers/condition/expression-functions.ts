import type { ValueKind } from './row-property.ts';

/** A function of expressions: the kinds of its arguments and result, and its SQL. */
interface ExpressionFunction {
  readonly takes: readonly ValueKind[];
  /** The number of arguments that must be given. Default: all. */
  readonly needs?: number;
  readonly gives: ValueKind;
  readonly sql: (...args: readonly string[]) => string;
}

const call =
  (name: string) =>
  (...args: readonly string[]) =>
    `${name}(${args.join(', ')})`;

/** Returns a number as a position in a text; null for a number beyond any text, which the engine would refuse. */
const placeOf = (number: string) => `CAST(TRY_CAST(${number} AS INTEGER) AS BIGINT)`;

const TEXT_TEST = { takes: ['text', 'text'], gives: 'boolean' } as const;
const TEXT_CHANGE = { takes: ['text'], gives: 'text' } as const;
const DAY_PART = { takes: ['date'], gives: 'number' } as const;
const ROUNDING = { takes: ['number'], gives: 'number' } as const;

/** The functions by name. Positions in a text count from 0, as OData's do. */
export const FUNCTIONS_BY_NAME: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ['contains', { ...TEXT_TEST, sql: call('contains') }],
  ['startswith', { ...TEXT_TEST, sql: call('starts_with') }],
  ['endswith', { ...TEXT_TEST, sql: call('ends_with') }],
  ['length', { takes: ['text'], gives: 'number', sql: call('length') }],
  ['indexof', { takes: ['text', 'text'], gives: 'number', sql: (text, part) => `(strpos(${text}, ${part}) - 1)` }],
  [
    'substring',
    {
      takes: ['text', 'number', 'number'],
      needs: 2,
      gives: 'text',
      sql: (text, start, ...length) => `substr(${[text, `${placeOf(start)} + 1`, ...length.map(placeOf)].join(', ')})`,
    },
  ],
  ['tolower', { ...TEXT_CHANGE, sql: call('lower') }],
  ['toupper', { ...TEXT_CHANGE, sql: call('upper') }],
  ['trim', { ...TEXT_CHANGE, sql: call('trim') }],
  // A text joined with null has no type in the engine.
  ['concat', { takes: ['text', 'text'], gives: 'text', sql: (left, right) => `CAST(${left} || ${right} AS VARCHAR)` }],
  ['year', { ...DAY_PART, sql: call('year') }],
  ['month', { ...DAY_PART, sql: call('month') }],
  ['day', { ...DAY_PART, sql: call('day') }],
  ['round', { ...ROUNDING, sql: call('round') }],
  ['floor', { ...ROUNDING, sql: call('floor') }],
  ['ceiling', { ...ROUNDING, sql: call('ceil') }],
]);
