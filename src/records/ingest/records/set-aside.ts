import { type Database, quoteName, quoteText } from '../../../base/database/index.ts';
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

/**
 * Returns SQL for the file and the row that a line, or a part of it, is from: `came.name` and `came.row`. Joined records are from
 * several rows, and a row with a fault is named by its own file.
 * @param bad A relation with number and line, and the field, or the list and the item, at fault.
 */
function joinOrigins(bad: string): string {
  return `(
      SELECT bad.*, file.name, COALESCE(of_part.own_row, of_line.own_row, bad.line) AS row
      FROM (${bad}) AS bad
      LEFT JOIN line_origins AS of_part ON of_part.number = bad.number AND of_part.line = bad.line
        AND (of_part.field = bad.field OR of_part.list = bad.list AND of_part.item = bad.item)
      LEFT JOIN line_origins AS of_line ON of_line.number = bad.number AND of_line.line = bad.line
        AND of_line.field IS NULL AND of_line.list IS NULL
      JOIN input_files AS file ON file.number = COALESCE(of_part.own_number, of_line.own_number, bad.number)
    ) AS came`;
}

export async function setRecordsAside(database: Database, resource: Resource): Promise<void> {
  const table = `source.${resource.name}`;
  const paths = resource.fields[resource.id]?.from ?? [resource.id];
  const ids = paths.map((path) => `json_extract_string(${RECORD}, ${quoteText(`$.${quoteName(path)}`)})`).join(', ');
  await database.run(`
    INSERT INTO source.rejected
    SELECT ${quoteText(resource.name)}, came.name, came.row, came.id, NULL, came.reasons, came.record
    FROM ${joinOrigins(`
      SELECT bad.rowid AS place, origin.file AS number, COALESCE(origin.container_row, bad.rowid) - file.first_row + 1 AS line,
        CASE WHEN json_valid(${RECORD}) THEN COALESCE(${ids}) END AS id, ${REASONS} AS reasons, ${RECORD} AS record,
        split_part(${REASONS}[1], ': ', 1) AS field, CAST(NULL AS VARCHAR) AS list, CAST(NULL AS BIGINT) AS item
      FROM ${table} AS bad
      JOIN input_files AS file ON file.number = origin.file
      WHERE ${REASONS} IS NOT NULL`)}
    ORDER BY came.place;
    DELETE FROM ${table} WHERE ${REASONS} IS NOT NULL;`);
}

/**
 * Stores the values left out of loaded records.
 * @returns The number of values.
 */
export async function setValuesAside(database: Database, { name, id }: Resource): Promise<number> {
  const [inserted] = await database.rows<{ Count: number }>(`
    INSERT INTO source.rejected
    SELECT ${quoteText(name)}, came.name, came.row, came.id, came.field, [came.reason], came.text
    FROM ${joinOrigins(`
      SELECT bad.row AS place, origin.file AS number, COALESCE(origin.container_row, bad.row) - file.first_row + 1 AS line,
        CAST(bad.id AS VARCHAR) AS id, value.field, value.reason, value.text, CAST(NULL AS VARCHAR) AS list, CAST(NULL AS BIGINT) AS item
      FROM (
        SELECT rowid AS row, ${id} AS id, origin, unnest(${LEFT_OUT}) AS value
        FROM source.${name}
        WHERE origin.fault IS NOT NULL
      ) AS bad
      JOIN input_files AS file ON file.number = origin.file`)}
    ORDER BY came.place, came.field`);
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
    SELECT ${quoteText(name)}, came.name, came.row, came.id, format('${list}[{}]', came.item), came.reasons, came.record
    FROM ${joinOrigins(`
      SELECT bad.rowid AS place, origin.file AS number, origin.container_row - file.first_row + 1 AS line, CAST(${id} AS VARCHAR) AS id,
        position AS item, ${REASONS} AS reasons, ${RECORD} AS record, CAST(NULL AS VARCHAR) AS field, ${quoteText(list)} AS list
      FROM ${table} AS bad
      JOIN input_files AS file ON file.number = origin.file
      WHERE ${REASONS} IS NOT NULL`)}
    ORDER BY came.place;
    DELETE FROM ${table} WHERE ${REASONS} IS NOT NULL;`);
}
