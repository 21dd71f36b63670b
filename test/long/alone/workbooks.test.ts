import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import { loadBenchCompany, makeToken, readUrl, watchProgram } from './server.ts';

/** Parallel workbooks, requested by four readers. */
const WORKBOOKS = Number(process.env['PLUMBLINE_WORKBOOKS'] ?? 20);
const READERS = 4;

/** Smallest number of cells of a workbook. */
const MIN_CELLS = 1_000_000;

/** Largest memory of the server and its processes together. Unit: MiB. */
const MAX_MIB = 1_000;

/** Largest p99 delay of the event loop beyond the test's own. Unit: ms. */
const MAX_DELAY_MS = 100;

/** Pause of every fourth client after each chunk of up to 64 KiB. Unit: ms. */
const PAUSE_MS = 20;

/** Requests a workbook, and retries when a busy server says so. */
async function fetchWorkbook(url: URL, headers: Record<string, string>, pauseMs: number): Promise<Buffer> {
  for (;;) {
    const response = await fetch(url, { headers });
    if (response.status === 200) {
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body ?? []) {
        pieces.push(piece);
        if (pauseMs > 0) await sleep(pauseMs);
      }
      return Buffer.concat(pieces);
    }
    const text = await response.text();
    expect([response.status, text]).toEqual([503, expect.stringMatching(/busy|took longer than/)]);
    await sleep(1000 * Number(response.headers.get('retry-after') ?? 2));
  }
}

/** Reads the p99 delay of the server's event loop since the last call. Unit: ms. */
async function readDelay(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return 1000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}

it(`${WORKBOOKS} parallel workbooks of a million cells stay under ${MAX_MIB} MiB, and keep the event loop free`, {
  timeout: 900_000,
}, async () => {
  const file = await loadBenchCompany('S');
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, index) => makeToken(file, `reader ${index}`, ['reports', 'rates'])),
  );
  const { program, readPeaks } = watchProgram(['serve', '--database', file, '--port', '0', '--log-level', 'error']);
  const url = await readUrl(program);
  const window = 'start_date=2025-01-01&end_date=2025-06-30';
  const csv = await (await fetch(`${url}/v3/reports/lines.csv?${window}`, { headers: readers[0] ?? {} })).text();
  const [header = '', ...lines] = csv.trimEnd().split('\r\n');
  expect(header.split(',').length * lines.length).toBeGreaterThan(MIN_CELLS);

  await readDelay(url);
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  const startedAt = performance.now();
  const books = await Promise.all(
    Array.from({ length: WORKBOOKS }, (_, index) =>
      fetchWorkbook(
        new URL(`/v3/reports/lines.xlsx?${window}`, url),
        readers[index % READERS] ?? {},
        index % 4 === 0 ? PAUSE_MS : 0,
      ),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  own.disable();
  const delayMs = await readDelay(url);
  const peaks = readPeaks();
  const ownMs = own.percentile(99) / 1e6;
  console.log(
    `${WORKBOOKS} workbooks of ${header.split(',').length * lines.length} cells in ${seconds.toFixed(1)} s: ` +
      `p99 of the event loop ${delayMs.toFixed(0)} ms (of the test's own ${ownMs.toFixed(0)}), memory ${JSON.stringify(peaks)} MiB`,
  );
  for (const book of books) {
    const sheets = [...unzip(book)].filter(([name]) => name.startsWith('xl/worksheets/'));
    // The sheet of lines has a row for each, and some header rows.
    const rows = Math.max(...sheets.map(([, xml]) => xml.match(/<row /g)?.length ?? 0));
    expect(rows - lines.length).toBeGreaterThanOrEqual(1);
    expect(rows - lines.length).toBeLessThan(20);
  }
  expect(peaks.summedMib).toBeLessThan(MAX_MIB);
  expect(delayMs).toBeLessThan(MAX_DELAY_MS + ownMs);
  program.signal('SIGTERM');
  expect((await program.outcome).exitCode).toBe(0);
});
