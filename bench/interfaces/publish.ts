import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageDirectory } from '../../src/config/package.ts';
import { openDatabase, quoteName, quoteText } from '../../src/database/database.ts';
import { buildWithoutRates } from '../../src/model/without-rates.ts';
import { median } from '../measure.ts';

/*
 * The copy without rates against DuckDB's COPY FROM DATABASE of the whole generation, in turn:
 * `node dist/bench/interfaces/publish.js --database bench/data/m.duckdb --runs 5`.
 */

/** The highest ratio of the copy's time to the comparator's. */
const LIMIT = 1.5;

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'bench/data/m.duckdb' },
    runs: { type: 'string', default: '5' },
  },
});
if (!existsSync(values.database)) throw new Error(`there is no database ${values.database}: load one first`);
const target = `${values.database}.copied`;

/** Measures filling a new database from an attached generation, with the checkpoint. Unit: s. */
async function time(fill: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>): Promise<number> {
  await rm(target, { force: true });
  const database = await openDatabase(target);
  try {
    await database.run(`ATTACH ${quoteText(values.database)} AS generation (READ_ONLY)`);
    const startedAt = performance.now();
    await fill(database);
    await database.run('CHECKPOINT');
    return (performance.now() - startedAt) / 1000;
  } finally {
    await database.close();
    await rm(target, { force: true });
  }
}

const whole: number[] = [];
const withoutRates: number[] = [];
for (let run = 0; run < Number(values.runs); run += 1) {
  whole.push(
    await time(async (database) => {
      const [row] = await database.rows<{ name: string }>('SELECT current_database() AS name');
      await database.run(`COPY FROM DATABASE generation TO ${quoteName(row?.name ?? '')}`);
    }),
  );
  withoutRates.push(await time((database) => buildWithoutRates(database, join(packageDirectory, 'sql'))));
}
const ratio = median(withoutRates) / median(whole);
process.stdout.write(
  `COPY FROM DATABASE ${median(whole).toFixed(2)} s, the copy without rates ${median(withoutRates).toFixed(2)} s: ratio ${ratio.toFixed(2)}, must be at most ${LIMIT}: ${ratio <= LIMIT ? 'ok' : 'OVER'}\n`,
);
if (ratio > LIMIT) process.exitCode = 1;
