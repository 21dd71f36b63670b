import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/base/database/database.ts';
import { openSandbox } from '../../src/doors/sandbox/sandbox.ts';
import { median } from '../measure.ts';

/** The most time that the sandbox may add to a query. Unit: ms. */
const MOST_ADDED_MS = 30;

/** Typical queries: one row, sums, a join, a window function, a page of lines. */
const QUERIES: Readonly<Record<string, string>> = {
  'one row': 'SELECT 1 AS one',
  'sums by kind': 'SELECT kind, SUM(hours) AS hours, SUM(fee) AS fees FROM marts.ledger GROUP BY kind',
  'hours by project': `SELECT project, SUM(hours) AS hours FROM marts.ledger JOIN marts.projects USING (project_id)
    GROUP BY project ORDER BY hours DESC`,
  'best month of each person': `SELECT * FROM (
      SELECT people_id, date_trunc('month', date) AS month, SUM(hours) AS hours FROM marts.ledger GROUP BY ALL
    ) QUALIFY row_number() OVER (PARTITION BY people_id ORDER BY hours DESC, month) = 1`,
  '1,000 lines': 'SELECT * FROM marts.ledger ORDER BY date, line_id LIMIT 1000',
};

async function measure<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'bench/data/s.duckdb' }, runs: { type: 'string', default: '15' } },
});
const runs = Number(values.runs);
const database = await openDatabase(values.database, { readOnly: true });
const sandbox = openSandbox(values.database, { size: 1 });
let isWithin = true;
try {
  for (const [name, sql] of Object.entries(QUERIES)) {
    const direct: number[] = [];
    const boxed: number[] = [];
    // Both sides alternate, so that other load affects both; the first two runs warm up.
    for (let run = -2; run < runs; run += 1) {
      const [rows, inProcessMs] = await measure(() => database.rows(sql));
      const [answer, inSandboxMs] = await measure(() => sandbox.query({ sql }));
      if (answer.rows.length !== rows.length) throw new Error(`${name}: other rows than in process`);
      if (run < 0) continue;
      direct.push(inProcessMs);
      boxed.push(inSandboxMs);
    }
    const [inProcess, inSandbox] = [median(direct), median(boxed)];
    const added = inSandbox - inProcess;
    isWithin &&= added <= MOST_ADDED_MS;
    const times = `${inProcess.toFixed(1)} ms in process, ${inSandbox.toFixed(1)} ms in the sandbox`;
    process.stdout.write(`${name.padEnd(28)}${times}: ${added.toFixed(1)} ms more, of ${MOST_ADDED_MS}\n`);
  }
} finally {
  await sandbox.close();
  await database.close();
}
if (!isWithin) process.exitCode = 1;
