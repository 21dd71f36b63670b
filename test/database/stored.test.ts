import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';

/** Names of all lengths around what the engine stores in place, each in many rows, so that they lie at places that repeat. */
const NAMES = Array.from({ length: 30 }, (_, length) => 'é'.repeat(length % 3) + 'x'.repeat(length));

it.each([
  ['computed for each row', "name || i || ''"],
  ['of a table, at places that repeat', 'name'],
])('texts %s are read back to back', async (_, text) => {
  const database = await openDatabase(':memory:');
  try {
    const names = NAMES.map((name) => `'${name}'`).join(', ');
    await database.run(`CREATE TABLE named AS SELECT i, [${names}][i * 7 % 30 + 1] AS name FROM range(5000) AS r (i)`);
    const sql = `SELECT ${text} AS text FROM named ORDER BY i`;
    const rows = await database.rows<{ text: string }>(sql);
    const read: Uint8Array[] = [];
    // A copy, because the next chunk takes the place of this one.
    for await (const chunk of (await database.columns(sql)).chunks) read.push(Uint8Array.from(chunk.texts(0)));
    expect(Buffer.concat(read).toString()).toBe(rows.map((row) => row.text).join(''));
  } finally {
    await database.close();
  }
});
