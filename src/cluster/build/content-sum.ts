import { type Database, quoteName, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { type LakeColumn, readLakeColumns } from '../lake/lake-types.ts';
import type { TrinoClient } from '../trino/trino-client.ts';
import { relationAt, type TrinoPlace } from '../trino/trino-engine.ts';

/** The number of a relation's rows, and a sum that a changed or damaged file would change. Both are integers as texts. */
interface ContentSum {
  readonly relation: string;
  readonly rows: string;
  readonly sum: string;
}

/** The digits of a row's MD5 that are summed: more don't fit a BIGINT. Unit: hexadecimal digits. */
const HASH_DIGITS = 15;

/** The text of a null, which no list, number or day has. */
const NULL_TEXT = quoteText('\\N');

/**
 * Compares the rows of relations here with their rows on the cluster, in any order.
 * @param relations With their schemas, such as "core.people".
 * @throws AppError cluster if they differ.
 */
export async function assertSameContent(
  database: Database,
  client: TrinoClient,
  place: TrinoPlace,
  relations: readonly string[],
): Promise<void> {
  const columns = await Promise.all(relations.map((relation) => readLakeColumns(database, relation)));
  const selectAll = (select: (relation: string, own: readonly LakeColumn[]) => string) =>
    relations.map((relation, index) => select(relation, columns[index] ?? [])).join('\nUNION ALL\n');
  const here = await database.rows<ContentSum>(selectAll(sumInDuckdb));
  const { rows } = await client.run(
    selectAll((relation, own) => sumInTrino(relation, relationAt(place, relation), own)),
  );
  const there = new Map(
    rows.map(([relation, count, sum]) => [String(relation), { rows: String(count), sum: String(sum) }]),
  );
  for (const sum of here) assertSame(sum, there.get(sum.relation));
}

function assertSame(here: ContentSum, there: Omit<ContentSum, 'relation'> = { rows: '0', sum: '' }): void {
  if (here.rows === there.rows && here.sum === there.sum) return;
  const difference =
    here.rows === there.rows
      ? `${here.rows} rows with other values (checksum ${here.sum} here, ${there.sum} there)`
      : `${here.rows} rows here, and ${there.rows} there`;
  throw new AppError('cluster', `${here.relation} is not the same here and on the cluster: ${difference}`, {
    hint: 'A file was damaged or changed on its way. Nothing was published: check the disks of the lake, and load again.',
  });
}

function sumInDuckdb(relation: string, columns: readonly LakeColumn[]): string {
  const hash = `CAST('0x' || substr(md5(row_text), 1, ${HASH_DIGITS}) AS BIGINT)`;
  return `
    SELECT ${quoteText(relation)} AS relation, CAST(count(*) AS VARCHAR) AS rows, CAST(COALESCE(sum(${hash}), 0) AS VARCHAR) AS sum
    FROM (SELECT ${rowText(columns.map(duckdbText))} AS row_text FROM ${relation}) AS texts`;
}

function sumInTrino(relation: string, copy: string, columns: readonly LakeColumn[]): string {
  const digits = `substr(lower(to_hex(md5(to_utf8(row_text)))), 1, ${HASH_DIGITS})`;
  const sum = `COALESCE(sum(CAST(from_base(${digits}, 16) AS DECIMAL(38, 0))), 0)`;
  return `
    SELECT ${quoteText(relation)} AS relation, CAST(count(*) AS VARCHAR) AS row_count, CAST(${sum} AS VARCHAR) AS content
    FROM (SELECT ${rowText(columns.map(trinoText))} AS row_text FROM ${copy}) AS texts`;
}

/** Returns SQL of a row as a text, for both engines. Trino would copy the text for each `||` of a chain. */
function rowText(values: readonly string[]): string {
  return `concat_ws('|', ${values.join(', ')})`;
}

/** Returns DuckDB's SQL of a value as a text: the same text as Trino's. */
function duckdbText({ name, type }: LakeColumn): string {
  const value = quoteName(name);
  let text = `CAST(${value} AS VARCHAR)`;
  if (type.endsWith('[]')) text = `'[' || array_to_string(${value}, ', ') || ']'`;
  else if (hasScale(type)) text = `rtrim(rtrim(${text}, '0'), '.')`;
  else if (type === 'TIMESTAMP') text = `strftime(${value}, '%Y-%m-%d %H:%M:%S.%f')`;
  return `COALESCE(${text}, ${NULL_TEXT})`;
}

/** Returns Trino's SQL of a value as a text. Decimals lose their final zeros, because the scales of the engines differ. */
function trinoText({ name, type }: LakeColumn): string {
  const value = quoteName(name);
  let text = `CAST(${value} AS VARCHAR)`;
  if (type.endsWith('[]')) text = `'[' || array_join(${value}, ', ') || ']'`;
  else if (hasScale(type)) text = `trim(TRAILING '.' FROM trim(TRAILING '0' FROM ${text}))`;
  else if (type === 'TIMESTAMP') text = `CAST(CAST(${value} AS TIMESTAMP(6)) AS VARCHAR)`;
  return `COALESCE(${text}, ${NULL_TEXT})`;
}

function hasScale(type: string): boolean {
  return /^DECIMAL\(\d+,[1-9]/.test(type);
}
