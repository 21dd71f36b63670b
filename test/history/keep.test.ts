import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { KEEP_STEPS, steps } from '../../src/base/database/steps.ts';
import { copyKeptCompany, type KeptCompany } from './kept-company.ts';

const { take } = steps;
afterEach(() => {
  steps.take = take;
});

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

const NOW = '2026-04-03T16:20:05Z';

const stateFile = ({ folder }: KeptCompany, ...path: string[]) => join(folder, 'company.closings', ...path);

const loaded = copyKeptCompany;

/** Returns bytes with another bit at a place. */
function flipBit(bytes: Buffer, place: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << (place % 8)), place);
  return flipped;
}

describe('keep', () => {
  it('keeps the pair by link, and its reports through later loads', { timeout: LOADS_MS, tags: ['slow'] }, async () => {
    const company = await loaded();
    const before = await company.report();
    const { code, stderr } = await company.run(NOW, 'keep', 'kickoff-501', '--label', 'Plan as agreed');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Kept kickoff-501@1, as of 2026-04-03')]);
    const kept = stateFile(company, 'kickoff-501@1', 'company.duckdb');
    expect(statSync(kept).ino).toBe(statSync(company.database).ino);

    await company.load(2);
    expect(await company.report()).not.toBe(before);
    expect(await company.report(kept)).toBe(before);
    expect((await company.run(NOW, 'verify')).stdout).toContain(
      'kickoff-501@1: its files are as they were kept, and its control totals tie',
    );
  });

  it('writes what the state is, and the sums of its measures', { tags: ['slow'] }, async () => {
    const company = await loaded();
    await writeFile(join(company.folder, 'projects.xlsx'), 'as it was sent');
    await company.run(NOW, 'keep', 'q1', '--reason', 'board', '--file', join(company.folder, 'projects.xlsx'));
    const record = JSON.parse(readFileSync(stateFile(company, 'q1@1', 'closing.json'), 'utf8'));
    expect(record).toMatchObject({
      name: 'q1',
      number: 1,
      start_date: null,
      kind: 'kept',
      reason: 'board',
      kept_at: NOW,
      day: '2026-04-03',
      currency: 'USD',
      minor_units: 2,
    });
    expect(record.files.map(({ name }: { name: string }) => name)).toEqual([
      'company.duckdb',
      'company.no-rates.duckdb',
      'totals.csv',
      'files/projects.xlsx',
    ]);
    expect(record.measures.actual_cost).toMatch(/^[0-9a-f]{64}$/);
    const [header = '', row = ''] = readFileSync(stateFile(company, 'q1@1', 'totals.csv'), 'utf8').split('\r\n');
    const cells = Object.fromEntries(header.split(',').map((name, index) => [name, row.split(',')[index]]));
    expect(cells).toMatchObject({
      project_id: '1',
      actual_hours: '9.00',
      actual_cost: '450.00',
      scheduled_hours: '30.00',
    });
    expect(readFileSync(stateFile(company, 'q1@1', 'files', 'projects.xlsx'), 'utf8')).toBe('as it was sent');
  });

  it('counts the states with a name, also after one is removed', { tags: ['slow'] }, async () => {
    const company = await loaded();
    for (const number of [1, 2]) {
      expect((await company.run(NOW, 'keep', 'plan')).stderr).toContain(`Kept plan@${number},`);
    }
    expect((await company.run(NOW, 'closings', 'remove', 'plan')).code).toBe(2);
    const removed = await company.run(NOW, 'closings', 'remove', 'plan', '--reason', 'holds personal data');
    expect(removed.stderr).toContain('Removed plan@2.');
    expect(existsSync(stateFile(company, 'plan@2'))).toBe(false);
    expect((await company.run(NOW, 'keep', 'plan')).stderr).toContain('Kept plan@3,');
    const { kept } = JSON.parse((await company.run(NOW, 'closings')).stdout);
    expect(kept.map(({ number }: { number: number }) => number)).toEqual([1, 3]);
    const events = readFileSync(stateFile(company, 'events.ndjson'), 'utf8').trimEnd().split('\n');
    expect(JSON.parse(events[2] ?? '')).toMatchObject({ event: 'removed', reason: 'holds personal data', number: 2 });
  });

  it.each([
    'Plan',
    '2026-03-31',
    'now',
    'closings',
    '20260403T161958Z-0a1b2c3d.118',
    'a@1',
    '../x',
    '',
    '-a',
    'x'.repeat(61),
  ])('refuses the name "%s"', { tags: ['slow'] }, async (name) => {
    const company = await loaded();
    expect((await company.run(NOW, 'keep', name)).code).toBe(2);
    expect(existsSync(stateFile(company))).toBe(false);
  });

  it.each(KEEP_STEPS)('keeps nothing if it fails at the step "%s"', { tags: ['slow'] }, async (step) => {
    const company = await loaded();
    await company.run(NOW, 'keep', 'first');
    const log = readFileSync(stateFile(company, 'events.ndjson'));
    steps.take = (each, work) => {
      if (each === step) throw new Error('ENOSPC: no space left on device');
      return take(each, work);
    };
    const failed = await company.run(NOW, 'keep', 'second');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('is full')]);
    steps.take = take;
    expect(readdirSync(stateFile(company)).sort()).toEqual(['events.ndjson', 'first@1']);
    expect(readFileSync(stateFile(company, 'events.ndjson'))).toEqual(log);
    expect((await company.run(NOW, 'keep', 'second')).code).toBe(0);
  });

  it('lets one of two keepings wait', { tags: ['slow'] }, async () => {
    const company = await loaded();
    const kept = await Promise.all([company.run(NOW, 'keep', 'plan'), company.run(NOW, 'keep', 'plan')]);
    expect(kept.map(({ code }) => code)).toEqual([0, 0]);
    expect((await company.run(NOW, 'verify')).stdout).toContain('2 kept states verified.');
  });

  it('removes the leftovers of a kill, and reads none of them', { tags: ['slow'] }, async () => {
    const company = await loaded();
    await company.run(NOW, 'keep', 'plan');
    await rename(stateFile(company, 'plan@1'), stateFile(company, '.next-1'));
    await writeFile(stateFile(company, 'events.ndjson'), '');
    expect(JSON.parse((await company.run(NOW, 'closings')).stdout).kept).toEqual([]);
    expect((await company.run(NOW, 'keep', 'other')).code).toBe(0);
    expect(readdirSync(stateFile(company)).sort()).toEqual(['events.ndjson', 'other@1']);
  });
});

