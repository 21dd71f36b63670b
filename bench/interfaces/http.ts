import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { packageDirectory } from '../../src/base/config/package.ts';
import { createToken } from '../../src/doors/identity/tokens.ts';
import { loadCatalogues } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import { writeTable } from '../../src/numbers/write/formats.ts';
import { openGeneration } from '../../src/store/generation/open-generation.ts';
import { median } from '../measure.ts';
import { runReport } from '../reports.ts';
import { type ServerProcess, startServer } from './child.ts';

/*
 * HTTP against its comparators: `node dist/bench/interfaces/http.js FILE START END [runs]` with a loaded database FILE.
 * Both sides alternate, so that other load affects both.
 */

/** The duration of one measurement. Unit: s. */
const MEASURED_SECONDS = 3;

/** Concurrent connections for cached reports. */
const CONNECTIONS = 16;

const CONCURRENT_REPORTS = 8;

/** Rounds of concurrent reports in one measurement. */
const ROUNDS = 2;

interface Throughput {
  readonly perSecond: number;
  /** Requests per second of the server's processor time. */
  readonly perCpuSecond: number;
}

async function measureThroughput(
  child: ServerProcess,
  url: string,
  headers: Record<string, string>,
  status: number,
): Promise<Throughput> {
  await child.readStats();
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: MEASURED_SECONDS });
  const counts = result.statusCodeStats as Record<string, { count: number }>;
  const others = Object.keys(counts ?? {}).filter((code) => code !== String(status));
  if (others.length > 0 || result.errors > 0)
    throw new Error(`${url} answered ${others.join(', ')}, ${result.errors} errors`);
  const { cpuSeconds } = await child.readStats();
  return { perSecond: result.requests.average, perCpuSecond: result.requests.total / cpuSeconds };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

const rounds = async (work: () => Promise<unknown>) => {
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all(Array.from({ length: CONCURRENT_REPORTS }, work));
};

const print = (step: string, ratio: number, must: string, more: string) =>
  process.stdout.write(`${step.padEnd(58)} ${ratio.toFixed(2)} x  must ${must}  ${more}\n`);

async function measureCached(
  report: string,
  headers: Record<string, string>,
  server: ServerProcess,
  empty: ServerProcess,
  runs: number,
): Promise<void> {
  const { headers: answer } = await fetch(report, { headers });
  const cached = { ...headers, 'if-none-match': answer.get('etag') ?? '' };
  const [ours, theirs]: [Throughput[], Throughput[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    theirs.push(await measureThroughput(empty, empty.url, {}, 200));
    ours.push(await measureThroughput(server, report, cached, 304));
  }
  const medianOf = (throughputs: readonly Throughput[], fact: keyof Throughput) =>
    median(throughputs.map((throughput) => throughput[fact]));
  const ratioOf = (fact: keyof Throughput) => medianOf(ours, fact) / medianOf(theirs, fact);
  print(
    'cached report answered 304 | an empty fastify route',
    ratioOf('perSecond'),
    '0.60 x',
    `by CPU ${ratioOf('perCpuSecond').toFixed(2)} x; ${medianOf(ours, 'perSecond').toFixed(0)} | ${medianOf(theirs, 'perSecond').toFixed(0)} requests/s`,
  );
}

async function measureReports(
  report: string,
  headers: Record<string, string>,
  server: ServerProcess,
  database: string,
  parameters: Record<string, string>,
  runs: number,
): Promise<void> {
  const generation = await openGeneration(database, { memoryLimitMib: 4096 });
  const catalogues = loadCatalogues(join(packageDirectory, 'reports'));
  const runHere = async () => {
    const table = await runReport(generation, catalogues, 'projects', parameters);
    for await (const _piece of writeTable('json', table));
  };
  const requestReport = async () => void (await (await fetch(report, { headers })).text());
  await rounds(runHere);
  await rounds(requestReport);
  const [ours, theirs, delays]: [number[], number[], number[]] = [[], [], []];
  for (let run = 0; run < runs; run += 1) {
    theirs.push(await time(() => rounds(runHere)));
    await server.readStats();
    ours.push(await time(() => rounds(requestReport)));
    delays.push((await server.readStats()).p99);
  }
  await generation.close();
  const delay = `event loop p99 ${median(delays).toFixed(0)} ms, must be under 50`;
  print('projects.json of a quarter, 8 at once | without HTTP', median(theirs) / median(ours), '0.70 x', delay);
}

const [database = '', start_date = '', end_date = '', times = '3'] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const tokens = join(folder, 'tokens.json');
const { token } = await createToken(
  tokens,
  { label: 'bench', scopes: ['reports', 'rates'], expires: null },
  new Date(),
);
const headers = { authorization: `Bearer ${token}` };
const [server, empty] = [await startServer('plumbline', database, tokens), await startServer('empty')];
try {
  const report = `${server.url}/v3/reports/projects.json?start_date=${start_date}&end_date=${end_date}`;
  await measureCached(report, headers, server, empty, Number(times));
  await measureReports(report, headers, server, database, { start_date, end_date }, Number(times));
} finally {
  server.close();
  empty.close();
  await rm(folder, { recursive: true });
}
