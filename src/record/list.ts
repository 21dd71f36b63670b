import { AppError, type FieldError } from '../error.ts';
import type { Field } from '../resource/field.ts';
import { plainField } from './node.ts';
import type { Kind } from './records.ts';
import { formatLiteral, parseValue } from './value.ts';

/** Records of a page where nobody says how many. Unit: records. */
export const DEFAULT_PER_PAGE = 50;

/** The most records of a page; who asks for more is given these. Unit: records. */
export const MAX_PER_PAGE = 200;

/** What an answer shows of each record. */
export interface View {
  /** Names of top-level fields; undefined for all. */
  readonly fields: readonly string[] | undefined;
  readonly expand: readonly string[];
}

/** All fields, and nothing that `expand` would add. */
export const WHOLE: View = { fields: undefined, expand: [] };

/** Which records a list holds, and how. */
export interface ListQuery extends View {
  /** SQL. */
  readonly where: string;
  readonly order: string;
  readonly page: number;
  readonly perPage: number;
}

/** Parameters that every list has beside its filters. */
export const LIST_PARAMETERS = ['page', 'per-page', 'sort', 'fields', 'expand', 'modified_since'] as const;

const VIEW_PARAMETERS = ['fields', 'expand'];

/**
 * Reads the parameters of a list.
 * @param sent By name, as text.
 * @throws AppError usage naming every parameter that is wrong.
 */
export function parseListQuery(kind: Kind, sent: ReadonlyMap<string, string>, seesRates: boolean): ListQuery {
  const faults: FieldError[] = [];
  const collect = <T>(field: string, parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      faults.push({ field, message: `${field}: ${(error as Error).message}` });
      return undefined;
    }
  };
  const own = [...LIST_PARAMETERS] as string[];
  const conditions = [...sent]
    .filter(([name]) => !own.includes(name))
    .flatMap(([name, text]) => collect(name, () => parseFilter(kind, name, text, sent, seesRates)) ?? []);
  const since = collect('modified_since', () => parseSince(sent.get('modified_since'))) ?? [];
  const query = {
    where: [...conditions, ...since, ...hidden(kind, sent)].join(' AND ') || 'TRUE',
    order: collect('sort', () => parseSort(kind, sent.get('sort'), seesRates)) ?? kind.shape.id,
    page: collect('page', () => parseCount(sent.get('page'), 1)) ?? 1,
    perPage: Math.min(MAX_PER_PAGE, collect('per-page', () => parseCount(sent.get('per-page'), DEFAULT_PER_PAGE)) ?? 1),
    fields: collect('fields', () => parseFields(kind, sent.get('fields'), seesRates)),
    expand: collect('expand', () => parseExpand(kind, sent.get('expand'), seesRates)) ?? [],
  };
  throwUsage(faults);
  return query;
}

/** Reads the parameters of one record. @throws AppError usage naming every parameter that is wrong. */
export function parseView(kind: Kind, sent: ReadonlyMap<string, string>, seesRates: boolean): View {
  const unknown = [...sent.keys()].filter((name) => !VIEW_PARAMETERS.includes(name));
  throwUsage(unknown.map((field) => ({ field, message: `${field}: there is no such parameter` })));
  const { fields, expand } = parseListQuery(kind, sent, seesRates);
  return { fields, expand };
}

/** Names that answers may have at their top: fields, lists, and what is worked out. */
export function shownNames({ shape, rules }: Kind, seesRates: boolean): string[] {
  const names = [
    ...Object.keys(shape.fields),
    ...Object.keys(shape.lists),
    ...(rules.present?.names ?? []),
    ...Object.keys(rules.expands ?? {}),
  ];
  return [...new Set(names)].filter((name) => isShown({ shape, rules }, name, seesRates));
}

/** Names that `expand` may have. */
export function expandNames(kind: Kind, seesRates: boolean): string[] {
  const names = [...kind.shape.expanded, ...Object.keys(kind.rules.expands ?? {})];
  return [...new Set(names)].filter((name) => isShown(kind, name, seesRates));
}

function isShown({ shape }: Kind, name: string, seesRates: boolean): boolean {
  return !shape.unshown.includes(name) && (seesRates || !shape.needsRates.includes(name));
}

