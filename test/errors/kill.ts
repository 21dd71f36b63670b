import { readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { type Content, makeFolder, writeFiles } from './gallery.ts';
import { runProcess, startProgram } from './program.ts';

const WORKERS = 2;
/** Number of kills between loads that run to their end; one more follows the last kill. */
const KILLS_PER_LOAD = 10;
/** Loads of a worker that run to their end, apart from those between kills: two before the first, one after the last. */
const WHOLE_LOADS = 3;

/** A load is killed after a random part of the duration of a full load, or slightly later. */
const LATEST = 1.1;
const READER_PAUSE_MS = 200;

/** Longest duration of a kill with the reading of what is left, or of a load that runs to its end. Unit: ms. */
const KILL_MS = 20_000;

/** Facts that distinguish generations, and complete ones from partial ones. */
interface Generation {
  readonly version: string;
  readonly dataset: string;
  readonly lines: number;
  readonly hours: string;
  readonly cost: string;
  readonly tables: number;
  readonly rows: number;
}

/**
 * Kills loads at random moments, each of which must leave a complete generation.
 * @param kills Number of kills; PLUMBLINE_KILLS overrides it.
 */
export function testKills(kills: number): void {
  const count = Number(process.env.PLUMBLINE_KILLS ?? kills);
  it(`a load killed at ${count} random moments leaves a complete generation, PLUMBLINE_SEED=${SEED}`, {
    timeout: (count + WORKERS * WHOLE_LOADS) * KILL_MS,
  }, async () => {
    console.log(`PLUMBLINE_SEED=${SEED}`);
    const root = await makeFolder();
    for (const [index, dataset] of ['a', 'b'].entries()) await writeFiles(join(root, dataset), company(index));
    const workers = Array.from({ length: WORKERS }, (_, index) => killLoads(root, index, count / WORKERS));
    const counts = await Promise.all(workers);
    const [killed, kept, finished] = [0, 1, 2].map((place) =>
      counts.reduce((sum, count) => sum + (count[place] ?? 0), 0),
    );
    console.log(`${killed} loads killed (${kept} before the new generation stood), ${finished} too late`);
    await rm(root, { recursive: true });
  });
}

/** Kills loads of one database, two datasets in turn, while others read it. */
async function killLoads(
  root: string,
  index: number,
  kills: number,
): Promise<[killed: number, kept: number, finished: number]> {
  const prng = new Prng(SEED + index);
  const folder = join(root, `worker-${index}`);
  const file = join(folder, 'company.duckdb');
  await mkdir(folder);
  const wholes = new Map<string, Generation>();
  let tookMs = 0;
  for (const dataset of ['a', 'b']) {
    const start = performance.now();
    await loadWhole(root, dataset, file);
    tookMs = performance.now() - start;
    wholes.set(dataset, await readGeneration(file));
  }
  const versions = new Map<string, Generation>();
  const expectWhole = (generation: Generation, when: string) => {
    expect({ ...generation, version: '' }, when).toEqual({ ...wholes.get(generation.dataset), version: '' });
    const known = versions.get(generation.version) ?? generation;
    expect(generation, when).toEqual(known);
    versions.set(generation.version, known);
  };

  const reading = new AbortController();
  const reader = readOnAndOn(file, reading.signal, expectWhole);
  let before = await readGeneration(file);
  let held = await openDatabase(file, { readOnly: true });
  let heldGeneration = await readOpen(held);
  let [killed, kept, finished] = [0, 0, 0];
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      const dataset = before.dataset === 'a' ? 'b' : 'a';
      const delayMs = Math.round(prng.next() * tookMs * LATEST);
      const when = `worker ${index}, kill ${kill} of a load of ${dataset} after ${delayMs} ms`;
      const program = startProgram(['load', join(root, dataset), '--accept-shrink', '--database', file]);
      await sleep(delayMs);
      program.signal('SIGKILL');
      const { exitCode, stderr } = await program.outcome;
      expect([0, null], `${when}: ${stderr}`).toContain(exitCode);
      const after = await readGeneration(file);
      expectWhole(after, when);
      // A kill leaves the old or the new generation.
      if (after.version !== before.version) expect(after.dataset, when).toBe(dataset);
      if (exitCode === 0) expect(after.dataset, when).toBe(dataset);
      // The copy without rates matches, except after a kill between the two renames.
      const copy = await readCopy(file);
      if (copy.version !== after.version) expect([exitCode, copy.dataset], when).toEqual([null, dataset]);
      expect(copy.lines, when).toBe(wholes.get(copy.dataset)?.lines);
      if (exitCode === 0) finished += 1;
      else killed += 1;
      if (after.version === before.version) kept += 1;
      before = after;

      if (kill % KILLS_PER_LOAD === 0 || kill === kills) {
        // The next load succeeds and removes the leftovers of killed loads.
        const next = after.dataset === 'a' ? 'b' : 'a';
        await loadWhole(root, next, file);
        before = await readGeneration(file);
        expectWhole(before, when);
        expect(before.dataset, when).toBe(next);
        expect((await readCopy(file)).version, when).toBe(before.version);
        expect(readdirSync(folder).sort(), when).toEqual([
          'company.duckdb',
          'company.duckdb.lock',
          'company.no-rates.duckdb',
        ]);
        // A connection kept open throughout still sees its own generation.
        expect(await readOpen(held), when).toEqual(heldGeneration);
        await held.close();
        held = await openDatabase(file, { readOnly: true });
        heldGeneration = await readOpen(held);
      }
    }
  } finally {
    await held.close();
    reading.abort();
  }
  expect(await reader).toBeGreaterThan(0);
  return [killed, kept, finished];
}

