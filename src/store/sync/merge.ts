import { quoteText } from '../../base/database/index.ts';
import type { Resource } from '../../records/resource/index.ts';
import type { Row } from '../record/node.ts';
import type { Change, Writer } from '../record/storage/changes.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import type { ComparedList, DifferenceCount, What } from './record-differences.ts';

export const SYNC: Writer = { id: '', label: 'sync', seesRates: true };

/**
 * The most changed records noted one by one, for which a refresh of the models is faster than a build.
 * Unit: records.
 */
export const MAX_NOTED = 10_000;

const METHODS: Readonly<Record<What, Change['method']>> = { new: 'POST', changed: 'PATCH', gone: 'DELETE' };

/**
 * Replaces the records of the working database that differ from the attached ones.
 * @param hasSettings True if the settings of the company came with them.
 * @param maxNoted The most changed records that are noted one by one.
 */
export async function mergeRecords(
  transaction: Transaction,
  lists: readonly ComparedList[],
  counts: readonly DifferenceCount[],
  hasSettings: boolean,
  maxNoted = MAX_NOTED,
): Promise<void> {
  const differing = lists.filter((list) => counts.some(({ resource }) => resource === list.resource.name));
  const sum = (found: readonly DifferenceCount[]) => found.reduce((all, { count }) => all + count, 0);
  const [settings] = await transaction.rows<{ differ: boolean }>(
    `SELECT ${hasSettings} AND EXISTS (FROM pulled.source.settings EXCEPT FROM source.settings) AS differ`,
  );
  const differ = settings?.differ === true;
  const isNoted = sum(counts) <= maxNoted && !differ;
  const before = isNoted ? await readVersions(transaction, differing, 'new') : undefined;
  transaction.run([...differing.flatMap(({ resource }) => replaceRecords(resource)), ...lists.flatMap(replaceNotes)]);
  if (differ)
    transaction.run(['DELETE FROM source.settings', 'INSERT INTO source.settings FROM pulled.source.settings']);
  if (!before) {
    const gone = sum(counts.filter(({ what }) => what === 'gone'));
    transaction.noteMany({ count: gone, select: selectDifferences("what = 'gone'") });
    return;
  }
  const after = await readVersions(transaction, differing, 'gone');
  for (const { resource } of differing) {
    const found = await transaction.rows<{ id: string; what: What }>(
      `${selectDifferences(`resource = ${quoteText(resource.name)}`, 'record_id AS id, what')} ORDER BY id`,
    );
    const changes = found.map(({ id, what }) => {
      return {
        method: METHODS[what],
        resource,
        before: before.get(resource)?.get(id),
        after: after.get(resource)?.get(id),
      };
    });
    transaction.note(changes);
  }
}

/**
 * Reads the stored records that differ, except those with one kind of difference.
 * @returns the records by id, by resource.
 */
async function readVersions(
  transaction: Transaction,
  lists: readonly ComparedList[],
  except: What,
): Promise<ReadonlyMap<Resource, ReadonlyMap<string, Row>>> {
  const versions = new Map<Resource, ReadonlyMap<string, Row>>();
  for (const { resource } of lists) {
    const where = `${resource.id} IN (${selectIds(resource, `what <> '${except}'`)})`;
    const rows = await transaction.records(resource, { where });
    versions.set(resource, new Map(rows.map((row) => [String(row[resource.id]), row])));
  }
  return versions;
}

function replaceRecords(resource: Resource): string[] {
  const { table, id, fields, lists } = resource;
  const tables = [
    { name: table, columns: Object.keys(fields) },
    ...Object.values(lists).map((items) => ({
      name: `source.${items.table}`,
      columns: [id, 'position', ...Object.keys(items.fields)],
    })),
  ];
  return tables.flatMap(({ name, columns }) => [
    `DELETE FROM ${name} WHERE ${id} IN (${selectIds(resource, "what <> 'new'")})`,
    `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM pulled.${name}
      WHERE ${id} IN (${selectIds(resource, "what <> 'gone'")})`,
  ]);
}

/** Builds the condition of the records set aside before that a run knows better. */
export function isReplaced({ resource: { name, table, id }, isWhole }: ComparedList): string {
  const isOurs = `resource = ${quoteText(name)}`;
  if (isWhole) return isOurs;
  return `${isOurs} AND (record_id IS NULL AND record IN (SELECT record FROM pulled.source.rejected) OR record_id IN (
    SELECT CAST(${id} AS VARCHAR) FROM pulled.${table}
    UNION ALL SELECT record_id FROM pulled.source.rejected WHERE ${isOurs} AND record_id IS NOT NULL
    UNION ALL SELECT record_id FROM pulled.source.deleted WHERE ${isOurs}))`;
}

/** Replaces the notes of a load about a list: records set aside, unknown fields, counts. */
function replaceNotes(list: ComparedList): string[] {
  const { resource, isWhole } = list;
  const { name, table } = resource;
  const isOurs = `resource = ${quoteText(name)}`;
  const count = (what: string) => `(SELECT count(*) FROM source.rejected WHERE ${isOurs} AND item IS ${what})`;
  const stored = `(SELECT count(*) FROM ${table})`;
  return [
    `DELETE FROM source.rejected WHERE ${isReplaced(list)}`,
    `INSERT INTO source.rejected SELECT * REPLACE (NULL AS file, NULL AS position) FROM pulled.source.rejected WHERE ${isOurs}`,
    `${isWhole ? `DELETE FROM source.load_notes WHERE ${isOurs};` : ''}
    INSERT INTO source.load_notes
    SELECT * FROM pulled.source.load_notes WHERE ${isOurs} EXCEPT SELECT * FROM source.load_notes WHERE ${isOurs}`,
    isWhole
      ? `DELETE FROM source.load_counts WHERE ${isOurs};
        INSERT INTO source.load_counts SELECT * REPLACE (0 AS files) FROM pulled.source.load_counts WHERE ${isOurs}`
      : `UPDATE source.load_counts SET loaded = ${stored}, set_aside = ${count('NULL')}, duplicates = 0,
      read = ${stored} + ${count('NULL')}, items_set_aside = ${count('NOT NULL')} WHERE ${isOurs}`,
  ];
}

function selectIds({ name, id, fields }: Resource, condition: string): string {
  const type = fields[id]?.type === 'key' ? 'VARCHAR' : 'BIGINT';
  return selectDifferences(`resource = ${quoteText(name)} AND ${condition}`, `CAST(record_id AS ${type})`);
}

/** Returns SQL over the records that differ. */
export function selectDifferences(condition: string, columns = 'resource, record_id'): string {
  return `SELECT ${columns} FROM pulled.source.difference WHERE ${condition}`;
}
