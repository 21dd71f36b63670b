/**
 * The type of a field: one SQL type, one way to read text, one range.
 * Hours and money are fixed-point decimals, never floats (A4).
 */
export type FieldType =
  | 'id' // BIGINT, 1 or more; 0 means none
  | 'key' // VARCHAR: an id of any text
  | 'name' // VARCHAR; an empty text stays an empty text
  | 'text' // VARCHAR; an empty text is null
  | 'word' // VARCHAR: one of `words`, read in any case and without blanks around it
  | 'tag' // VARCHAR, lower case, without blanks around it; a `{name}` object is read as its name
  | 'boolean' // 1/0, true/false, as number, text or JSON literal
  | 'integer' // INTEGER within [min, max]; with neither a range nor codes, true and false are 1 and 0
  | 'hours' // DECIMAL(10,6) within 0..24 a day
  | 'effort' // DECIMAL(14,6), 0 or more, below EFFORT_LIMIT: hours of work, however many days it takes
  | 'percent' // DECIMAL(7,4) within 0..100
  | 'week' // DECIMAL(10,6)[7]: hours of Sunday to Saturday, each 0..24
  | 'rate' // DECIMAL(18,4), 0 or more, below RATE_LIMIT: per hour
  | 'amount' // DECIMAL(18,4), 0 or more unless `isSigned`, below AMOUNT_LIMIT: costs, budgets, markups
  | 'date' // DATE, 1970-01-01 to 2099-12-31
  | 'timestamp' // TIMESTAMP, UTC, `YYYY-MM-DD HH:MM:SS`, with T and Z also read
  | 'color' // VARCHAR: six hexadecimal digits, read with or without a leading #
  | 'ids' // BIGINT[]: a list of ids, each 1 or more; an empty list is not null
  | 'json'; // VARCHAR: any JSON value as JSON text, with at most MAX_JSON_PARTS lists and objects

/** The decimals of hours: a minute is 0.016667 (1.2). Unit: digits. */
export const HOURS_DECIMALS = 6;

/** The decimals of rates, costs, budgets, markups and percentages. Unit: digits. */
export const MONEY_DECIMALS = 4;

/** The types of decimals of hours. */
const HOURS_TYPES: readonly FieldType[] = ['hours', 'week', 'effort'];

/** The types whose values are decimals, or lists of them. */
export const DECIMAL_TYPES: readonly FieldType[] = [...HOURS_TYPES, 'rate', 'amount', 'percent'];

/** Returns the decimals of a decimal field; others are rounded half away from zero. */
export function decimalsOf({ type }: Pick<Field, 'type'>): number {
  return HOURS_TYPES.includes(type) ? HOURS_DECIMALS : MONEY_DECIMALS;
}

export const SQL_TYPES: Readonly<Record<FieldType, string>> = {
  id: 'BIGINT',
  key: 'VARCHAR',
  name: 'VARCHAR',
  text: 'VARCHAR',
  word: 'VARCHAR',
  tag: 'VARCHAR',
  boolean: 'BOOLEAN',
  integer: 'INTEGER',
  hours: 'DECIMAL(10,6)',
  effort: 'DECIMAL(14,6)',
  percent: 'DECIMAL(7,4)',
  week: 'DECIMAL(10,6)[]',
  rate: 'DECIMAL(18,4)',
  amount: 'DECIMAL(18,4)',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  color: 'VARCHAR',
  ids: 'BIGINT[]',
  json: 'VARCHAR',
};

export interface Field {
  readonly type: FieldType;
  /** True if a record without it is set aside. */
  readonly required?: boolean;
  /** Paths of the value, the first present one wins; `a.b` is b inside object a. Default: the field name. */
  readonly from?: readonly string[];
  /** True for an amount that may be below 0, such as the cost or the fixed markup of a credit note (1.3). */
  readonly isSigned?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** The valid codes of an integer, with their names. */
  readonly codes?: Readonly<Record<number, string>>;
  /** The valid words of a field of type `word`, each with its meaning. */
  readonly words?: Readonly<Record<string, string>>;
  /** True if a missing value becomes the moment of the load or write (1.5). */
  readonly isMoment?: boolean;
  /** True for a date that may be sent with a time of day, which isn't kept. */
  readonly hasTime?: boolean;
  /** The resource an id refers to. Loaded ids may be unknown (1.3), written ones may not. */
  readonly refers?: string;
}

/** A constraint over several fields of a record: `broken` is an SQL condition that is true of a bad record. */
export interface Constraint {
  readonly broken: string;
  readonly reason: string;
}

