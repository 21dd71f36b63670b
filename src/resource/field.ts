/**
 * How a value is held: each type is one SQL type, one way of reading text, one range. Hours and money are fixed-point decimals, never
 * floats (A4).
 */
export type FieldType =
  | 'id' // BIGINT, 1 or more; 0 is none
  | 'key' // VARCHAR: an id that may be any text
  | 'name' // VARCHAR; an empty text stays an empty text
  | 'text' // VARCHAR; an empty text is null
  | 'tag' // VARCHAR, lower-cased; `{name}` objects are read by their name
  | 'boolean' // 1/0, true/false, as number, text or JSON literal
  | 'integer' // INTEGER within [min, max]; with neither a range nor codes, true and false are 1 and 0
  | 'hours' // DECIMAL(9,4) within 0..24 a day
  | 'week' // DECIMAL(9,4)[7]: hours of Sunday to Saturday, each 0..24
  | 'rate' // DECIMAL(18,4), 0 or more, below RATE_LIMIT: per hour
  | 'amount' // DECIMAL(18,4), 0 or more, below AMOUNT_LIMIT: costs, budgets, markups
  | 'date' // DATE, 1970-01-01 to 2099-12-31
  | 'timestamp' // TIMESTAMP, UTC, `YYYY-MM-DD HH:MM:SS`, with T and Z also read
  | 'color' // VARCHAR: six hexadecimal digits, without the # that may stand before them
  | 'ids' // BIGINT[]: a list of ids, each 1 or more; an empty list is not null
  | 'json'; // VARCHAR: any JSON value as JSON text, of at most MAX_JSON_PARTS lists and objects

/** The SQL type of each type of field. */
export const SQL_TYPES: Readonly<Record<FieldType, string>> = {
  id: 'BIGINT',
  key: 'VARCHAR',
  name: 'VARCHAR',
  text: 'VARCHAR',
  tag: 'VARCHAR',
  boolean: 'BOOLEAN',
  integer: 'INTEGER',
  hours: 'DECIMAL(9,4)',
  week: 'DECIMAL(9,4)[]',
  rate: 'DECIMAL(18,4)',
  amount: 'DECIMAL(18,4)',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  color: 'VARCHAR',
  ids: 'BIGINT[]',
  json: 'VARCHAR',
};

/** One field of a record. */
export interface Field {
  readonly type: FieldType;
  /** A record without it is set aside. */
  readonly required?: boolean;
  /** Where the value stands, first found first taken; `a.b` is b inside the object a. Default: the field's own name. */
  readonly from?: readonly string[];
  /** Of an integer: the least and the greatest value. */
  readonly min?: number;
  readonly max?: number;
  /** Of an integer: the codes that there are, each with its name. */
  readonly codes?: Readonly<Record<number, string>>;
  /** Whether a record that has none gets the moment at which it is loaded or written (1.5). */
  readonly isMoment?: boolean;
  /** The resource that an id is of. What is loaded may name one that there isn't (1.3); what is written may not. */
  readonly refers?: string;
}

/** A sentence about several fields of one record: `broken` is an SQL condition over its fields that is true of a bad record. */
export interface Rule {
  readonly broken: string;
  readonly reason: string;
}

/** The fields of a record or of an item inside one. */
export type Fields = Readonly<Record<string, Field>>;

/** A list inside a record: each item is a row of its own table, under the id of its record and its position from 1. */
export interface Items {
  /** The table in the schema `source`. */
  readonly table: string;
  /** list: an array of objects or plain values. entries: an object whose keys are dates (`effective_date`). */
  readonly shape: 'list' | 'entries';
  readonly fields: Fields;
  readonly rules?: readonly Rule[];
}

/** One kind of record: a file of a dataset, an endpoint of the service, a table in the schema `source`. */
export interface Resource {
  readonly name: string;
  /** The field that identifies a record. */
  readonly id: string;
  readonly fields: Fields;
  readonly rules?: readonly Rule[];
  /** Lists inside the record, by field name. */
  readonly items?: Readonly<Record<string, Items>>;
  /** Lists inside the record whose items are records of another resource, by field name. */
  readonly nested?: Readonly<Record<string, string>>;
  /** How the service serves it. */
  readonly served?: Served;
}

