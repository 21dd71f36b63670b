import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyKeptCompany, type KeptCompany } from './kept-company.ts';

const [CLOSED, NOW] = ['2026-04-03T16:20:05Z', '2026-06-20T08:00:00Z'];

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

const readJson = async (company: KeptCompany, ...args: string[]) => {
  const { code, stdout, stderr } = await company.run(NOW, ...args, '--format', 'json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

describe('--as-of', () => {
  it('answers as the data were, with the days of the closing', { timeout: LOADS_MS, tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    const before = await company.report();
    await company.run('2026-04-02T08:00:00Z', 'keep', 'plan');
    await company.run(CLOSED, 'close', '2026-03');
    await company.load(2, NOW);

    const closed = ['--as-of', '2026-03'];
    const { projects, meta } = await readJson(company, 'report', 'projects', ...closed);
    expect(projects).toMatchObject([{ name: 'Bridge', actual_hours: 9, actual_cost: 450 }]);
    expect(meta).toMatchObject({
      parameters: { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' },
      as_of: { state: '2026-03', number: 1, kind: 'soft', kept_at: CLOSED, definitions: 'same' },
    });
    const window = ['--start-date', '2026-03-01', '--end-date', '2026-03-31', '--cutoff-date', '2026-03-31'];
    for (const reference of ['2026-03', '2026-03@1', 'plan', meta.data_version, '2026-04-03', '2026-06-01']) {
      const asked = await company.run(NOW, 'report', 'projects', ...window, '--as-of', reference, '--format', 'csv');
      expect([asked.stdout, reference]).toEqual([before, reference]);
    }
    expect((await company.report()) === before).toBe(false);

    const explained = ['explain', 'projects', '--measure', 'actual_hours', '--project-id', '1', ...closed];
    expect((await readJson(company, ...explained)).explain.value).toBe('9.00');
    const { lines } = await readJson(company, 'report', 'lines', ...closed, '--limit', '100');
    expect(lines.filter(({ kind }: { kind: string }) => kind === 'actual')).toMatchObject([{ hours: 8 }, { hours: 1 }]);
    expect((await readJson(company, 'report', 'data-quality', ...closed)).meta.as_of.state).toBe('2026-03');
    expect((await company.run(NOW, 'report', 'projects', ...closed, '--format', 'table')).stdout).toContain(
      `As of 2026-03@1, kept at ${CLOSED}.`,
    );
  });

  it('takes the day up to which a state is complete for today', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run('2026-04-02T08:00:00Z', 'keep', 'plan');
    const window = ['--start-date', '2026-03-01', '--end-date', '2026-12-31', '--as-of', 'plan'];
    // Complete up to the load, on 3 April; the last logged day is earlier.
    const { meta } = await readJson(company, 'report', 'projects', ...window);
    expect(meta.cutoff).toEqual({ date: '2026-03-31', reason: 'the last day with logged time' });
    const moving = await readJson(company, 'report', 'projects', '--period', 'last_month', '--as-of', 'plan');
    expect(moving.meta.parameters).toMatchObject({ start_date: '2026-03-01', end_date: '2026-03-31' });
  });

  it('names measures that are computed otherwise now', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(CLOSED, 'close', '2026-03');
    const { describeAsOf } = await import('../../src/numbers/report/catalogue/measure-digest.ts');
    const { readCatalogues } = await import('../../src/store/generation/own-reports.ts');
    const { digestMeasures } = await import('../../src/numbers/report/catalogue/measure-digest.ts');
    const catalogue = readCatalogues().full;
    const kept = { state: 'a', number: 1, kind: 'soft', keptAt: CLOSED, day: '2026-04-03' };
    const measures = { ...digestMeasures(catalogue), actual_cost: 'another' };
    const asked = ['actual_hours', 'actual_cost'].flatMap((name) => catalogue.measures.get(name) ?? []);
    expect(describeAsOf({ ...kept, measures }, catalogue, asked)).toMatchObject({
      definitions: 'changed',
      changed_measures: ['actual_cost'],
    });
    const { actual_hours: former_hours = '', ...others } = digestMeasures(catalogue);
    expect(describeAsOf({ ...kept, measures: others }, catalogue, asked).changed_measures).toEqual(['actual_hours']);
    const renamed = asked.map((measure) => ({ ...measure, formerly: ['former_hours'] }));
    expect(describeAsOf({ ...kept, measures: { ...others, former_hours } }, catalogue, renamed).definitions).toBe(
      'same',
    );
  });

  it('refuses unknown states, and days before the first', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    const ask = (...args: string[]) => company.run(NOW, 'report', 'projects', ...args);
    expect((await ask('--as-of', '2026-03')).stderr).toContain('There is no kept state "2026-03"');
    await company.run(CLOSED, 'close', '2026-03');
    const unknown = await ask('--as-of', '2026-30');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('The nearest is 2026-03.')]);
    expect((await ask('--as-of', '2026-04-02')).stderr).toContain(
      'No state was kept on or before 2026-04-02\nThe first is of 2026-04-03.',
    );
  });

  it('reads no state that was changed, also if it was read before', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(CLOSED, 'close', '2026-03');
    const ask = () => company.run(NOW, 'report', 'projects', '--as-of', '2026-03', '--format', 'csv');
    expect((await ask()).code).toBe(0);
    const folder = join(company.folder, 'company.closings', '2026-03@1');
    appendFileSync(join(folder, 'company.no-rates.duckdb'), 'x');
    const refused = await ask();
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('The kept state 2026-03@1 is not as it was kept: company.no-rates.duckdb has '),
    ]);
    renameSync(join(folder, 'company.duckdb'), join(folder, 'other'));
    expect((await ask()).stderr).toContain('company.duckdb is missing, or is no file');
    expect(statSync(company.database).size).toBeGreaterThan(0);
    expect(readFileSync(join(folder, 'closing.json'), 'utf8')).toContain('"2026-03"');
  });
});
