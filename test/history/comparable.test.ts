import { describe, expect, it, onTestFinished } from 'vitest';
import type { Company } from '../../src/numbers/report/catalogue/company-settings.ts';
import { assertComparable } from '../../src/numbers/report/run/earlier.ts';
import { CREATE_CHANGES } from '../../src/store/record/storage/changes.ts';
import { buildState, compareStates } from './compared-company.ts';

const MARCH = { start_date: '2026-03-01', end_date: '2026-03-31' };
const DAYS = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-03-31' };

const logged = (id: string, hours: number) => ({
  logged_time_id: id,
  people_id: 101,
  project_id: 501,
  date: '2026-03-05',
  hours,
});

async function buildBoth(hoursThen: number, hoursNow: number, settings: object = {}) {
  const ids = ['written', 'synced', 'landing', 'unknown', 'before'];
  const companyOf = (hours: number) => ({
    people: [{ people_id: 101, name: 'Ana', cost_rate: 60 }],
    projects: [{ project_id: 501, name: 'Harbor' }],
    logged_time: ids.map((id) => logged(id, hours)),
  });
  const then = await buildState(companyOf(hoursThen));
  const now = await buildState({ ...companyOf(hoursNow), settings });
  onTestFinished(async () => void (await Promise.all([then.close(), now.close()])));
  return { then, now };
}

describe('X8 the last write of a changed line', { tags: ['slow'] }, () => {
  it('is in the log of writes, or the sync brought it; without both nobody knows', async () => {
    const { then, now } = await buildBoth(8, 6);
    // The state then was kept on 3 April at 08:00.
    await now.database.run(`
      CREATE SCHEMA IF NOT EXISTS service; ${CREATE_CHANGES};
      INSERT INTO service.changes (change_id, changed_at, token_id, token_label, method, resource, record_id) VALUES
        (1, TIMESTAMP '2026-04-02 09:00:00', 't1', 'office', 'PATCH', 'logged_time', 'before'),
        (2, TIMESTAMP '2026-04-10 09:00:00', 't1', 'office', 'POST', 'logged_time', 'written'),
        (3, TIMESTAMP '2026-04-11 10:30:00', 't2', '', 'PATCH', 'logged_time', 'written'),
        (4, TIMESTAMP '2026-04-12 09:00:00', 't1', 'office', 'PATCH', 'people', 'unknown');
      INSERT INTO sync.runs SELECT run_id, started_at, finished_at, 'good', FALSE, 0, 0, 1, 0, 0, 1, 0, NULL FROM (VALUES
        (3, TIMESTAMP '2026-03-20 06:00:00', TIMESTAMP '2026-03-20 06:01:00'),
        (4, TIMESTAMP '2026-04-03 07:50:00', TIMESTAMP '2026-04-03 08:00:01'),
        (5, TIMESTAMP '2026-04-03 07:59:00', TIMESTAMP '2026-04-03 08:03:00'),
        (6, TIMESTAMP '2026-04-11 06:00:00', TIMESTAMP '2026-04-11 06:01:00'),
        (7, TIMESTAMP '2026-04-12 06:00:00', TIMESTAMP '2026-04-12 06:01:00')
      ) AS runs (run_id, started_at, finished_at);
      INSERT INTO sync.changes VALUES
        (7, 'logged_time', 'synced', 'changed', TIMESTAMP '2026-04-12 06:00:00'),
        (6, 'logged_time', 'synced', 'changed', TIMESTAMP '2026-04-11 06:00:00'),
        (5, 'logged_time', 'landing', 'changed', TIMESTAMP '2026-04-03 07:59:00'),
        (4, 'logged_time', 'unknown', 'changed', TIMESTAMP '2026-04-03 07:50:00'),
        (3, 'logged_time', 'before', 'changed', TIMESTAMP '2026-03-20 06:00:00')`);
    // The state has the records of run 4, which was noted as over a moment later. Run 5 was still going on; run 3 is of another machine.
    await then.database.run(
      `INSERT INTO sync.changes VALUES (4, 'logged_time', 'unknown', 'changed', TIMESTAMP '2026-04-03 07:50:00')`,
    );
    const sent = { ...MARCH, measure: 'actual_hours' };
    const { rows } = await compareStates(then, now, 'changed-lines', sent, DAYS);
    expect(rows.map(({ line_id_now, changed_at, changed_by }) => [line_id_now, changed_at, changed_by])).toEqual([
      ['a:before', null, null],
      ['a:landing', '2026-04-03T07:59:00Z', 'sync 5'],
      ['a:synced', '2026-04-12T06:00:00Z', 'sync 7'],
      ['a:unknown', null, null],
      ['a:written', '2026-04-11T10:30:00Z', 't2'],
    ]);
  });
});

describe('X1 states that can be compared', () => {
  it('have one currency', { tags: ['slow'] }, async () => {
    const { then, now } = await buildBoth(8, 6, { currency: 'EUR' });
    for (const [name, sent] of [
      ['changes', { ...MARCH }],
      ['changed-lines', { ...MARCH, measure: 'actual_hours' }],
    ] as const)
      await expect(compareStates(then, now, name, sent, DAYS)).rejects.toMatchObject({
        // Over HTTP 422.
        code: 'input',
        message:
          "The amounts can't be compared: those of then are in USD with 2 decimals, the others in EUR with 2 decimals",
      });
  });

  it('have the same decimals, and the earlier one comes first', () => {
    const stateOf = (minorUnits: number, keptAt?: string) =>
      ({ currency: 'USD', minorUnits, ...(keptAt && { asOf: { state: keptAt, keptAt } }) }) as unknown as Company;
    const [march, april] = ['2026-04-03T08:00:00Z', '2026-05-04T08:00:00Z'];
    expect(() => assertComparable(stateOf(2, march), stateOf(2, april))).not.toThrow();
    expect(() => assertComparable(stateOf(2, march), stateOf(2))).not.toThrow();
    expect(() => assertComparable(stateOf(0, march), stateOf(2))).toThrow(
      'in USD with 0 decimals, the others in USD with 2 decimals',
    );
    // Over HTTP 400.
    expect(() => assertComparable(stateOf(2, april), stateOf(2, march))).toThrow(
      `to: ${march} was kept at ${march}, before ${april}`,
    );
  });
});
