import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, quoteText } from '../../src/base/database/database.ts';
import { makeFolder } from '../errors/gallery.ts';

/** The schemas and the aliases of attached files that SQL of the program names. */
const SCHEMAS = ['source', 'staging', 'core', 'marts', 'quality', 'reports', 'service', 'sync'];
const ALIASES = ['generation', 'pulled'];

/** A name of 200 bytes with its extension, the most allowed. */
const LONGEST = 'x'.repeat(193);

/** Names that mean something to the engine, and odd ones. */
const OTHERS = [
  ...['SOURCE', 'Plumbline', '.core', 'core.x', 'main', 'temp', 'system', 'memory', 'information_schema', 'select'],
  ...['two  words ', `it's "quoted"`, 'a.b.c', 'a;--b', '[ab]*{c}', '$1%\\n', 'größe', ':memory', LONGEST],
];

let folder = '';
let other = '';
beforeAll(async () => {
  folder = await makeFolder();
  other = join(folder, 'other.duckdb');
  await (await openDatabase(other)).close();
});
afterAll(() => rm(folder, { recursive: true }));

describe('the file name of a database does not matter to its schemas', () => {
  it.each([...SCHEMAS, ...ALIASES, 'plumbline', ...OTHERS])('%s', { tags: ['slow'] }, async (name) => {
    const file = join(folder, `${name}.duckdb`);
    const database = await openDatabase(file);
    for (const schema of SCHEMAS) {
      await database.run(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.one AS SELECT 1 AS number`);
      await database.run(`CREATE VIEW ${schema}.two AS SELECT number + 1 AS number FROM ${schema}.one`);
    }
    await database.close();
    const reader = await openDatabase(file, { readOnly: true });
    for (const alias of ALIASES) await reader.run(`ATTACH ${quoteText(other)} AS ${alias} (READ_ONLY)`);
    for (const schema of SCHEMAS) {
      expect(await reader.rows(`SELECT * FROM ${schema}.two`)).toEqual([{ number: 2 }]);
    }
    await reader.close();
  });
});
