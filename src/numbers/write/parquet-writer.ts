import { quoteName, quoteText } from '../../base/database/index.ts';
import type { Table } from '../report/catalogue/table.ts';
import { copyStatements } from './copy.ts';
import { joinParquet } from './parquet-join.ts';
import { describeTable, openStatements } from './row-statements.ts';
import { isEnumeration, plainType, selectTyped } from './typed.ts';
import type { TypedColumn } from './value-sql.ts';

/** The rows of a row group, DuckDB's default. Unit: rows. */
const ROW_GROUP_ROWS = 122_880;

/**
 * The row groups of a statement, each compressed by one processor. Unit: row groups.
 * More at once need more memory for sorting.
 */
const STATEMENT_ROW_GROUPS = 4;

/**
 * The most distinct values of a column in a row group's dictionary. Unit: values.
 * With DuckDB's default, three times as many, giving up on unique line ids takes 5 % of the time.
 */
const DICTIONARY_VALUES = 8_192;

/**
 * Writes Parquet: decimals as DECIMAL, dates as DATE, ids as BIGINT.
 * The report's metadata and totals become key-value metadata.
 */
export async function* writeParquet(table: Table): AsyncIterable<Uint8Array> {
  const { statements, columns, close } = await openStatements(table);
  try {
    const metadata = Object.entries(describeTable(table)).map(
      ([key, value]) => `${quoteName(key)}: ${quoteText(value)}`,
    );
    const files = copyStatements(statements, {
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

/** Keeps enumerations: the engine writes them as texts, once a row group and faster than texts. */
function parquetType(column: TypedColumn): string {
  return isEnumeration(column.type) ? column.type : plainType(column);
}