describe('verify', () => {
  it('names each cell of the totals that is computed otherwise', { tags: ['slow'] }, async () => {
    const company = await loaded();
    await company.run(NOW, 'keep', 'plan');
    const totals = stateFile(company, 'plan@1', 'totals.csv');
    const record = stateFile(company, 'plan@1', 'closing.json');
    const [before, after] = [readFileSync(totals, 'utf8'), readFileSync(totals, 'utf8').replace('450.00', '451.00')];
    const { sha256Of } = await import('../../src/store/history/log/digest.ts');
    // As an earlier version would have kept it.
    writeFileSync(totals, after);
    writeFileSync(record, readFileSync(record, 'utf8').replace(sha256Of(before), sha256Of(after)));
    await rm(stateFile(company, 'events.ndjson'));
    const { code, stdout } = await company.run(NOW, 'verify', '--accept', 'test');
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('plan@1: actual_cost, project_id=1, month=2026-03-01: 451.00 kept, 450.00 now'),
    ]);
  });

  it('finds a flipped bit in each file', { tags: ['slow'] }, async () => {
    const company = await loaded();
    await company.run(NOW, 'keep', 'plan');
    for (const name of ['company.duckdb', 'company.no-rates.duckdb', 'totals.csv', 'closing.json']) {
      const path = stateFile(company, 'plan@1', name);
      const bytes = await readFile(path);
      await writeFile(path, flipBit(bytes, bytes.length >> 1));
      const { code, stdout } = await company.run(NOW, 'verify');
      expect([code, stdout]).toEqual([1, expect.stringMatching(/plan@1: .*(SHA-256)/)]);
      await writeFile(path, bytes);
    }
    expect((await company.run(NOW, 'verify')).code).toBe(0);
  });

  it('finds each flipped bit and each missing line in the log, and goes on from an accepted one', {
    tags: ['slow'],
  }, async () => {
    const company = await loaded();
    for (const name of ['a', 'b', 'c']) await company.run(NOW, 'keep', name);
    const log = stateFile(company, 'events.ndjson');
    const bytes = readFileSync(log);
    for (let place = 0; place < bytes.length; place += 37) {
      writeFileSync(log, flipBit(bytes, place));
      expect((await company.run(NOW, 'closings')).code, `byte ${place}`).toBe(1);
    }
    writeFileSync(log, flipBit(bytes, bytes.length - 1));
    expect((await company.run(NOW, 'closings')).stderr).toContain('line 3: it has no end');

    const [first, , third] = bytes.toString().split('\n');
    writeFileSync(log, `${first}\n${third}\n`);
    const refused = await company.run(NOW, 'keep', 'd');
    expect(refused.stderr).toContain('events.ndjson, line 2: it does not follow the line before it');
    expect((await company.run(NOW, 'verify', '--accept', 'a line was lost')).stderr).toContain(
      'taken up as it is: b@1',
    );
    expect((await company.run(NOW, 'keep', 'd')).code).toBe(0);
    expect((await company.run(NOW, 'verify')).stdout).toContain('4 kept states verified.');
  });

  it('goes on after an append that was interrupted', { tags: ['slow'] }, async () => {
    const company = await loaded();
    await company.run(NOW, 'keep', 'a');
    await appendFile(stateFile(company, 'events.ndjson'), '{"sha256":"01');
    expect((await company.run(NOW, 'keep', 'b')).code).toBe(0);
    expect((await company.run(NOW, 'verify')).stdout).toContain('2 kept states verified.');
  });

  it('refuses a missing log', { tags: ['slow'] }, async () => {
    const company = await loaded();
    await company.run(NOW, 'keep', 'a');
    await rm(stateFile(company, 'events.ndjson'));
    expect((await company.run(NOW, 'keep', 'b')).stderr).toContain('is missing, and there are kept states');
    expect(existsSync(stateFile(company, 'a@1'))).toBe(true);
  });
});

