import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { readHistory } from '../../src/doors/deliver/occurrence/delivery-log.ts';
import { REPEAT_WORDS } from '../../src/doors/deliver/sender/mail-sender.ts';
import { runProcess, startProgram } from '../errors/program.ts';
import { startFakeBucket } from '../lake/fake-bucket.ts';
import { copyLoaded } from '../loaded.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { startHooks, startMailServer } from './delivered.ts';

/** Processes that are killed while they deliver. */
const KILLS = Number(process.env['PLUMBLINE_DELIVERY_KILLS'] ?? 200);

const DELIVERIES = 50;

/** Collects the different contents that arrived under each id. */
function groupById(arrived: readonly (readonly [id: string, content: string])[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const [id, content] of arrived) groups.set(id, (groups.get(id) ?? new Set()).add(content));
  return groups;
}

it(`each occurrence arrives at four targets after ${KILLS} kills, once for who drops known ids, PLUMBLINE_SEED=${SEED}`, {
  tags: ['slow'],
  timeout: KILLS * 20_000 + 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const [hooks, mail, bucket] = [await startHooks(), await startMailServer(), await startFakeBucket()];
  onTestFinished(() => bucket.close());
  for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
  const [database, file] = [join(folder, 'company.duckdb'), join(folder, 'deliveries.yaml')];
  const report = 'when: closed, report: clients, parameters: {period: 2026-05}, formats: [csv]';
  const targets = `[{webhook: "${hooks.url}"}, {email: [a@example.com]}, {folder: "${folder}/{name}"}, {s3: "s3://lake/{name}"}]`;
  const lines = Array.from({ length: DELIVERIES }, (_, index) => `  - {name: d${index}, ${report}, to: ${targets}}\n`);
  writeFileSync(file, `${mail.smtp}deliveries:\n${lines.join('')}`);
  const files = ['--deliveries', file, '--database', database];
  const started = performance.now();
  expect(await runProcess(['deliver', 'd0', '--now', ...files])).toMatchObject({ exitCode: 0 });
  const wholeMs = performance.now() - started;
  const random = new Prng(SEED);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const program = startProgram(['deliver', `d${kill % DELIVERIES}`, '--now', ...files]);
    await sleep(wholeMs * (0.3 + random.next() * 0.8));
    program.signal('SIGKILL');
    await program.outcome;
  }
  expect(await runProcess(['deliver', '--due', ...files])).toMatchObject({ exitCode: 0 });
  const { occurrences } = await readHistory(database);
  expect([...occurrences.values()].filter(({ doneAt }) => doneAt === undefined)).toEqual([]);
  const bodies = groupById(hooks.requests.map(({ headers, body }) => [String(headers['idempotency-key']), body]));
  const mails = groupById(
    mail.mails.map(({ messageId = '', text = '' }) => [messageId, text.replace(`${REPEAT_WORDS}\n\n`, '')]),
  );
  for (const arrived of [bodies, mails]) {
    expect(arrived.size).toBe(occurrences.size);
    expect([...arrived.values()].filter(({ size }) => size !== 1)).toEqual([]);
  }
  const names = new Set([...occurrences.values()].map(({ name }) => name));
  const keys = [...names].map((name) => `${name}/${name}-2026-05.csv`);
  expect([...bucket.objects.keys()].sort()).toEqual(keys.sort());
  for (const key of keys) expect(bucket.objects.get(key)?.body.equals(readFileSync(join(folder, key)))).toBe(true);
  // Nothing is left of what was being copied at a kill.
  for (const name of names) expect(readdirSync(join(folder, name))).toEqual([`${name}-2026-05.csv`]);
});
