import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readNumber, withConnection } from '../connection.ts';
import { median } from '../measure.ts';

/*
 * Speed and memory of writing lists: `node dist/bench/interfaces/formats.js FILE` with a database of size M.
 * Each format and its comparator run in turn (A B B A) in separate processes; the median ratio of the pairs counts.
 */

/** The ends of windows with about 2 and 0.5 million lines of company M. */
const [LARGE, SMALL] = ['2024-03-31', '2022-07-15'];
const RUNS = 7;

/** The formats with their comparators and the least speed relative to them. */
const STEPS = [
  { format: 'csv', comparator: 'copy-csv', must: 0.5 },
  { format: 'ndjson', comparator: 'copy-json', must: 0.4 },
  { format: 'parquet', comparator: 'copy-parquet', must: 0.9 },
  { format: 'arrow', comparator: 'chunks', must: 0.6 },
];

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
}

const step = fileURLToPath(new URL('formats-step.js', import.meta.url));
const [database = ''] = process.argv.slice(2);

function run(what: string, end: string): Run {
  process.stderr.write(`${what} to ${end}\n`);
  return JSON.parse(execFileSync(process.execPath, [step, database, what, end], { encoding: 'utf8' }));
}

const medianOf = (runs: readonly Run[], fact: keyof Run) => median(runs.map((each) => each[fact]));

const [rows, smallRows] = await withConnection(database, async (connection) => {
  const count = (end: string) =>
    readNumber(
      connection,
      `SELECT COUNT(*) FROM marts.lines WHERE date BETWEEN '2022-01-01' AND '${end}'
      AND (kind <> 'scheduled' OR status IN ('confirmed', 'completed'))`,
    );
  return [await count(LARGE), await count(SMALL)];
});

for (const { format, comparator, must } of STEPS) {
  const pairs = Array.from({ length: RUNS }, (_, index) => {
    const whats = index % 2 === 0 ? [format, comparator] : [comparator, format];
    const runs = new Map(whats.map((what) => [what, run(what, LARGE)]));
    return { own: runs.get(format) as Run, other: runs.get(comparator) as Run };
  });
  const ours = pairs.map(({ own }) => own);
  const ratioOf = (fact: keyof Run) => median(pairs.map(({ own, other }) => other[fact] / own[fact]));
  const [ratio, cpuRatio] = [ratioOf('seconds'), ratioOf('cpuSeconds')];
  const small = run(format, SMALL);
  process.stdout.write(
    `${format}: ${Math.round((rows ?? 0) / medianOf(ours, 'seconds'))} rows/s, ratio ${ratio.toFixed(2)} (must ${must}), by CPU ${cpuRatio.toFixed(2)}; ` +
      `peak ${Math.round(medianOf(ours, 'maxRssMb'))} MB at ${rows} rows, ${Math.round(small.maxRssMb)} MB at ${smallRows}\n`,
  );
  if (ratio < must) process.exitCode = 1;
}
rmSync(`${database}.written`, { force: true });