describe('closings import', () => {
  it('takes over a state of the same company, and no other', { tags: ['slow'] }, async () => {
    const [one, other] = [await loaded(), await loaded(3)];
    await one.run(NOW, 'keep', 'plan');
    const folder = stateFile(one, 'plan@1');
    expect((await other.run(NOW, 'closings', 'import', folder)).stderr).toContain('Took over plan@1');
    expect(await other.report(stateFile(other, 'plan@1', 'company.duckdb'))).toBe(await one.report());
    expect((await other.run(NOW, 'closings', 'import', folder)).stderr).toContain('There is a kept state plan@1');

    const third = await loaded(4);
    await third.run(NOW, 'keep', 'own');
    const refused = await third.run(NOW, 'closings', 'import', folder);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('it is of another company')]);
    expect(readdirSync(stateFile(third)).sort()).toEqual(['events.ndjson', 'own@1']);
  });

  it('takes over a hard closing of a whole pair, once it is confirmed', { tags: ['slow'] }, async () => {
    const [one, other] = [await loaded(), await loaded()];
    await one.run(NOW, 'close', '2026-03', '--kind', 'hard', '--confirm');
    const folder = stateFile(one, '2026-03@1');
    const asked = ['closings', 'import', folder];
    const closes = 'It closes 2026-03-01 to 2026-03-31, hard.';
    expect((await other.run(NOW, ...asked, '--dry-run')).stdout).toMatch(
      /^Would take over 2026-03@1, kept at .* hard\.$/m,
    );
    const refused = await other.run(NOW, ...asked);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(closes)]);
    expect(existsSync(stateFile(other))).toBe(false);
    expect((await other.run(NOW, ...asked, '--confirm')).stderr).toContain(`Took over 2026-03@1`);

    // The database itself in the place of its copy without rates, with sums that are right.
    const record = JSON.parse(readFileSync(join(folder, 'closing.json'), 'utf8'));
    const [whole, , ...files] = record.files;
    await rm(join(folder, 'company.no-rates.duckdb'));
    writeFileSync(join(folder, 'company.no-rates.duckdb'), readFileSync(join(folder, 'company.duckdb')));
    const forged = { ...record, number: 2, files: [whole, { ...whole, name: 'company.no-rates.duckdb' }, ...files] };
    writeFileSync(join(folder, 'closing.json'), JSON.stringify(forged));
    const wrong = await other.run(NOW, ...asked, '--confirm');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is no copy without rates')]);
    await rm(folder, { recursive: true });
    expect((await other.run(NOW, ...asked)).stderr).toContain('is not a kept state: there is no closing.json');
    expect(readdirSync(stateFile(other)).sort()).toEqual(['2026-03@1', 'events.ndjson']);
  });
});