/** Opens the database repeatedly, like reports. @returns The number of times. */
async function readOnAndOn(
  file: string,
  signal: AbortSignal,
  expectWhole: (generation: Generation, when: string) => void,
): Promise<number> {
  let count = 0;
  for (; !signal.aborted; count += 1) {
    const database = await openDatabase(file, { readOnly: true });
    const first = await readOpen(database);
    expectWhole(first, 'a reader');
    await sleep(READER_PAUSE_MS);
    expect(await readOpen(database)).toEqual(first);
    await database.close();
  }
  return count;
}

async function loadWhole(root: string, dataset: string, file: string): Promise<void> {
  const { exitCode, stderr } = await runProcess(['load', join(root, dataset), '--accept-shrink', '--database', file]);
  expect(exitCode, stderr).toBe(0);
}

async function readGeneration(file: string): Promise<Generation> {
  const database = await openDatabase(file, { readOnly: true });
  const generation = await readOpen(database);
  await database.close();
  return generation;
}

async function readCopy(file: string): Promise<Pick<Generation, 'version' | 'dataset' | 'lines'>> {
  const database = await openDatabase(fileWithoutRates(file), { readOnly: true });
  const [row] = await database.rows<{ version: string; from: string; lines: number }>(`
    SELECT data_version AS version, loaded_from AS "from", (SELECT count(*) FROM core.ledger) AS lines FROM source.generation`);
  await database.close();
  return { version: row?.version ?? '', dataset: basename(row?.from ?? ''), lines: row?.lines ?? 0 };
}

async function readOpen(database: Awaited<ReturnType<typeof openDatabase>>): Promise<Generation> {
  const [row] = await database.rows<Generation>(`
    SELECT data_version AS version, loaded_from AS dataset, ledger.*, catalogue.*
    FROM source.generation,
      (SELECT count(*) AS lines, sum(hours) AS hours, sum(cost) AS cost FROM core.ledger) AS ledger,
      (SELECT count(*) AS tables, sum(estimated_size) AS rows FROM duckdb_tables()) AS catalogue`);
  if (!row) throw new Error('the database holds no generation');
  return { ...row, dataset: basename(row.dataset) };
}

function company(variant: number): Record<string, Content> {
  const ids = Array.from({ length: 20 + 10 * variant }, (_, index) => index + 1);
  const month = ids.filter((id) => id <= 28).map((id) => `2026-01-${String(id).padStart(2, '0')}`);
  return {
    'people.json': ids.map((id) => ({ people_id: id, name: `Person ${id}`, cost_rate: 40 + variant })),
    'projects.json': ids.map((id) => ({ project_id: id, name: `Project ${id}`, default_hourly_rate: 100 })),
    'tasks.json': ids.map((id) => {
      return {
        task_id: id,
        project_id: id,
        people_id: id,
        start_date: '2026-01-01',
        end_date: '2026-03-31',
        hours: 5 + variant,
      };
    }),
    'logged_time.json': ids.flatMap((id) =>
      month.map((date) => {
        return { logged_time_id: `${id} ${date}`, project_id: id, people_id: id, date, hours: 6 + variant };
      }),
    ),
  };
}
