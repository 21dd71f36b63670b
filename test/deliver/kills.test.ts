import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { loadDataset } from '../../src/command/load/load-dataset.ts';
import { readHistory } from '../../src/deliver/occurrence/delivery-log.ts';
import { runProcess, startProgram } from '../errors/program.ts';
import { copyLoaded } from '../loaded.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { startHooks } from './delivered.ts';

/** Processes that are killed while they deliver. */
const KILLS = Number(process.env['PLUMBLINE_DELIVERY_KILLS'] ?? 10);

it(`each occurrence arrives after ${KILLS} kills, once for who drops known ids, PLUMBLINE_SEED=${SEED}`, {
  tags: ['slow'],
  timeout: KILLS * 20_000 + 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const hooks = await startHooks();
  const database = join(folder, 'company.duckdb');
  const file = join(folder, 'deliveries.yaml');
  const target = (name: string) => `{webhook: "${hooks.url}?${name}"}`;
  writeFileSync(
    file,
    `deliveries: [{name: now, when: closed, report: clients, parameters: {period: 2026-05}, to: [${target('one')}, ${target('two')}]}]\n`,
  );
  const files = ['--deliveries', file, '--database', database];
  const started = performance.now();
  expect(await runProcess(['deliver', 'now', '--now', ...files])).toMatchObject({ exitCode: 0 });
  const wholeMs = performance.now() - started;
  const random = new Prng(SEED);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const program = startProgram(['deliver', 'now', '--now', ...files]);
    await sleep(wholeMs * (0.3 + random.next() * 0.8));
    program.signal('SIGKILL');
    await program.outcome;
  }
  expect(await runProcess(['deliver', '--due', ...files])).toMatchObject({ exitCode: 0 });
  const { occurrences } = await readHistory(database);
  expect([...occurrences.values()].filter(({ doneAt }) => doneAt === undefined)).toEqual([]);
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of hooks.requests) {
    const id = String(headers['idempotency-key']);
    bodies.set(id, new Set([...(bodies.get(id) ?? []), body]));
  }
  expect(bodies.size).toBe(occurrences.size * 2);
  expect([...bodies.values()].filter(({ size }) => size !== 1)).toEqual([]);
});
