import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { loadCatalogues } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import type { Catalogues } from '../../src/numbers/report/catalogue/rates.ts';
import { planList } from '../../src/numbers/report/plan/plan-list.ts';
import { parseQuery } from '../../src/numbers/report/request/parse-query.ts';
import { isFormat, writeTable } from '../../src/numbers/write/formats.ts';
import { quote, withConnection } from '../connection.ts';
import { runReport } from '../reports.ts';

/*
 * One measured list in a separate process: `node dist/bench/interfaces/formats-step.js FILE WHAT END` prints a line of JSON.
 * WHAT is a format or a comparator: copy-csv, copy-json and copy-parquet are DuckDB's COPY of the same query,
 * chunks reads its result without conversion.
 */

const START = '2022-01-01';

async function writeFormat(database: Database, catalogues: Catalogues, what: string, end: string, file: string) {
  if (!isFormat(what) || what === 'xlsx') throw new Error(`${what} is neither a format of one table nor a comparator`);
  const table = await runReport(database, catalogues, 'lines', { start_date: START, end_date: end });
  await pipeline(Readable.from(writeTable(what, table)), createWriteStream(file));
}

async function compare(databaseFile: string, catalogues: Catalogues, what: string, end: string, file: string) {
  const parameters = { start_date: START, end_date: end };
  const company = { loggedDays: [], weekStartsOn: 1, fiscalYearStartsIn: 1 };
  const { sql } = planList(parseQuery(catalogues, 'lines', parameters, { today: end, company }), company);
  const [, format] = what.split('-');
  await withConnection(databaseFile, async (connection) => {
    if (format) await connection.run(`COPY (${sql}) TO ${quote(file)} (FORMAT ${format})`);
    else {
      const result = await connection.stream(sql);
      while ((await result.fetchChunk())?.rowCount);
    }
  });
}

const [databaseFile = '', what = '', end = ''] = process.argv.slice(2);
const catalogues = loadCatalogues(join(packageDirectory, 'reports'));
const file = `${databaseFile}.written`;
const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
if (isFormat(what)) {
  const database = await openDatabase(databaseFile, { readOnly: true });
  await writeFormat(database, catalogues, what, end, file);
  await database.close();
} else await compare(databaseFile, catalogues, what, end, file);
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpu);
const { maxRSS } = process.resourceUsage();
process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, maxRssMb: maxRSS / 1024 })}\n`);