/** What the service adds to a kind of record that it serves itself (4.2). */
export interface Served {
  /** What may be done. Default: all. */
  readonly methods?: readonly Method[];
  /** What a field is where nobody has said it. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** Fields and lists that a new record can't be without, beside the fields that are required of any. */
  readonly required?: readonly string[];
  /** Fields that a body may have and no answer does. */
  readonly unshown?: readonly string[];
  /** Fields that only the service sets. */
  readonly computed?: readonly string[];
  /** Lists that an answer has only when `expand` names them. */
  readonly expanded?: readonly string[];
  /** The field by which another system knows a record: unique without regard to case, of at most MAX_CODE_CHARACTERS. */
  readonly code?: string;
  /** Decimals that are written as strings, beside rates, which always are. */
  readonly decimalStrings?: readonly string[];
  /** Fields and lists that only readers with the scope `rates` see and change, because a cost could be read from them. */
  readonly needsRates?: readonly string[];
  /** Second names of fields, each with the field: answers have both, and `fields`, `sort` and filters take both (4.1). */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Fields that everybody sees and only writers with the scope `rates` change: another value may show a cost as a fee (A3). */
  readonly revealsCosts?: readonly string[];
  /** Whether an empty list is answered 204 (4.1). */
  readonly hasNoEmptyList?: boolean;
}

/** What may be done with records, beside reading them. */
export type Method = 'create' | 'update' | 'delete';

/** The longest code of a person or a project. Unit: characters. */
export const MAX_CODE_CHARACTERS = 32;

/**
 * Rates are below this, so that 24 hours of the highest still fit DECIMAL(18,8), which the product of hours and rate is (A4). A wider type
 * would be a hundred times slower to round. Unit: currency units an hour.
 */
export const RATE_LIMIT = '400000000';

/** Costs, budgets and markups are below this, so that a fee fits DECIMAL(18,4), an amount of the ledger (A4). Unit: currency units. */
export const AMOUNT_LIMIT = '100000000000';

/** The most hours a day has. Unit: hours. */
export const HOURS_PER_DAY = 24;

/** The most lists and objects in a JSON value that is kept as it came. Unit: lists and objects. */
export const MAX_JSON_PARTS = 1000;

/** The first and the last day that a date can be. */
export const FIRST_DATE = '1970-01-01';
export const LAST_DATE = '2099-12-31';

/** Status of a project, phase or allocation. */
export const STATUSES = { 0: 'draft', 1: 'tentative', 2: 'confirmed', 3: 'completed', 4: 'canceled' } as const;

/** Every repeat_state and its step. */
export const REPEAT_STATES = {
  0: 'none',
  1: 'weekly',
  2: 'monthly',
  3: 'every 2 weeks',
  4: 'every 3 weeks',
  5: 'every 6 weeks',
  6: 'every 2 months',
  7: 'every 3 months',
  8: 'every 6 months',
  9: 'yearly',
} as const;

/** The greatest and the least whole number that an integer can be. */
export const MAX_INTEGER = 2147483647;
export const MIN_INTEGER = -2147483648;

/** When a record was made and last changed: every resource has both, and no record is without (1.5). */
export const TIMES: Fields = {
  created: { type: 'timestamp', isMoment: true },
  modified: { type: 'timestamp', isMoment: true },
};

/** The accounts that made a record and last changed it: kept as they came, unlike TIMES (1.5). */
export const AUTHORS: Fields = { created_by: { type: 'id' }, modified_by: { type: 'id' } };

/** start_date and end_date may be equal, never the wrong way round. */
export const ENDS_AFTER_START: Rule = { broken: 'end_date < start_date', reason: 'end_date is before start_date' };

/** Tells whether a text is a day of the calendar, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
