import { type Database, quoteName, quoteText } from '../../database/database.ts';
import type { Resource } from '../../resource/resource.ts';
import { LEFT_OUT, REASONS, RECORD } from './record-query.ts';

/** Stores the first row of each file, which gives a row's position in its file until rows are deleted. */
export async function notePositions(database: Database, table: string): Promise<void> {
  await database.run(`
    UPDATE input_files SET records = place.records, first_row = place.first_row
    FROM (
      SELECT origin.file AS file, count(*) AS records, min(rowid) AS first_row
      FROM ${table}
      WHERE origin.container_row IS NULL
      GROUP BY ALL
    ) AS place
    WHERE place.file = input_files.number`);
}

export async function setRecordsAside(database: Database, resource: Resource): Promise<void> {
  const table = `source.${resource.name}`;
  const paths = resource.fields[resource.id]?.from ?? [resource.id];
  const ids = paths.map((path) => `json_extract_string(${RECORD}, ${quoteText(`$.${quoteName(path)}`)})`).join(', ');
  await database.run(`
    INSERT INTO source.rejected
    SELECT ${quoteText(resource.name)}, file.name, COALESCE(origin.container_row, bad.rowid) - file.first_row + 1,
      CASE WHEN json_valid(${RECORD}) THEN COALESCE(${ids}) END, NULL, ${REASONS}, ${RECORD}
    FROM ${table} AS bad
    JOIN input_files AS file ON file.number = origin.file
    WHERE ${REASONS} IS NOT NULL
    ORDER BY bad.rowid;
    DELETE FROM ${table} WHERE ${REASONS} IS NOT NULL;`);
}

/**
 * Stores the values left out of loaded records.
 * @returns The number of values.
 */
export async function setValuesAside(database: Database, { name, id }: Resource): Promise<number> {
  const [inserted] = await database.rows<{ Count: number }>(`
    INSERT INTO source.rejected
    SELECT ${quoteText(name)}, file.name, COALESCE(origin.container_row, bad.row) - file.first_row + 1, CAST(bad.id AS VARCHAR), value.field,
      [value.reason], value.text
    FROM (
      SELECT rowid AS row, ${id} AS id, origin, unnest(${LEFT_OUT}) AS value
      FROM source.${name}
      WHERE origin.fault IS NOT NULL
    ) AS bad
    JOIN input_files AS file ON file.number = origin.file
    ORDER BY bad.row, value.field`);
  return inserted?.Count ?? 0;
}

/** Moves a list's bad items into source.rejected. @param table The list's table. */
export async function setItemsAside(
  database: Database,
  { name, id }: Resource,
  list: string,
  table: string,
): Promise<void> {
  await database.run(`
    INSERT INTO source.rejected
    SELECT ${quoteText(name)}, file.name, origin.container_row - file.first_row + 1, CAST(${id} AS VARCHAR),
      format('${list}[{}]', position), ${REASONS}, ${RECORD}
    FROM ${table} AS bad
    JOIN input_files AS file ON file.number = origin.file
    WHERE ${REASONS} IS NOT NULL
    ORDER BY bad.rowid;
    DELETE FROM ${table} WHERE ${REASONS} IS NOT NULL;`);
}
