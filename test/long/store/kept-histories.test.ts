import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startProgram } from '../../errors/program.ts';
import { copyKeptCompany, type KeptCompany } from '../../history/kept-company.ts';
import { Prng } from '../../oracle/prng.ts';
import { SEED } from '../../seed.ts';

/** Number of random histories. */
const HISTORIES = Number(process.env['PLUMBLINE_KEPT_HISTORIES'] ?? 250);

/** The changes of one history. */
const STEPS = 12;

/** A keeping is killed after a random part of this time, about that of a whole one. Unit: ms. */
const LATEST_KILL_MS = 1_500;

/** Number of bits that are flipped, one at a time. */
const FLIPS = Number(process.env['PLUMBLINE_FLIPS'] ?? 300);

/** Longest duration of one history. Unit: ms. */
const HISTORY_MS = 120_000;

const momentOf = (step: number) => new Date(Date.UTC(2026, 3, 3, step)).toISOString();

/** Reads the keys of the states in the list, in order. */
async function listKeys(company: KeptCompany): Promise<string[]> {
  const { code, stdout, stderr } = await company.run(momentOf(0), 'closings');
  expect(code, stderr).toBe(0);
  const { closings, kept } = JSON.parse(stdout) as Record<string, { name: string; number: number }[]>;
  return [...(closings ?? []), ...(kept ?? [])].map(({ name, number }) => `${name}@${number}`);
}

const readState = (company: KeptCompany, key: string) =>
  company.report(join(company.folder, 'company.closings', key, 'company.duckdb'));

it(`each kept state answers as it was printed then, PLUMBLINE_SEED=${SEED}`, {
  timeout: HISTORIES * HISTORY_MS,
}, async () => {
  let killed = 0;
  for (let history = 0; history < HISTORIES; history += 1) {
    const prng = new Prng(SEED + history);
    const pick = (count: number) => Math.floor(prng.next() * count);
    const company = await copyKeptCompany();
    const printed = new Map<string, string>();
    for (let step = 1; step <= STEPS; step += 1) {
      const now = momentOf(step);
      const when = `history ${history}, step ${step}`;
      const keys = [...printed.keys()];
      const key = keys[pick(keys.length)];
      const change = pick(6);
      if (change === 0) expect((await company.load(1 + pick(23), now)).code, when).toBe(0);
      else if (change === 1) await company.run(now, 'close', pick(2) === 0 ? '2026-03' : '2026-02');
      else if (change === 2) await company.run(now, 'reopen', '2026-03', '--reason', when);
      else if (change === 3 && key) {
        // A closing in force isn't removed before it is reopened.
        await company.run(now, 'reopen', key, '--reason', when);
        expect((await company.run(now, 'closings', 'remove', key, '--reason', when)).code, when).toBe(0);
        printed.delete(key);
      } else if (change === 4) {
        const program = startProgram(['keep', 'killed', '--database', company.database]);
        await sleep(pick(LATEST_KILL_MS));
        program.signal('SIGKILL');
        const { exitCode } = await program.outcome;
        if (exitCode === null) killed += 1;
      } else expect((await company.run(now, 'keep', 'plan')).code, when).toBe(0);
      // All or nothing, and nothing that was there is gone.
      const present = await company.report();
      const listed = await listKeys(company);
      expect(listed, when).toEqual(expect.arrayContaining([...printed.keys()]));
      for (const each of listed) if (!printed.has(each)) printed.set(each, present);
      expect([...printed.keys()].sort(), when).toEqual(listed.sort());
    }
    for (const [each, report] of printed) expect(await readState(company, each), `${history}, ${each}`).toBe(report);
    const { code, stdout } = await company.run(momentOf(STEPS), 'verify');
    expect(code, stdout).toBe(0);
    expect((await company.run(momentOf(STEPS), 'keep', 'last')).code).toBe(0);
    const left = readdirSync(join(company.folder, 'company.closings'));
    expect(left.sort()).toEqual(['events.ndjson', 'last@1', ...printed.keys()].sort());
  }
  console.log(`${killed} keepings killed`);
});

it(`${FLIPS} flipped bits give no other number, PLUMBLINE_SEED=${SEED}`, { timeout: FLIPS * 10_000 }, async () => {
  const prng = new Prng(SEED);
  const company = await copyKeptCompany();
  await company.run(momentOf(0), 'keep', 'first');
  await company.run(momentOf(1), 'close', '2026-03');
  const folder = join(company.folder, 'company.closings');
  const ask = () => company.run(momentOf(2), 'report', 'projects', '--as-of', '2026-03@1', '--format', 'csv');
  const { stdout: answer } = await ask();
  expect(answer).toContain('Bridge');
  const files = [
    'events.ndjson',
    ...['closing.json', 'company.duckdb', 'company.no-rates.duckdb'].map((name) => `2026-03@1/${name}`),
  ];
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const path = join(folder, files[flip % files.length] ?? '');
    const bytes = readFileSync(path);
    const place = Math.floor(prng.next() * bytes.length);
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << Math.floor(prng.next() * 8)), place);
    writeFileSync(path, flipped);
    const { code, stdout } = await ask();
    expect([code, stdout], `${path}, byte ${place}`).toEqual([1, '']);
    writeFileSync(path, bytes);
  }
  expect((await ask()).stdout).toBe(answer);
});
