import { quoteText } from '../../base/database/index.ts';
import { findResource, type Resource } from '../../records/resource/index.ts';

/*
 * The holders of bill rates in the records: a role, a person, a project or a phase by a field, a member of a team and a role of a rate card by an
 * item of a list. A holder has a rate without a day, which a source that knows no days sends, and dated rates in a list.
 */

/** The columns that name a holder: the record, and the item in it. */
export const HOLDER = ['level', 'id', 'people_id', 'phase_id', 'role_id'] as const;

/** The columns that name an item of a record. */
const ITEM_KEYS = ['people_id', 'phase_id', 'role_id'] as const;

type ItemKey = (typeof ITEM_KEYS)[number];

export type LevelName = 'role' | 'person' | 'project' | 'phase' | 'project_team' | 'phase_team' | 'rate_card';

/** A kind of holders of bill rates. */
export interface RateLevel {
  readonly name: LevelName;
  readonly resource: Resource;
  /** The columns of both tables that name a holder in its record; none if the record itself is one. */
  readonly keys: readonly ItemKey[];
  /** The table of the rates without a day, and their column. */
  readonly table: string;
  readonly rate: string;
  /** The table of the dated rates, in `rate` and `effective_date`: the same one for rate cards. */
  readonly datedTable: string;
}

const level = (name: LevelName, resource: string, given: Pick<RateLevel, 'table' | 'rate' | 'datedTable'>) => ({
  name,
  resource: findResource(resource),
  keys: [],
  ...given,
});

export const RATE_LEVELS: readonly RateLevel[] = [
  level('role', 'roles', { table: 'roles', rate: 'default_hourly_rate', datedTable: 'role_bill_rates' }),
  level('person', 'people', { table: 'people', rate: 'default_hourly_rate', datedTable: 'person_bill_rates' }),
  level('project', 'projects', { table: 'projects', rate: 'default_hourly_rate', datedTable: 'project_bill_rates' }),
  level('phase', 'phases', { table: 'phases', rate: 'default_hourly_rate', datedTable: 'phase_bill_rates' }),
  {
    ...level('project_team', 'projects', {
      table: 'project_team',
      rate: 'hourly_rate',
      datedTable: 'project_team_rates',
    }),
    keys: ['people_id', 'phase_id'],
  },
  {
    ...level('phase_team', 'phases', { table: 'phase_team', rate: 'hourly_rate', datedTable: 'phase_team_rates' }),
    keys: ['people_id'],
  },
  {
    ...level('rate_card', 'rate_cards', { table: 'rate_card_rates', rate: 'rate', datedTable: 'rate_card_rates' }),
    keys: ['role_id'],
  },
];

/** Returns SQL that is true of rows of one holder. */
export function isSameHolder(one: string, other: string): string {
  return HOLDER.map((column) => `${one}.${column} = ${other}.${column}`).join(' AND ');
}

/** Builds SQL of the holders that records have, each with its rate without a day. Of several items of a holder the last counts. */
export function selectRates(levels: readonly RateLevel[], prefix: string): string {
  const selects = levels.map((each) => {
    const { table, rate, keys } = each;
    if (keys.length === 0) return `SELECT ${nameHolder(each)}, ${rate} AS rate FROM ${prefix}source.${table}`;
    const isNamed = keys.includes('people_id') ? 'people_id IS NOT NULL' : 'effective_date IS NULL';
    return `SELECT ${nameHolder(each)}, last(${rate} ORDER BY position) AS rate
      FROM ${prefix}source.${table} WHERE ${isNamed} GROUP BY ALL`;
  });
  return unite(selects, 'CAST(NULL AS DECIMAL(18,4)) AS rate');
}

/** Builds SQL of the dated rates that records have: their holders, days and rates. */
export function selectDatedRates(levels: readonly RateLevel[], prefix: string): string {
  const selects = levels.map(
    (each) => `SELECT ${nameHolder(each)}, effective_date, rate FROM ${prefix}source.${each.datedTable}
      WHERE effective_date IS NOT NULL`,
  );
  return unite(selects, 'CAST(NULL AS DATE) AS effective_date, CAST(NULL AS DECIMAL(18,4)) AS rate');
}

/**
 * Builds SQL that gives holders their rates without a day.
 * @param rates A relation of holders, with `rate`.
 */
export function setRates({ name, resource, table, rate, keys }: RateLevel, prefix: string, rates: string): string {
  const same = [`given.id = held.${resource.id}`, ...keys.map((key) => `given.${key} = COALESCE(held.${key}, 0)`)];
  const isUndated = name === 'rate_card' ? 'AND held.effective_date IS NULL' : '';
  return `UPDATE ${prefix}source.${table} AS held SET ${rate} = given.rate
    FROM ${rates} AS given WHERE given.level = '${name}' AND ${same.join(' AND ')} ${isUndated}`;
}

/**
 * Builds SQL that adds dated rates to the lists of records, after those that they have.
 * @param rates A relation of holders, with `effective_date`, `rate` and `entry_id`.
 */
export function addDatedRates({ name, resource, datedTable, keys }: RateLevel, prefix: string, rates: string): string {
  const { id } = resource;
  const table = `${prefix}source.${datedTable}`;
  const order = [...keys, 'effective_date', 'entry_id'].map((column) => `added.${column}`).join(', ');
  return `INSERT INTO ${table} (${[id, 'position', ...keys, 'rate', 'effective_date'].join(', ')})
    SELECT added.id, COALESCE(listed.position, 0) + row_number() OVER (PARTITION BY added.id ORDER BY ${order}),
      ${[...keys.map((key) => `NULLIF(added.${key}, 0)`), 'added.rate', 'added.effective_date'].join(', ')}
    FROM ${rates} AS added
    LEFT JOIN (SELECT ${id} AS id, max(position) AS position FROM ${table} GROUP BY ALL) AS listed ON listed.id = added.id
    WHERE added.level = '${name}'`;
}

function nameHolder({ name, resource, keys }: RateLevel): string {
  const named = ITEM_KEYS.map((key) => `${keys.includes(key) ? `COALESCE(${key}, 0)` : '0'} AS ${key}`);
  return `${quoteText(name)} AS level, ${resource.id} AS id, ${named.join(', ')}`;
}

function unite(selects: readonly string[], more: string): string {
  if (selects.length > 0) return selects.join('\n    UNION ALL ');
  return `SELECT '' AS level, 0 AS id, 0 AS people_id, 0 AS phase_id, 0 AS role_id, ${more} WHERE FALSE`;
}
