import { type Database, openDatabase } from '../../src/database/database.ts';
import { readCatalogues } from '../../src/generation/own-reports.ts';
import { BRIDGES } from '../../src/report/catalogue/bridges.ts';
import { writeJson } from '../../src/write/json-writer.ts';
import { median } from '../measure.ts';
import { runReport } from '../reports.ts';

/*
 * The report projects of a window as JSON with each bridge, against the same without: in turn, so that other load affects both.
 * `node dist/bench/interfaces/bridges.js FILE START END [RUNS]` prints the ratios; the exit code is 1 over the limit.
 */

const must = 2;

const [file = '', start_date = '', end_date = '', runs = '7'] = process.argv.slice(2);

/** Returns the seconds of a report. */
async function timeReport(database: Database, bridge: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now();
  const table = await runReport(database, readCatalogues(), 'projects', { start_date, end_date, ...bridge });
  for await (const _ of writeJson(table));
  return (performance.now() - startedAt) / 1000;
}

const database = await openDatabase(file, { readOnly: true });
try {
  const asked = [{}, ...BRIDGES.map((bridge) => ({ bridge }))];
  const seconds: number[][] = asked.map(() => []);
  for (const each of asked) await timeReport(database, each);
  for (let run = 0; run < Number(runs); run += 1)
    for (const [index, each] of asked.entries()) seconds[index]?.push(await timeReport(database, each));
  const [without = Number.NaN, ...others] = seconds.map(median);
  for (const [index, own] of others.entries()) {
    const ratio = own / without;
    process.stdout.write(
      `projects with the bridge of ${BRIDGES[index]} | without: ${own.toFixed(3)} s | ${without.toFixed(3)} s, ${ratio.toFixed(2)} x of at most ${must} x\n`,
    );
    if (ratio > must) process.exitCode = 1;
  }
} finally {
  await database.close();
}
