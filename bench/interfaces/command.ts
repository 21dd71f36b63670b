import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { builtFile } from '../../src/config/package.ts';
import { median } from '../measure.ts';

/** The most processor time of a report on the command line, in that of a bare program. */
const MUST = 2.5;

const [bare, exit] = ['./bare-sum.js', './cpu-at-exit.js'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
) as [string, string];
const program = builtFile('main.js');

/** Runs a program to its end. Returns the processor time of its process. Unit: seconds. */
async function measure(file: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--import', exit, file, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [told, [code]] = await Promise.all([text(child.stdio[3] as NodeJS.ReadableStream), once(child, 'close')]);
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return Number(told);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '9' } },
});
const [database = '', start = '', end = ''] = positionals;
const report = ['report', 'projects', '--start-date', start, '--end-date', end, '--format', 'csv'];
const [engine, comparator]: [number[], number[]] = [[], []];
for (let run = 0; run < Number(values.runs); run += 1) {
  engine.push(await measure(program, [...report, '--database', database]));
  comparator.push(await measure(bare, [database, start, end]));
}
const [own, other] = [median(engine), median(comparator)];
process.stdout.write(
  `report projects: ${own.toFixed(3)} s of processor time, a bare program ${other.toFixed(3)} s: ${(own / other).toFixed(2)} x, at most ${MUST} x\n`,
);
if (own > MUST * other) process.exitCode = 1;
