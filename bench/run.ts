import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SizeName } from './company.ts';
import { parseSize, sizes } from './company.ts';
import { readText, withConnection } from './connection.ts';
import { ensureCompany } from './generate.ts';
import { median } from './measure.ts';
import type { StepResult } from './step.ts';
import { engineLedger } from './steps.ts';

type Run = StepResult & { readonly wallSeconds: number };

/** The runs of one side; null if one failed. */
type Side = readonly Run[] | null;

interface Row {
  readonly step: string;
  readonly engine: Side;
  readonly comparator: Side;
  /** The highest ratio of the engine's time to the comparator's. */
  readonly must: number;
  /** True if whole processes are compared, from start to exit. */
  readonly isWhole?: boolean;
}

const stepFile = fileURLToPath(new URL('./step.js', import.meta.url));
const mustBeFaster: Partial<Record<SizeName, number>> = { S: 2, M: 8 };
const memoryLimitMb: Partial<Record<SizeName, number>> = { M: 1_200, L: 8_000 };
const growthLimit = 1.25;
/** The oracle holds all records and lines, which at M exceeds Node's default heap on a small machine. */
const oracleHeap = '--max-old-space-size=8000';

/** Runs a step in a separate process. Returns null, after a message on stderr, if it fails. */
async function runStep(name: string, ...args: string[]): Promise<Run | null> {
  const startedAt = performance.now();
  const options = name === 'oracle' ? [oracleHeap] : [];
  const child = spawn(process.execPath, [...options, stepFile, name, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errorOutput = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    errorOutput += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const wallSeconds = (performance.now() - startedAt) / 1000;
  if (code === 0) {
    const run = { ...(JSON.parse(output.trim().split('\n').at(-1) ?? '') as StepResult), wallSeconds };
    process.stderr.write(`  ${name} ${run.seconds.toFixed(3)} s\n`);
    return run;
  }
  const reason = errorOutput.split('\n').find((line) => line.includes('Error:')) ?? errorOutput.trim();
  process.stderr.write(`  ${name} failed: ${reason}\n`);
  return null;
}

/** Runs both sides alternately, so that other load affects both; stops a side after a failure. */
async function alternate(
  runs: number,
  engine: () => Promise<Run | null>,
  comparator: () => Promise<Run | null>,
): Promise<{ engine: Side; comparator: Side }> {
  const sides: (Run[] | null)[] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    for (const [index, work] of [engine, comparator].entries()) {
      const side = sides[index];
      if (!side) continue;
      const result = await work();
      if (result === null) sides[index] = null;
      else side.push(result);
    }
  }
  return { engine: sides[0] ?? null, comparator: sides[1] ?? null };
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '.wal', '.tmp']) await rm(file + suffix, { recursive: true, force: true });
}

async function measureSize(sizeName: SizeName, runs: number): Promise<readonly Row[]> {
  const [start, end] = sizes[sizeName].quarter;
  const directory = await ensureCompany(sizeName);
  const work = path.resolve('bench', 'data', 'work', sizeName);
  await mkdir(work, { recursive: true });
  const engineFile = path.join(work, 'engine.duckdb');
  const plainFile = path.join(work, 'plain.duckdb');
  const fresh = async (file: string, step: () => Promise<Run | null>): Promise<Run | null> => {
    await removeDatabase(file);
    return step();
  };

  const load = await alternate(
    runs,
    () => fresh(engineFile, () => runStep('load', directory, engineFile)),
    () => fresh(plainFile, () => runStep('plain-load', directory, plainFile)),
  );
  await runStep('clean', plainFile);
  const build = await alternate(
    runs,
    () => runStep('build', engineFile),
    () => runStep('fused-build', plainFile),
  );
  const ledger =
    build.engine === null ? { file: plainFile, table: 'ledger' } : { file: engineFile, table: engineLedger };
  const report = await alternate(
    runs,
    () => runStep('report', engineFile, start, end),
    () => runStep('plain-aggregate', ledger.file, ledger.table, start, end),
  );
  const rows: Row[] = [
    { step: 'load', ...load, must: 2.3 },
    { step: 'build', ...build, must: 1.6 },
    { step: 'report', ...report, must: 3 },
  ];
  const faster = mustBeFaster[sizeName];
  if (faster === undefined) return rows;
  // The oracle takes minutes at M, so it runs once.
  const all = await alternate(
    sizeName === 'S' ? runs : 1,
    () => fresh(engineFile, () => runStep('all', directory, engineFile, start, end)),
    () => runStep('oracle', directory, start, end),
  );
  return [...rows, { step: 'all', ...all, must: 1 / faster, isWhole: true }];
}

const titles: Record<string, string> = {
  load: 'load: validated, set aside, durable | plain CREATE TABLE AS',
  build: 'build: models and checks | one fused statement',
  report: 'report: projects of a quarter as JSON | one aggregate',
  all: 'load + build + report | oracle in TypeScript',
};

const secondsOf = (run: Run, isWhole = false): number => (isWhole ? run.wallSeconds : run.seconds);
const formatSeconds = (seconds: number): string =>
  Number.isNaN(seconds) ? '-' : seconds.toFixed(seconds < 0.1 ? 4 : 2);
const formatRatio = (ratio: number): string => (Number.isNaN(ratio) ? '-' : `${ratio.toFixed(ratio < 1 ? 3 : 2)} x`);
const medianOf = (side: Side, measure: (run: Run) => number): number => median((side ?? []).map(measure));
const verdictOf = (value: number, limit: number): string =>
  Number.isNaN(value) ? '-' : value <= limit ? 'ok' : 'OVER';

function peakOf(sides: readonly Side[]): number {
  const peaks = sides.flatMap((side) => side ?? []).map((run) => run.maxRssMb);
  return peaks.length === 0 ? Number.NaN : Math.max(...peaks);
}