/** Records that never share a day with another one of the same keys, of which a null is one. */
export interface Apart {
  readonly keys: readonly string[];
  /** The fields with the first and the last day; a record without the latter has no end. */
  readonly start: string;
  readonly end: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** A list inside a record; each item is a row of its own table, with the record's id and a position from 1. */
export interface Items {
  /** The table in schema `source`. */
  readonly table: string;
  /** list: an array of objects or plain values. entries: an object keyed by date (`effective_date`). */
  readonly shape: 'list' | 'entries';
  readonly fields: Fields;
  readonly constraints?: readonly Constraint[];
  /** The most items of a record that a write may leave. Default: any number. */
  readonly most?: number;
  /** The list of the record inside whose items this one is: those items are named by `keys`, which are fields of both. */
  readonly within?: { readonly list: string; readonly field: string; readonly keys: readonly string[] };
}

/** The longest code of a person or a project. Unit: characters. */
export const MAX_CODE_CHARACTERS = 32;

/** The exclusive limit of rates: 24 hours at the highest rate fit DECIMAL(18,4), the ledger's type of amounts (A4). Unit: currency units an hour. */
export const RATE_LIMIT = '1000000000000';

/** The exclusive limit of amounts, without their sign: a fee fits DECIMAL(18,4), the ledger's type (A4). Unit: currency units. */
export const AMOUNT_LIMIT = '100000000000';

/** The exclusive limit of hours of work of any number of days: their share of an agreed fee is computed exactly (G2). Unit: hours. */
export const EFFORT_LIMIT = '100000000';

/** The most hours in a day. Unit: hours. */
export const HOURS_PER_DAY = 24;

/** The progress of work that is done. Unit: percent. */
export const WHOLE_PERCENT = 100;

/** The reasons for refusing hours and percentages, in a file and in a request. */
export const OUTSIDE_DAY = `outside 0 to ${HOURS_PER_DAY}`;
export const OUTSIDE_PERCENT = `outside 0 to ${WHOLE_PERCENT}`;
export const NOT_A_WEEK = `not 7 numbers from 0 to ${HOURS_PER_DAY}`;

/** The most lists and objects in a JSON value stored unchanged. Unit: lists and objects. */
export const MAX_JSON_PARTS = 1000;

export const STATUSES = { 0: 'draft', 1: 'tentative', 2: 'confirmed', 3: 'completed', 4: 'canceled' } as const;

/** Kinds of contracts, with what they earn. Without one, the other fields of the record say it. */
const CONTRACTS = {
  time: 'earns its fees',
  capped: 'earns its fees up to the budget',
  fixed: 'earns the agreed fee',
  internal: 'earns nothing',
} as const;

/** Moments at which a fixed contract earns its fee. */
const RECOGNITIONS = {
  progress: 'by the work that is done',
  evenly: 'by the days from start_date to end_date',
  done: 'on the day on which it ends',
  milestones: 'on the dates of milestones, by their amounts',
} as const;

/** Places of billed expenses: in an agreed fee or beside it. */
const FEE_EXPENSES = { inside: 'part of the agreed fee', on_top: 'billed beside it' } as const;

/** The contract of a project or phase: what it earns, and when. */
export const CONTRACT: Fields = {
  contract: { type: 'word', words: CONTRACTS },
  recognise: { type: 'word', words: RECOGNITIONS },
  fee_expenses: { type: 'word', words: FEE_EXPENSES },
  completed_on: { type: 'date' },
};

/** Where the days of a project or phase come from (K3): a service may compute those that nobody has set. */
export const DATES_FROM = {
  set: 'somebody has set them',
  computed: 'from what the record has; nobody has set them',
  start_set: 'start_date is set, and end_date computed',
  end_set: 'end_date is set, and start_date computed',
  unknown: "from a service that doesn't say",
} as const;

/** The most dated bill rates, and rate cards, that a write may leave in one list. Unit: entries. */
export const MAX_RATES = 1000;

/** The fields of an entry of bill rates: the rate from a day on. The rate of today's field holds before the first one. */
const DATED_RATE: Fields = { rate: { type: 'rate' }, effective_date: { type: 'date', required: true } };

/** Returns the list of dated bill rates of a record. */
export function billRates(table: string): Items {
  return { table, shape: 'list', fields: DATED_RATE, most: MAX_RATES };
}

/** Returns the list of dated bill rates of the members of a team. @param keys The fields that name a member. */
export function teamRates(team: string, keys: readonly string[]): Items {
  const fields = { ...Object.fromEntries(keys.map((key) => [key, { type: 'id' } as const])), ...DATED_RATE };
  return {
    table: `${team}_rates`,
    shape: 'list',
    fields,
    most: MAX_RATES,
    within: { list: team, field: 'rates', keys },
  };
}

/** Returns the list of rate cards that hold for a record, each from a day on; an entry without a card ends them. */
export function rateCardsIn(table: string): Items {
  const fields: Fields = { rate_card_id: { type: 'id', refers: 'rate_cards' }, effective_date: { type: 'date' } };
  return { table, shape: 'list', fields, most: MAX_RATES };
}

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

export const MAX_INTEGER = 2147483647;
export const MIN_INTEGER = -2147483648;

/** The times a record was created and last changed; every record has both (1.5). */
export const TIMES: Fields = {
  created: { type: 'timestamp', isMoment: true },
  modified: { type: 'timestamp', isMoment: true },
};

/** The accounts that created and last changed a record; stored unchanged, unlike TIMES (1.5). */
export const AUTHORS: Fields = { created_by: { type: 'id' }, modified_by: { type: 'id' } };

export const ENDS_AFTER_START: Constraint = {
  broken: 'end_date < start_date',
  reason: 'end_date is before start_date',
};
