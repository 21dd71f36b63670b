import { type Database, quoteText } from '../../base/database/index.ts';
import type { Items, Resource } from '../../records/resource/index.ts';
import { DERIVED_DEFAULTS } from '../record/storage/derived-defaults.ts';
import type { FieldConflict } from './load-json.ts';

/*
 * A load keeps what others have written. Each field has three values: that of the files of the loads before (`loaded`), that of the
 * files of all loads now (`pulled`), and that of the live data:
 *
 *   the files give what they gave before, or nothing    the live data stay
 *   the live data have what the files gave before       the files count
 *   both give something new, and not the same           a conflict, which a person decides
 */

/** The side that counts in a conflict: the live data, or the files. */
export type Preferred = 'here' | 'files';

/** Three versions of a value, as SQL. */
interface Versions {
  readonly come: string;
  readonly stored: string;
  readonly base: string;
}

/** Builds the condition that the live data and the files both give something new. */
function isConflict({ come, stored, base }: Versions): string {
  return `(${come} IS NOT NULL AND ${come} IS DISTINCT FROM ${base} AND ${stored} IS DISTINCT FROM ${base}
    AND ${come} IS DISTINCT FROM ${stored})`;
}

/** Builds the condition that the value of the live data stays. @param preferred Decides conflicts. */
function isKept(versions: Versions, preferred: Preferred): string {
  const { come, stored, base } = versions;
  // Blank values take nothing away from somebody's text.
  const isUnchanged = `${come} IS NOT DISTINCT FROM ${base} OR (${come} IS NULL AND ${stored} IS DISTINCT FROM ${base})`;
  return preferred === 'here' ? `(${isUnchanged} OR ${isConflict(versions)})` : `(${isUnchanged})`;
}

/** Returns the fields that a file can give. */
function givenFields({ fields, id }: Resource): string[] {
  return Object.keys(fields).filter((name) => name !== id && fields[name]?.isMoment !== true);
}

/** Selects the records that both the live data and the files have, with three versions of each field. */
function shared({ table, id }: Resource): string {
  return `FROM pulled.${table} AS come JOIN ${table} AS stored USING (${id}) LEFT JOIN loaded.${table} AS base USING (${id})`;
}

/** Selects each record's items of a list as one text. */
function itemTexts(id: string, { table, fields }: Items, prefix: string): string {
  const item = Object.keys(fields).map((name) => `${quoteText(name)}: ${name}`);
  return `(SELECT ${id}, string_agg(CAST({${item.join(', ')}} AS VARCHAR), '; ' ORDER BY position) AS items
    FROM ${prefix}source.${table} GROUP BY ${id})`;
}

function listVersions(resource: Resource, items: Items): { from: string; versions: Versions } {
  const { table, id } = resource;
  const from = `FROM (SELECT ${id} FROM pulled.${table} INTERSECT SELECT ${id} FROM ${table}) AS both_have
    LEFT JOIN ${itemTexts(id, items, 'pulled.')} AS come USING (${id})
    LEFT JOIN ${itemTexts(id, items, '')} AS stored USING (${id})
    LEFT JOIN ${itemTexts(id, items, 'loaded.')} AS base USING (${id})`;
  return { from, versions: { come: 'come.items', stored: 'stored.items', base: 'base.items' } };
}

function fieldVersions({ name: resource, id }: Resource, name: string): Versions {
  // A file doesn't give what a load derives from the rest of a record.
  const isDerived = DERIVED_DEFAULTS.get(resource)?.[name] !== undefined;
  const come = isDerived ? `(CASE WHEN base.${id} IS NOT NULL THEN come.${name} END)` : `come.${name}`;
  return { come, stored: `stored.${name}`, base: `base.${name}` };
}

/** Reads the conflicts in the fields and lists of a resource. @param limit The most that are read. */
export function readConflicts(session: Database, resource: Resource, limit: number): Promise<FieldConflict[]> {
  const { name: resourceName, id, table, lists } = resource;
  const label =
    'name' in resource.fields ? `(SELECT name FROM ${table} AS named WHERE named.${id} = found.record_id)` : 'NULL';
  const ofFields = givenFields(resource).map((name) => {
    const versions = fieldVersions(resource, name);
    return `SELECT stored.${id} AS record_id, ${quoteText(name)} AS field, CAST(stored.${name} AS VARCHAR) AS here,
      CAST(come.${name} AS VARCHAR) AS files ${shared(resource)} WHERE ${isConflict(versions)}`;
  });
  const ofLists = Object.entries(lists).map(([name, items]) => {
    const { from, versions } = listVersions(resource, items);
    return `SELECT both_have.${id}, ${quoteText(name)}, ${versions.stored}, ${versions.come} ${from} WHERE ${isConflict(versions)}`;
  });
  return session.rows<FieldConflict>(`
    SELECT ${quoteText(resourceName)} AS resource, CAST(record_id AS VARCHAR) AS record_id, ${label} AS name, field, here, files
    FROM (${[...ofFields, ...ofLists].join('\nUNION ALL\n')}) AS found ORDER BY record_id, field LIMIT ${limit}`);
}

/** Builds the statements that give the records of the files the values that stay. @param preferred Decides conflicts. */
export function keepFields(resource: Resource, preferred: Preferred): string[] {
  const { table, id, lists } = resource;
  const names = givenFields(resource);
  const chosen = names.map(
    (name) =>
      `CASE WHEN ${isKept(fieldVersions(resource, name), preferred)} THEN stored.${name} ELSE come.${name} END AS ${name}`,
  );
  return [
    ...Object.values(lists).flatMap((items) => keepItems(resource, items, preferred)),
    ...(names.length === 0
      ? []
      : [
          `UPDATE pulled.${table} AS target SET ${names.map((name) => `${name} = chosen.${name}`).join(', ')}
          FROM (SELECT ${[`stored.${id}`, ...chosen].join(', ')} ${shared(resource)}) AS chosen WHERE chosen.${id} = target.${id}`,
        ]),
  ];
}

function keepItems(resource: Resource, items: Items, preferred: Preferred): string[] {
  const { id } = resource;
  const { from, versions } = listVersions(resource, items);
  const columns = [id, 'position', ...Object.keys(items.fields)].join(', ');
  return [
    `CREATE OR REPLACE TABLE pulled.source.kept_items AS SELECT both_have.${id} ${from} WHERE ${isKept(versions, preferred)}`,
    `DELETE FROM pulled.source.${items.table} WHERE ${id} IN (SELECT ${id} FROM pulled.source.kept_items)`,
    `INSERT INTO pulled.source.${items.table} (${columns}) SELECT ${columns} FROM source.${items.table}
      WHERE ${id} IN (SELECT ${id} FROM pulled.source.kept_items)`,
  ];
}