const formatPeak = (peakMb: number): string => (Number.isNaN(peakMb) ? '-' : peakMb.toFixed(0));

function formatRow(row: Row): readonly string[] {
  const seconds = (run: Run): number => secondsOf(run, row.isWhole);
  const engine = medianOf(row.engine, seconds);
  const comparator = medianOf(row.comparator, seconds);
  const cpuRatio = medianOf(row.engine, (run) => run.cpuSeconds) / medianOf(row.comparator, (run) => run.cpuSeconds);
  return [
    titles[row.step] ?? row.step,
    formatSeconds(engine),
    formatPeak(peakOf([row.engine])),
    formatSeconds(comparator),
    formatPeak(peakOf([row.comparator])),
    formatRatio(engine / comparator),
    // A process runs many reports, so its processor time is not that of one.
    row.step === 'report' ? '-' : formatRatio(cpuRatio),
    formatRatio(row.must),
    verdictOf(engine / comparator, row.must),
  ];
}

const header = ['step | comparator', 'seconds', 'MB', 'comparator', 'MB', 'ratio', 'CPU ratio', 'must', ''] as const;

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length), title.length),
  );
  const formatLine = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [formatLine(header), formatLine(widths.map((width) => '-'.repeat(width))), ...rows.map(formatLine)].join('\n');
}

function formatMemory(rows: readonly Row[], sizeName: SizeName): readonly string[] {
  const peak = peakOf(rows.map((row) => row.engine));
  const limit = memoryLimitMb[sizeName];
  const must = limit === undefined ? '-' : `${limit} MB`;
  return [
    'peak memory of the engine',
    '',
    formatPeak(peak),
    '',
    '',
    '',
    '',
    must,
    limit === undefined ? '-' : verdictOf(peak, limit),
  ];
}

async function formatMachine(): Promise<string> {
  const version = await withConnection(':memory:', (connection) => readText(connection, 'SELECT version()'));
  const gigabytes = (os.totalmem() / 2 ** 30).toFixed(0);
  const cores = `${os.cpus().length} cores (${os.cpus()[0]?.model ?? 'unknown'})`;
  return `${cores}, ${gigabytes} GB, load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.version}, DuckDB ${version}`;
}

function formatCounts(rows: readonly Row[]): string {
  const facts = rows.flatMap((row) => [...(row.comparator ?? []), ...(row.engine ?? [])]).map((run) => run.facts);
  const { logged, lines, rows: groups } = Object.assign({}, ...facts) as Record<string, number>;
  const engineLines = rows.find((row) => row.step === 'build')?.engine?.[0]?.facts['lines'];
  const fusedLines = rows.find((row) => row.step === 'build')?.comparator?.[0]?.facts['lines'];
  const differs = engineLines !== undefined && fusedLines !== undefined && engineLines !== fusedLines;
  return `${logged ?? '?'} logged records, ${lines ?? '?'} ledger lines, ${groups ?? '?'} projects in the quarter${
    differs ? `\nTHE LEDGERS DIFFER: ${engineLines} lines by the engine, ${fusedLines} by the fused statement` : ''
  }`;
}

/** Measures the growth of the engine's build time between sizes, relative to its lines. */
async function measureGrowth(
  from: Side,
  fromSize: SizeName,
  toSize: SizeName,
): Promise<readonly (readonly string[])[]> {
  const directory = await ensureCompany(toSize);
  const work = path.resolve('bench', 'data', 'work', toSize);
  await mkdir(work, { recursive: true });
  const file = path.join(work, 'engine.duckdb');
  await removeDatabase(file);
  const load = await runStep('load', directory, file);
  const build = load && (await runStep('build', file));
  const linesRatio = (build?.facts['lines'] ?? Number.NaN) / medianOf(from, (run) => run.facts['lines'] ?? Number.NaN);
  const timeRatio = (build?.seconds ?? Number.NaN) / medianOf(from, (run) => run.seconds);
  const limit = growthLimit * linesRatio;
  const title = `growth ${fromSize} to ${toSize}: build time (lines grew ${formatRatio(linesRatio)})`;
  const seconds = formatSeconds(build?.seconds ?? Number.NaN);
  const sides = [load && [load], build && [build]];
  const memory = memoryLimitMb[toSize] ?? Number.POSITIVE_INFINITY;
  return [
    [title, seconds, '', '', '', formatRatio(timeRatio), '', formatRatio(limit), verdictOf(timeRatio, limit)],
    [
      `peak memory of the engine at ${toSize}`,
      '',
      formatPeak(peakOf(sides)),
      '',
      '',
      '',
      '',
      `${memory} MB`,
      verdictOf(peakOf(sides), memory),
    ],
  ];
}

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'M' },
    runs: { type: 'string', default: '3' },
    growth: { type: 'boolean', default: false },
  },
});
const sizeName = parseSize(values.size);
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs is ${values.runs}, and must be a whole number from 1`);
if (values.growth && sizeName !== 'M') throw new Error('--growth goes from M to L: ask for it with --size M');

process.stdout.write(`${await formatMachine()}\n`);
const rows = await measureSize(sizeName, runs);
const growth = values.growth
  ? await measureGrowth(rows.find((row) => row.step === 'build')?.engine ?? null, 'M', 'L')
  : [];
const table = [...rows.map(formatRow), formatMemory(rows, sizeName), ...growth];
process.stdout.write(`size ${sizeName}, ${runs} runs: ${formatCounts(rows)}\n\n${formatTable(table)}\n`);
if (table.some((row) => row.at(-1) !== 'ok' && row.at(-1) !== '-') || rows.some((row) => row.engine === null))
  process.exitCode = 1;
