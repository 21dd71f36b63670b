import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { BRIDGES } from '../../src/numbers/report/catalogue/bridges.ts';
import { writeJson } from '../../src/numbers/write/json-writer.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { compare, timeWork } from '../measure.ts';
import { runReport } from '../reports.ts';

/*
 * The report projects of a window as JSON with each bridge, against the same without, by processor time:
 * `node dist/bench/interfaces/bridges.js FILE START END`.
 */

const MUST = 2;

const [file = '', start_date = '', end_date = ''] = process.argv.slice(2);

const timeReport = (database: Database, bridge: Readonly<Record<string, string>>) =>
  timeWork(async () => {
    const table = await runReport(database, readCatalogues(), 'projects', { start_date, end_date, ...bridge });
    for await (const _ of writeJson(table));
  });

const database = await openDatabase(file, { readOnly: true });
try {
  for (const bridge of BRIDGES) {
    const step = `projects with the bridge of ${bridge} | without`;
    await compare(
      step,
      MUST,
      () => timeReport(database, { bridge }),
      () => timeReport(database, {}),
    );
  }
} finally {
  await database.close();
}
