import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyKeptCompany, type KeptCompany, runCommand } from './kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

const closings = ({ folder }: KeptCompany, ...path: string[]) => join(folder, 'company.closings', ...path);

/** Makes a company with two kept states, and a log from before the second. */
async function loseLine(): Promise<KeptCompany> {
  const company = await copyKeptCompany();
  await company.run(NOW, 'keep', 'first');
  const log = readFileSync(closings(company, 'events.ndjson'));
  await company.run(NOW, 'keep', 'second');
  writeFileSync(closings(company, 'events.ndjson'), log);
  return company;
}

describe('a folder that the log has no line of', () => {
  it('is never removed if it is a state, and is taken up by name', { tags: ['slow'], timeout: 400_000 }, async () => {
    const company = await loseLine();
    const refused = await company.run(NOW, 'keep', 'third');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has no line of second@1')]);
    expect(existsSync(closings(company, 'second@1', 'company.duckdb'))).toBe(true);
    const found = await company.run(NOW, 'verify');
    expect([found.code, found.stdout]).toEqual([1, expect.stringContaining('second@1: the log has no line of it')]);
    const taken = await company.run(NOW, 'verify', '--accept', 'the log is of a backup');
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining('taken up as it is: second@1')]);
    expect((await company.run(NOW, 'keep', 'third')).code).toBe(0);
    expect((await company.run(NOW, 'verify')).stdout).toContain('3 kept states verified.');
  });

  it('is removed if a keeping was interrupted before its line', { tags: ['slow'] }, async () => {
    const company = await loseLine();
    writeFileSync(closings(company, 'second@1', 'keeping'), '');
    expect((await company.run(NOW, 'verify')).stdout).toContain('second@1: left by an interrupted change');
    expect((await company.run(NOW, 'keep', 'third')).code).toBe(0);
    expect(readdirSync(closings(company)).sort()).toEqual(['events.ndjson', 'first@1', 'third@1']);
  });

  it('is removed if a removal was interrupted after its line', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(NOW, 'keep', 'plan');
    await cp(closings(company, 'plan@1'), closings(company, 'copy'), { recursive: true });
    await company.run(NOW, 'closings', 'remove', 'plan', '--reason', 'test');
    await cp(closings(company, 'copy'), closings(company, 'plan@1'), { recursive: true });
    expect((await company.run(NOW, 'keep', 'plan')).stderr).toContain('Kept plan@2');
    // The copy has the description of another name.
    expect(readdirSync(closings(company)).sort()).toEqual(['copy', 'events.ndjson', 'plan@2']);
    expect((await company.run(NOW, 'verify')).stdout).toContain('copy: not a folder of a kept state');
  });

  it('has a mark only until its line is on disk', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(NOW, 'keep', 'plan');
    const mark = closings(company, 'plan@1', 'keeping');
    expect(existsSync(mark)).toBe(false);
    // A kill between both leaves it, and the next change removes it alone.
    writeFileSync(mark, '');
    await company.run(NOW, 'keep', 'plan');
    expect(readdirSync(closings(company)).sort()).toEqual(['events.ndjson', 'plan@1', 'plan@2']);
    expect(existsSync(mark)).toBe(false);
  });
});

it('an import that is refused removes nothing', { tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'keep', 'plan');
  const [foreign, log] = [join(company.folder, 'foreign'), closings(company, 'events.ndjson')];
  await cp(closings(company, 'plan@1'), foreign, { recursive: true });
  const record = JSON.parse(readFileSync(join(foreign, 'closing.json'), 'utf8'));
  writeFileSync(join(foreign, 'closing.json'), JSON.stringify({ ...record, name: 'events.ndjson', number: null }));
  const before = readFileSync(log);
  const { code, stderr } = await company.run(NOW, 'closings', 'import', foreign);
  expect([code, stderr]).toEqual([1, expect.stringContaining('describes no state that can be taken over')]);
  expect(readFileSync(log)).toEqual(before);
  expect(readdirSync(closings(company)).sort()).toEqual(['events.ndjson', 'plan@1']);
});

it('verify refuses a database that is not there, and makes nothing', async () => {
  const company = await copyKeptCompany();
  const typo = join(company.folder, 'typo.duckdb');
  for (const flags of [[], ['--accept', 'test']]) {
    const { code, stderr } = await runCommand(NOW, ['verify', ...flags, '--database', typo]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no database ${typo}`)]);
  }
  expect(existsSync(join(company.folder, 'typo.closings'))).toBe(false);
});
