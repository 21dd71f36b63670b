import { type Database, quoteText } from '../../base/database/index.ts';
import type { Pulled, PulledResource } from '../../pull/index.ts';
import type { IngestSummary } from '../../records/ingest/index.ts';
import { findResource, type Resource } from '../../records/resource/index.ts';
import { differ } from '../generation/record-versions.ts';
import type { PulledRates } from '../rates/pulled-rates.ts';

/*
 * The records of a run are attached to the working database as `pulled`, in tables like its own.
 * pulled.source.difference has a row for each record that differs: resource, record_id, what.
 */

/** The difference of a record from its stored version. */
export type What = 'new' | 'changed' | 'gone';

export interface DifferenceCount {
  readonly resource: string;
  readonly what: What;
  readonly count: number;
}

export interface ComparedList {
  readonly resource: Resource;
  /** True if the list has all records of the source, so that absent records are gone. */
  readonly isWhole: boolean;
  /** True if other records imply these, which then count as new only if they are unknown. */
  readonly isImplied?: boolean;
}

/** The records of a run, validated. */
export interface LoadedRecords {
  readonly pulled: Pulled;
  readonly lists: readonly ComparedList[];
  /** The settings of the company, as the text of a settings file, if they came. */
  readonly settings: string | undefined;
  /** True if the settings are those of the command. */
  readonly areGiven: boolean;
  /** True if files beside the source decide the fields that it doesn't have. */
  readonly hasFields: boolean;
  /** The validation of the records; undefined if there were none to validate. */
  readonly load: IngestSummary | undefined;
}

/** The records of a run, compared with those of the working database. */
export interface ComparedRecords extends LoadedRecords {
  readonly differences: readonly DifferenceCount[];
  /** The rates that the source has changed. */
  readonly rates: PulledRates;
  /** The lists that lacked records which the source still has. */
  readonly incomplete: ReadonlySet<string>;
}

/** Returns the lists to compare, and with them the types that time off implies. */
export function comparedLists(pulled: readonly PulledResource[]): ComparedList[] {
  const listed = pulled.map(({ resource: name, isWhole }) => ({ resource: findResource(name), isWhole }));
  // Time off names its types, so a type may come with it.
  const types = findResource('timeoff_types');
  const hasTypes = listed.length === 0 || listed.some(({ resource }) => resource === types);
  return hasTypes ? listed : [...listed, { resource: types, isWhole: false, isImplied: true }];
}

/**
 * Finds the records that differ from the working database, and fills empty times.
 * @param at The moment of the run, as YYYY-MM-DD HH:MM:SS in UTC: the time of a change whose record has none.
 */
export async function findDifferences(session: Database, lists: readonly ComparedList[], at: string): Promise<void> {
  await session.run(`CREATE OR REPLACE TABLE pulled.source.difference AS
    SELECT CAST(NULL AS VARCHAR) AS resource, CAST(NULL AS VARCHAR) AS record_id, CAST(NULL AS VARCHAR) AS what WHERE FALSE`);
  for (const { resource, isWhole, isImplied = false } of lists) {
    await session.run(`
      INSERT INTO pulled.source.difference ${selectNewOrChanged(resource, isImplied)};
      INSERT INTO pulled.source.difference ${isWhole ? selectAbsent(resource) : selectNamed(resource)};
      ${fillTimes(resource, at)}`);
  }
  await keepUsedTypes(session);
}

/** Removes from the differences types that remaining time off refers to: a load keeps them, too. */
export async function keepUsedTypes(session: Database): Promise<void> {
  await session.run(`
    DELETE FROM pulled.source.difference WHERE resource = 'timeoff_types' AND what = 'gone' AND record_id IN (
      SELECT CAST(timeoff_type_id AS VARCHAR) FROM source.timeoffs
      WHERE CAST(timeoff_id AS VARCHAR) NOT IN (SELECT record_id FROM pulled.source.difference WHERE resource = 'timeoffs')
      UNION ALL
      SELECT CAST(timeoff_type_id AS VARCHAR) FROM pulled.source.timeoffs)`);
}

/** Removes from the differences records of a list, and the records nested in them. */
export async function keepPresent(
  session: Database,
  { name, id, nested }: Resource,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const listed = ids.map(quoteText).join(', ');
  const keep = (resource: string, found: string) =>
    `DELETE FROM pulled.source.difference WHERE resource = ${quoteText(resource)} AND record_id IN (${found})`;
  const keepNested = Object.values(nested).map((resource) => {
    const inner = findResource(resource);
    return keep(
      resource,
      `SELECT CAST(${inner.id} AS VARCHAR) FROM ${inner.table} WHERE CAST(${id} AS VARCHAR) IN (${listed})`,
    );
  });
  await session.run([keep(name, listed), ...keepNested].join(';'));
}

export function readDifferences(session: Database): Promise<DifferenceCount[]> {
  return session.rows<DifferenceCount>(
    'SELECT resource, what, count(*) AS count FROM pulled.source.difference GROUP BY resource, what ORDER BY resource, what',
  );
}

/** Builds SQL of the new and the changed records. */
function selectNewOrChanged(resource: Resource, isImplied: boolean): string {
  const { name, table, id } = resource;
  return `SELECT ${quoteText(name)}, CAST(come.${id} AS VARCHAR),
      CASE WHEN stored.${id} IS NULL THEN 'new' ELSE 'changed' END
    FROM pulled.${table} AS come
    LEFT JOIN ${table} AS stored ON stored.${id} = come.${id}
    WHERE stored.${id} IS NULL ${isImplied ? '' : `OR ${differ(resource, { come: 'pulled.', stored: '' })}`}`;
}

/** Builds SQL of the records that a whole list lacks. */
function selectAbsent({ name: resource, table, id }: Resource): string {
  return `SELECT ${quoteText(resource)}, CAST(${id} AS VARCHAR), 'gone'
    FROM ${table}
    WHERE ${id} NOT IN (SELECT ${id} FROM pulled.${table})`;
}

/** Builds SQL of the records that a deletion log names, or whose new version is invalid. */
function selectNamed({ name: resource, table, id, fields }: Resource): string {
  const isOurs = `resource = ${quoteText(resource)}`;
  // A text that isn't the id itself, such as 1.5, must not be rounded to one.
  const stored = fields[id]?.type === 'key' ? 'record_id' : toInteger('record_id');
  return `SELECT ${quoteText(resource)}, CAST(${id} AS VARCHAR), 'gone'
    FROM ${table}
    WHERE ${id} NOT IN (SELECT ${id} FROM pulled.${table}) AND ${id} IN (
      SELECT ${stored} FROM pulled.source.deleted WHERE ${isOurs}
      UNION ALL
      SELECT ${stored} FROM pulled.source.rejected WHERE ${isOurs} AND item IS NULL)`;
}

/** Returns SQL that converts the text of an integer; null for any other text. */
function toInteger(text: string): string {
  return `CASE WHEN regexp_full_match(${text}, '[1-9][0-9]{0,17}') THEN TRY_CAST(${text} AS BIGINT) END`;
}

/** Builds SQL that fills the missing times of records (1.5). */
function fillTimes({ table, id }: Resource, at: string): string {
  const moment = `TIMESTAMP ${quoteText(at)}`;
  return `
    UPDATE pulled.${table} AS come SET created = stored.created FROM ${table} AS stored
    WHERE stored.${id} = come.${id} AND come.created IS NULL;
    UPDATE pulled.${table} SET created = COALESCE(created, ${moment}), modified = COALESCE(modified, ${moment})
    WHERE created IS NULL OR modified IS NULL`;
}
