import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { builtFile } from '../../src/base/config/package.ts';

/*
 * Processor time of commands, with that of the processes that they start, beside the least that a program must do:
 * `node -e` with the driver alone, which opens the file, sums hours by project, and prints. Linux only.
 */

/** The place of this process's ended children in the numbers of its status: their time, and that in the system. */
const TIME_OF_CHILDREN = 13;

/** The unit of those times, for every program of Linux. Unit: of a second. */
const TICKS = 100;

const program = builtFile('main.js');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '15' } },
});
const [database = '', start = '', end = ''] = positionals;

const bare = `
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const [file, start, end] = process.argv.slice(1);
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const sql = 'SELECT project_id, SUM(hours) FROM marts.lines WHERE date BETWEEN $1 AND $2 GROUP BY ALL';
  const rows = (await connection.runAndReadAll(sql, [start, end])).getRows();
  console.log(rows.map((row) => row.join(',')).join('\\n'));
})();`;
const comparator = ['-e', bare, database, start, end];

/** The commands, with the most of their processor time in that of the bare program. */
const COMMANDS = [
  { args: ['report', 'projects', '--start-date', start, '--end-date', end, '--format', 'csv'], must: 2.5 },
  { args: ['sql', 'SELECT 1'], must: 3 },
];

/** Returns the processor time of all processes that have ended. Unit: seconds. */
function readTime(): number {
  const [, numbers = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user = 0, system = 0] = numbers.split(' ').slice(TIME_OF_CHILDREN).map(Number);
  return (user + system) / TICKS;
}

function measure(args: readonly string[]): number {
  const before = readTime();
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return readTime() - before;
}

for (const { args, must } of COMMANDS) {
  // A single time is only as exact as its unit, their sum is.
  let [own, other] = [0, 0];
  for (let run = 0; run < Number(values.runs); run += 1) {
    own += measure([program, ...args, '--database', database]);
    other += measure(comparator);
  }
  const [first, second] = [own, other].map((time) => (time / Number(values.runs)).toFixed(3));
  process.stdout.write(
    `${args.slice(0, 2).join(' ')}: ${first} s of processor time, a bare program ${second} s: ${(own / other).toFixed(2)} x, at most ${must} x\n`,
  );
  if (own > must * other) process.exitCode = 1;
}
