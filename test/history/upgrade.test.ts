import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { FORMAT } from '../../src/store/generation/model-definitions.ts';
import { readKeptState, readWholeLog } from '../../src/store/history/kept-states.ts';
import { sha256Of } from '../../src/store/history/log/digest.ts';
import { loggedStates } from '../../src/store/history/logged-states.ts';
import { upgradeState } from '../../src/store/history/upgraded-state.ts';
import { copyKeptCompany, type KeptCompany } from './kept-company.ts';
import { placeReleased, RELEASED_VERSIONS } from './released.ts';

const NOW = '2026-12-03T16:20:05Z';

describe.each(RELEASED_VERSIONS)('a state that version %s has kept', { tags: ['slow'] }, (version) => {
  it('reads, and its control totals tie', { timeout: 400_000 }, async () => {
    const company = await copyKeptCompany();
    placeReleased(version, company.folder);
    const { stdout } = await company.run(NOW, 'verify');
    expect(stdout).toContain('2026-03@1: its files are as they were kept, and its control totals tie');
    const asked = [
      '--as-of',
      '2026-03',
      '--fields',
      'project_id,actual_hours,actual_cost,expense_fees',
      '--format',
      'csv',
    ];
    const report = await company.run(NOW, 'report', 'projects', ...asked);
    expect(report.stdout.split('\r\n').slice(1, 3)).toEqual(['501,15.50,818.25,60.50', '502,11.25,236.78,0.00']);
    for (const name of ['people', 'lines', 'board', 'data-quality']) {
      const read = await company.run(NOW, 'report', name, '--as-of', '2026-03');
      expect([name, read.code], read.stderr).toEqual([name, 0]);
    }
    const changes = await company.run(NOW, 'report', 'changes', '--from', '2026-03');
    expect(changes.stderr).toContain("The amounts can't be compared: those of 2026-03 are in EUR");
    const sql = ['sql', 'SELECT sum(hours) AS hours FROM marts.lines', '--as-of', '2026-03', '--format', 'csv'];
    expect((await company.run(NOW, ...sql)).stdout).toContain('232.25');
    const folder = join(company.folder, 'export');
    const exported = await company.run(NOW, 'export', folder, '--as-of', '2026-03', '--format', 'csv');
    expect(exported.code, exported.stderr).toBe(0);
    const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    for (const { file, sha256 } of files) expect(sha256Of(readFileSync(join(folder, file))), file).toBe(sha256);
  });
});

/** A format from which no step leads. */
const EARLIER = 1;

/** Makes a kept state of that format, in which the ledger has another name for hours. @returns its step to the present. */
async function keepEarlier(company: KeptCompany, step: string): Promise<string> {
  await company.run(NOW, 'keep', 'plan');
  const folder = join(company.folder, 'company.closings', 'plan@1');
  const file = join(folder, 'company.duckdb');
  // The file has another name: the published one.
  const bytes = readFileSync(file);
  rmSync(file);
  writeFileSync(file, bytes);
  const database = await openDatabase(file);
  await database.run(
    `ALTER TABLE core.ledger RENAME COLUMN hours TO worked; UPDATE core.build SET format = ${EARLIER}`,
  );
  await database.run('CHECKPOINT');
  await database.close();
  const changed = readFileSync(file);
  const path = join(folder, 'closing.json');
  const record = JSON.parse(readFileSync(path, 'utf8'));
  const files = record.files.map((each: { name: string }) =>
    each.name === 'company.duckdb' ? { ...each, bytes: changed.length, sha256: sha256Of(changed) } : each,
  );
  writeFileSync(path, JSON.stringify({ ...record, data_format: EARLIER, program_version: '0.0.9', files }));
  rmSync(join(company.folder, 'company.closings', 'events.ndjson'));
  await company.run(NOW, 'verify', '--accept', 'test');
  const steps = join(company.folder, 'steps');
  mkdirSync(steps);
  for (let format = EARLIER + 1; format < FORMAT; format += 1) writeFileSync(join(steps, `${format}.sql`), 'SELECT 1');
  writeFileSync(join(steps, `${FORMAT}.sql`), step);
  return steps;
}

const upgrade = async ({ database }: KeptCompany, steps: string) => {
  const [logged] = loggedStates(await readWholeLog(database));
  if (!logged) throw new Error('no state is kept');
  return upgradeState(database, await readKeptState(database, logged), steps);
};

const RENAME = 'ALTER TABLE core.ledger RENAME COLUMN worked TO hours';

describe('a state of an earlier format', { tags: ['slow'] }, () => {
  it('is read from a copy that a step has upgraded, which may be thrown away', { timeout: 400_000 }, async () => {
    const company = await copyKeptCompany();
    const steps = await keepEarlier(company, RENAME);
    const original = join(company.folder, 'company.closings', 'plan@1', 'company.duckdb');
    const before = readFileSync(original);
    const file = await upgrade(company, steps);
    expect(await company.report(file)).toBe(await company.report());
    expect(readFileSync(original).equals(before)).toBe(true);
    const { ino } = statSync(file);
    expect(statSync(await upgrade(company, steps)).ino).toBe(ino);
    // A copy that was changed is made anew, as is one that was thrown away.
    writeFileSync(file, readFileSync(file).fill(0, 8192, 8200));
    expect(await company.report(await upgrade(company, steps))).toBe(await company.report());
    rmSync(join(company.folder, 'company.closings', '.upgraded'), { recursive: true });
    expect(await company.report(await upgrade(company, steps))).toBe(await company.report());
    expect((await company.run(NOW, 'closings', 'remove', 'plan', '--reason', 'test')).code).toBe(0);
    expect(readdirSync(join(company.folder, 'company.closings', '.upgraded'))).toEqual([]);
  });

  it('is refused if the step changes a number', async () => {
    const company = await copyKeptCompany();
    const steps = await keepEarlier(company, `${RENAME}; UPDATE core.ledger SET cost = cost + 1 WHERE kind = 'actual'`);
    await expect(upgrade(company, steps)).rejects.toThrow(
      "The control totals of plan@1 don't tie in the format of this version: actual_cost, project_id=1, month=2026-03-01: 450.00 kept, 452.00 now",
    );
    expect(readdirSync(join(company.folder, 'company.closings', '.upgraded'))).toEqual([]);
    expect((await company.run(NOW, 'verify')).stdout).toContain('version 0.0.9 kept it');
  });
});
