import { type Apart, type Constraint, type Fields, type Items, TIMES } from './field.ts';

/** The definition of a resource; what it leaves out has a default. */
export interface ResourceDefinition {
  readonly name: string;
  readonly id: string;
  readonly fields: Fields;
  readonly constraints?: readonly Constraint[];
  /** Constraints over a record, called `record`, and the tables of its lists, by their names. */
  readonly whole?: readonly Constraint[];
  readonly apart?: Apart;
  /** Lists inside the record, by field name. */
  readonly lists?: Readonly<Record<string, Items>>;
  /** Lists inside the record of records of another resource, by field name. */
  readonly nested?: Readonly<Record<string, string>>;
  readonly served?: Served;
}

/** A kind of record: a file of a dataset, an endpoint of the service, a table in schema `source`. */
export interface Resource extends Required<Omit<ResourceDefinition, 'served' | 'apart'> & Omit<Served, 'code'>> {
  /** The name in paths, with underscores. */
  readonly path: string;
  readonly table: string;
  /** True if it has a table of its own; otherwise `table` is SQL, and read-only. */
  readonly isStored: boolean;
  readonly code: string | undefined;
  readonly apart: Apart | undefined;
}

/** The service's own rules for a resource (4.2). */
export interface Served {
  /** The allowed methods. Default: all. */
  readonly methods?: readonly Method[];
  /** Values of fields that a new record leaves out. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** Fields and lists required of a new record, beside the required fields. */
  readonly required?: readonly string[];
  /** Fields accepted in a body and never returned. */
  readonly unshown?: readonly string[];
  /** Fields set by the service only. */
  readonly computed?: readonly string[];
  /** Fields of answers that are computed from others: a load passes them over, and knows their names. */
  readonly counted?: readonly string[];
  /** Lists returned only if `expand` names them. */
  readonly expanded?: readonly string[];
  /** The external code of a record: unique regardless of case, at most MAX_CODE_CHARACTERS. */
  readonly code?: string;
  /** Decimals returned as strings, beside rates, which always are. */
  readonly decimalStrings?: readonly string[];
  /** The JSON types of decimals that readers of the live service's shape get in another type (4.1, --numbers). */
  readonly liveDecimals?: Readonly<Record<string, 'number' | 'string'>>;
  /** Fields and lists restricted to the scope `rates`, because a cost could be read from them. */
  readonly needsRates?: readonly string[];
  /** Aliases of fields: responses hold both names; `fields`, `sort` and filters take both (4.1). */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Fields visible to all but changed with the scope `rates` only: a new value may reveal a cost as a fee (A3). */
  readonly revealsCosts?: readonly string[];
  /** True if an empty list is answered with 204 (4.1). */
  readonly hasNoEmptyList?: boolean;
}

/** The methods on records, beside reading. */
export type Method = 'create' | 'update' | 'delete';

const METHODS: readonly Method[] = ['create', 'update', 'delete'];

export function defineResource(definition: ResourceDefinition): Resource {
  const { name, id, fields, constraints = [], whole = [], apart, lists = {}, nested = {}, served = {} } = definition;
  const required = Object.keys(fields).filter((field) => field !== id && fields[field]?.required);
  return {
    name,
    path: name,
    table: `source.${name}`,
    isStored: true,
    id,
    fields,
    constraints,
    whole,
    apart,
    lists,
    nested,
    methods: served.methods ?? METHODS,
    defaults: served.defaults ?? {},
    required: [...required, ...(served.required ?? [])],
    unshown: served.unshown ?? [],
    computed: [id, ...(served.computed ?? []), ...Object.keys(TIMES)],
    counted: served.counted ?? [],
    expanded: served.expanded ?? [],
    code: served.code,
    decimalStrings: served.decimalStrings ?? [],
    liveDecimals: served.liveDecimals ?? {},
    needsRates: served.needsRates ?? [],
    aliases: served.aliases ?? {},
    revealsCosts: served.revealsCosts ?? [],
    hasNoEmptyList: served.hasNoEmptyList ?? false,
  };
}

/** A list inside the items of another list of its record. */
export interface InnerList {
  /** Its name in the record. */
  readonly list: string;
  /** Its name in an item of the other list. */
  readonly field: string;
  /** The fields that name that item. */
  readonly keys: readonly string[];
  /** The fields of its own items. */
  readonly fields: Fields;
}

/** Returns the lists inside the items of a list. */
export function innerLists({ lists }: Pick<Resource, 'lists'>, name: string): InnerList[] {
  return Object.entries(lists).flatMap(([list, { within, fields }]) => {
    if (within?.list !== name) return [];
    const own = Object.entries(fields).filter(([key]) => !within.keys.includes(key));
    return [{ list, field: within.field, keys: within.keys, fields: Object.fromEntries(own) }];
  });
}

/** Returns the lists of a record itself, without those inside the items of others. */
export function ownLists({ lists }: Pick<Resource, 'lists'>): [name: string, items: Items][] {
  return Object.entries(lists).filter(([, { within }]) => within === undefined);
}

/** Returns SQL for the reason why a record shares days with another one, from the columns of the other one. */
export function sharedDaysReason({ id, keys, start, end }: Apart & { readonly id: string }): string {
  const place = `concat_ws(' and ', ${keys.map((key) => `'${key} ' || ${key}`).join(', ')})`;
  return `'${start} is within the days of ${id} ' || ${id} || ', ' || ${start} || ' to ' || COALESCE(CAST(${end} AS VARCHAR), 'no end')
      || ', for the same ' || ${place} || ': only one can hold on a day'`;
}
