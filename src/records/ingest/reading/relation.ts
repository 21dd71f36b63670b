import { type Database, quoteName, quoteText } from '../../../base/database/index.ts';

/** The largest record, and the largest .json file that isn't an array. Unit: bytes. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

export interface ReadableFile {
  readonly number: number;
  readonly path: string;
  /** lines: one JSON value per line. array: one JSON array. values: JSON values in sequence. */
  readonly layout: 'lines' | 'array' | 'values' | 'parquet';
  /** True if malformed lines appear as [reason, line]. */
  readonly marksBroken?: boolean;
}

const NOTHING = `SELECT CAST(NULL AS INTEGER) AS file, CAST(NULL AS VARCHAR) AS json, CAST(NULL AS VARCHAR) AS problem,
    CAST(NULL AS BIGINT) AS container_row, CAST(NULL AS BIGINT) AS container_id WHERE FALSE`;

/**
 * Builds SQL for the records of files, in file order: file (its number), json (the original text),
 * problem (the error of a malformed record, else null), container_row and container_id (null unless nested).
 * @param dateColumns Date fields, which Parquet files may hold as timestamps at midnight.
 */
export async function buildRelation(
  database: Database,
  files: readonly ReadableFile[],
  dateColumns: readonly string[],
): Promise<string> {
  const parts = await Promise.all(
    groupAlike(files).map((group) => {
      const [first] = group;
      return first?.layout === 'parquet' ? parquetRelation(database, first, dateColumns) : jsonRelation(group);
    }),
  );
  return parts.length === 0 ? NOTHING : parts.join('\n  UNION ALL\n  ');
}

function groupAlike(files: readonly ReadableFile[]): ReadableFile[][] {
  const groups: ReadableFile[][] = [];
  for (const file of files) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const alike =
      last?.layout === file.layout &&
      (last.marksBroken ?? false) === (file.marksBroken ?? false) &&
      file.layout !== 'parquet';
    if (group && alike) group.push(file);
    else groups.push([file]);
  }
  return groups;
}

function jsonRelation(group: readonly ReadableFile[]): string {
  const [first] = group;
  const format = { lines: 'newline_delimited', array: 'array', values: 'unstructured', parquet: '' }[
    first?.layout ?? 'lines'
  ];
  const reader = `read_json_objects([${group.map(({ path }) => quoteText(escapeGlob(path))).join(', ')}], format = '${format}',
    ${group.length > 1 ? 'filename = true, ' : ''}maximum_object_size = ${MAX_RECORD_BYTES})`;
  const paths = group.map(({ path }) => quoteText(path)).join(', ');
  const number =
    group.length === 1 ? `${first?.number}` : `${(first?.number ?? 1) - 1} + list_position([${paths}], filename)`;
  const problem = first?.marksBroken
    ? `CASE WHEN json_type(json) = 'ARRAY' THEN json_extract_string(json, 0) END`
    : 'NULL';
  return `SELECT CAST(${number} AS INTEGER) AS file, CAST(json AS VARCHAR) AS json, CAST(${problem} AS VARCHAR) AS problem,
    CAST(NULL AS BIGINT) AS container_row, CAST(NULL AS BIGINT) AS container_id
  FROM ${first?.layout === 'values' ? `(${unwrap(reader)})` : reader}`;
}

/** Unwraps an object whose list `data` holds the records; any other value is a record. */
function unwrap(reader: string): string {
  const wrapped = `from_json(json_extract(json, '$.data'), '["JSON"]')`;
  return `SELECT * REPLACE (COALESCE(unnest(CASE WHEN json_type(json, '$.data') = 'ARRAY' THEN ${wrapped} ELSE [json] END), 'null') AS json)
  FROM ${reader}`;
}

/** Converts each row to its JSON object. Decimals become strings, which keep every digit. */
async function parquetRelation(
  database: Database,
  file: ReadableFile,
  dateColumns: readonly string[],
): Promise<string> {
  const reader = `read_parquet(${quoteText(escapeGlob(file.path))})`;
  const columns = await database.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${reader}`);
  const members = columns.map(({ column_name: name, column_type: type }) => {
    return `${quoteText(name)}: ${jsonReady(quoteName(name), type, dateColumns.includes(name))}`;
  });
  return `SELECT CAST(${file.number} AS INTEGER) AS file, CAST(to_json({${members.join(', ')}}) AS VARCHAR) AS json,
    CAST(NULL AS VARCHAR) AS problem, CAST(NULL AS BIGINT) AS container_row, CAST(NULL AS BIGINT) AS container_id
  FROM ${reader}`;
}

const TYPES_AS_TEXT =
  /\b(DECIMAL\(\d+,\d+\)|FLOAT|BLOB|UUID|TIMESTAMP WITH TIME ZONE|TIMESTAMP_NS|TIMESTAMP_MS|TIMESTAMP_S)/g;

function jsonReady(column: string, type: string, isDate: boolean): string {
  if (isDate && type.startsWith('TIMESTAMP')) {
    return `CASE WHEN date_trunc('day', ${column}) = ${column} THEN CAST(CAST(${column} AS DATE) AS VARCHAR) ELSE CAST(${column} AS VARCHAR) END`;
  }
  if (type === 'TIMESTAMP WITH TIME ZONE') return `CAST(${column} AT TIME ZONE 'UTC' AS VARCHAR)`;
  if (type.startsWith('TIMESTAMP')) return `CAST(CAST(${column} AS TIMESTAMP) AS VARCHAR)`;
  const ready = type.replaceAll(TYPES_AS_TEXT, 'VARCHAR');
  return ready === type ? column : `CAST(${column} AS ${ready})`;
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]');
}
