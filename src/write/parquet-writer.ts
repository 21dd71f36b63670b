import { quoteText } from '../database/database.ts';
import type { Table } from '../report/table.ts';
import { copySelection } from './copy.ts';
import { refuseNested } from './nested.ts';
import { joinParquet } from './parquet-join.ts';
import { describeTable, openSelection } from './selection.ts';
import { isEnumeration, plainType, selectTyped } from './typed.ts';
import type { TypedColumn } from './value-sql.ts';

/** How many rows a row group has: DuckDB's own. Unit: rows. */
const ROW_GROUP_ROWS = 122_880;

/** A statement's row groups, which are compressed by one processor each. More at once need more memory for sorting. Unit: row groups. */
const STATEMENT_ROW_GROUPS = 4;

/**
 * The most values of a column that a row group lists once each. DuckDB's own is three times that, and it takes a twentieth of the time of all to
 * find that the ids of lines, each its own, are more. Unit: values.
 */
const DICTIONARY_VALUES = 8_192;

/**
 * Writes Parquet: decimals as DECIMAL, dates as DATE, ids as BIGINT; what the report says of itself, totals included, as key-value metadata.
 * @throws AppError usage for a table with nested rows, which Parquet isn't written with.
 */
export async function* writeParquet(table: Table): AsyncIterable<Uint8Array> {
  refuseNested(table, 'Parquet');
  const { selection, columns, close } = await openSelection(table);
  try {
    const metadata = Object.entries(describeTable(table)).map(([key, value]) => `${key}: ${quoteText(value)}`);
    const files = copySelection(selection, {
      select: (statement) => selectTyped(statement, columns, parquetType),
      options: `FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, DICTIONARY_SIZE_LIMIT ${DICTIONARY_VALUES},
        KV_METADATA {${metadata.join(', ')}}`,
      sliceRows: STATEMENT_ROW_GROUPS * ROW_GROUP_ROWS,
      busyProcessors: STATEMENT_ROW_GROUPS,
    });
    yield* joinParquet(files);
  } finally {
    await close();
  }
}

/** The engine writes the words of an enumeration as the texts that they are, and faster than texts: each word once a row group. */
function parquetType(column: TypedColumn): string {
  return isEnumeration(column.type) ? column.type : plainType(column);
}
