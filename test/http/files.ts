import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, quoteText } from '../../src/base/database/database.ts';

/** Reads the columns, the row count and the metadata of a Parquet file with DuckDB. */
export async function readParquet(bytes: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-parquet-'));
  const path = join(folder, 'sent.parquet');
  writeFileSync(path, bytes);
  const memory = await openDatabase(':memory:');
  try {
    const file = quoteText(path);
    // The first element of a schema is the row itself.
    const columns = await memory.rows<{ name: string }>(`FROM parquet_schema(${file}) OFFSET 1`);
    const [row] = await memory.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM read_parquet(${file})`);
    const keys = await memory.rows<{ key: string; value: string }>(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${file})`,
    );
    return {
      columns: columns.map(({ name }) => name),
      count: row?.count,
      metadata: new Map(keys.map(({ key, value }) => [key, value])),
    };
  } finally {
    await memory.close();
    rmSync(folder, { recursive: true });
  }
}