function throwUsage(faults: readonly FieldError[]): void {
  if (faults.length > 0)
    throw new AppError('usage', faults.map(({ message }) => message).join('; '), { fields: faults });
}

/** @throws Error saying what is wrong. */
function parseFilter(
  kind: Kind,
  name: string,
  text: string,
  sent: ReadonlyMap<string, string>,
  seesRates: boolean,
): string {
  const { shape, rules } = kind;
  const special = rules.filters?.[name];
  if (special) return special(text, sent);
  const isWindow = shape.fields['date'] && !shape.fields['start_date'];
  if (isWindow && name === 'start_date') return `date >= ${parseLiteral({ type: 'date' }, text)}`;
  if (isWindow && name === 'end_date') return `date <= ${parseLiteral({ type: 'date' }, text)}`;
  const list = shape.lists[name];
  const field = shape.fields[name] ?? (list && plainField(list.fields));
  if (!field || field.type === 'week' || !isShown(kind, name, seesRates)) throw new Error('there is no such parameter');
  if (!list) return isAnyOf(columnOf(kind, name), { ...field, isCode: name === shape.code }, text);
  const [column = ''] = Object.keys(list.fields);
  return `${shape.id} IN (SELECT ${shape.id} FROM source.${list.table} WHERE ${isAnyOf(column, field, text)})`;
}

/** A field as it is where nobody has said it. */
function columnOf({ shape }: Kind, name: string): string {
  const standard = shape.defaults[name];
  const field = shape.fields[name];
  return standard === undefined || !field ? name : `COALESCE(${name}, ${formatLiteral(field, standard)})`;
}

/** SQL for whether a column is one of some values, which commas part; an empty one is none. */
export function isAnyOf(column: string, field: Field & { isCode?: boolean }, text: string): string {
  const literals = text.split(',').map((part) => parseLiteral(field, part));
  const values = literals.filter((literal) => literal !== 'NULL');
  const fold = (sql: string) => (field.isCode ? `lower(${sql})` : sql);
  const isListed = values.length > 0 ? [`${fold(column)} IN (${values.map(fold).join(', ')})`] : [];
  const isNone = values.length < literals.length ? [`${column} IS NULL`] : [];
  return `(${[...isListed, ...isNone].join(' OR ')})`;
}

/** A text as a literal of a field. @throws Error saying what is wrong. */
export function parseLiteral(field: Field, text: string): string {
  const parsed = parseValue(field, text.trim());
  if ('value' in parsed) return formatLiteral(field, parsed.value);
  throw new Error(`${JSON.stringify(text)} is ${parsed.fault}`);
}

function parseSince(text: string | undefined): string[] {
  return text === undefined ? [] : [`modified >= ${parseLiteral({ type: 'timestamp' }, text)}`];
}

function hidden({ rules }: Kind, sent: ReadonlyMap<string, string>): string[] {
  if (!rules.hides || rules.hides.unless.some((name) => sent.has(name))) return [];
  return [rules.hides.where];
}

/** Records that say when they were made stand newest first, others by their id. */
function parseSort(kind: Kind, text: string | undefined, seesRates: boolean): string {
  const { shape } = kind;
  if (text === undefined)
    return shape.resource.fields['created'] ? `created DESC NULLS LAST, ${shape.id} DESC` : shape.id;
  const terms = text.split(',').map((part) => {
    const name = part.trim().replace(/^-/, '');
    if (!shape.fields[name] || !isShown(kind, name, seesRates))
      throw new Error(`${JSON.stringify(name)} is no field to sort by`);
    return `${columnOf(kind, name)} ${part.trim().startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST`;
  });
  return [...terms, shape.id].join(', ');
}

function parseCount(text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new Error(`${JSON.stringify(text)} is not a whole number from 1`);
}

function parseFields(kind: Kind, text: string | undefined, seesRates: boolean): string[] | undefined {
  return text === undefined ? undefined : parseNames(text, shownNames(kind, seesRates));
}

/** What `fields` names is there, whether or not `expand` names it too. */
function parseExpand(kind: Kind, text: string | undefined, seesRates: boolean): string[] {
  return text === undefined ? [] : parseNames(text, expandNames(kind, seesRates));
}

function parseNames(text: string, known: readonly string[]): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new Error(`${JSON.stringify(unknown)} is not one of ${known.join(', ') || 'none'}`);
}
