import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openDatabase, quoteName, quoteText } from '../../src/base/database/database.ts';
import { buildWithoutRates } from '../../src/numbers/model/without-rates.ts';
import { compare, timeWork } from '../measure.ts';

/*
 * The copy without rates against DuckDB's COPY FROM DATABASE of the whole generation, by processor time:
 * `node dist/bench/interfaces/publish.js --database bench/data/m.duckdb`.
 */

const { values } = parseArgs({ options: { database: { type: 'string', default: 'bench/data/m.duckdb' } } });
if (!existsSync(values.database)) throw new Error(`there is no database ${values.database}: load one first`);
const target = `${values.database}.copied`;

/** Measures filling a new database from an attached generation, with the checkpoint. Unit: s. */
async function time(fill: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>): Promise<number> {
  await rm(target, { force: true });
  const database = await openDatabase(target);
  try {
    await database.run(`ATTACH ${quoteText(values.database)} AS generation (READ_ONLY)`);
    return await timeWork(async () => {
      await fill(database);
      await database.run('CHECKPOINT');
    });
  } finally {
    await database.close();
    await rm(target, { force: true });
  }
}

await compare(
  'the copy without rates | COPY FROM DATABASE',
  1.5,
  () => time((database) => buildWithoutRates(database, join(packageDirectory, 'sql'))),
  () =>
    time(async (database) => {
      const [row] = await database.rows<{ name: string }>('SELECT current_database() AS name');
      await database.run(`COPY FROM DATABASE generation TO ${quoteName(row?.name ?? '')}`);
    }),
);
