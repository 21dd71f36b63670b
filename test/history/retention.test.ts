import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';
import { steps } from '../../src/base/database/steps.ts';
import { servedRetentionOf } from '../../src/doors/command/history/history-author.ts';
import { chooseFitting } from '../../src/store/history/kept-room.ts';
import { chooseRetained } from '../../src/store/history/retention.ts';
import { copyKeptCompany, makeKeptCompany } from './kept-company.ts';

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

const weeksFrom = (weekStartsOn: number) => ({ weekStartsOn, fiscalYearStartsIn: 1 });

const days = (...list: string[]) => list.map((day) => ({ key: day, day }));

describe('chooseRetained', () => {
  it('keeps the last state of each of the newest days, weeks and months', () => {
    const states = days(
      '2026-01-30',
      '2026-02-27',
      '2026-03-06',
      '2026-03-07',
      '2026-03-08',
      '2026-03-09',
      '2026-03-10',
    );
    const chosen = chooseRetained(states, { daily: 2, weekly: 2, monthly: 3 }, weeksFrom(1));
    expect([...chosen].sort()).toEqual(['2026-01-30', '2026-02-27', '2026-03-08', '2026-03-09', '2026-03-10']);
  });

  it('begins weeks on the day of the company', () => {
    const states = days('2026-03-07', '2026-03-08', '2026-03-09');
    expect([...chooseRetained(states, { weekly: 2 }, weeksFrom(0))].sort()).toEqual(['2026-03-07', '2026-03-09']);
    expect([...chooseRetained(states, { weekly: 2 }, weeksFrom(1))].sort()).toEqual(['2026-03-08', '2026-03-09']);
  });
});

describe('chooseFitting', () => {
  const states = ['3', '2', '1'].map((key) => ({ key, bytes: 100 }));

  it.each([
    [1200, ['3', '2', '1']],
    [1199, ['3', '2']],
    [199, []],
  ])('with %d bytes free, keeps the newest within a fifth of the room', (free, kept) => {
    expect([...chooseFitting(states, free)]).toEqual(kept);
  });
});

describe('a server that takes changes', () => {
  const keeperOf = (flags: Record<string, string>, warnings: string[] = [], database = 'company.duckdb') =>
    servedRetentionOf(
      readConfig({ database }),
      flags,
      () => new Date('2026-04-04T09:00:00Z'),
      (message) => warnings.push(message),
    );

  it('keeps the last state of a day by itself, by link, and warns where it can not', {
    tags: ['slow'],
    timeout: LOADS_MS,
  }, async () => {
    const [company, next] = [await copyKeptCompany(), makeKeptCompany()];
    await next.load(9, '2026-04-04T08:00:00Z');
    const warnings: string[] = [];
    const keep = keeperOf({}, warnings, company.database);
    const { take } = steps;
    onTestFinished(() => {
      steps.take = take;
    });
    steps.take = async (step, work) => {
      if (step === 'link the pair') throw Object.assign(new Error('no second names here'), { code: 'EXDEV' });
      return take(step, work);
    };
    await keep?.(next.database);
    expect(warnings).toEqual([expect.stringContaining('no second names here')]);
    steps.take = take;
    await keep?.(next.database);
    expect(warnings).toHaveLength(1);
    const { kept } = JSON.parse((await company.run('2026-04-04T10:00:00Z', 'closings')).stdout);
    expect(kept).toMatchObject([{ day: '2026-04-03', name: null, kind: 'automatic', kept_by: 'default retention' }]);
    const linked = join(company.folder, 'company.closings', kept[0].data_version, 'company.duckdb');
    expect(statSync(linked).ino).toBe(statSync(company.database).ino);
    const { stdout } = await company.run('2026-04-04T10:00:00Z', 'status');
    expect(stdout).toMatch(/^1 kept state takes up to \d+\.\d MB of room beside the database, where .* are free$/m);
  });

  it('keeps nothing with --keep none', () => {
    expect([keeperOf({ keep: 'none' }), typeof keeperOf({})]).toEqual([undefined, 'function']);
  });
});

describe('--keep', () => {
  it('keeps the last load of a day when another day replaces it, and removes the oldest', {
    tags: ['slow'],
    timeout: LOADS_MS,
  }, async () => {
    const company = makeKeptCompany();
    const versions: string[] = [];
    for (const [index, now] of ['03T08', '03T17', '04T09', '05T09'].entries()) {
      const { code, stderr } = await company.load(index + 1, `2026-04-${now}:00:00Z`, '--keep', 'daily:1');
      expect(code, stderr).toBe(0);
      versions.push(/data version ([^ ]+)\./.exec(stderr)?.[1] ?? '');
    }
    const { kept } = JSON.parse((await company.run('2026-04-06T10:00:00Z', 'closings')).stdout);
    expect(kept).toMatchObject([{ day: '2026-04-04', name: null, kind: 'automatic', data_version: versions[2] }]);
    const [header, row] = (
      await company.report(`${company.folder}/company.closings/${versions[2]}/company.duckdb`)
    ).split('\r\n');
    expect(row?.split(',')[header?.split(',').indexOf('actual_hours') ?? 0]).toBe('4.00');
    const events = readFileSync(`${company.folder}/company.closings/events.ndjson`, 'utf8').trimEnd().split('\n');
    expect(events.map((line) => JSON.parse(line)).map(({ event, name }) => [event, name])).toEqual([
      ['kept', versions[1]],
      ['kept', versions[2]],
      ['removed', versions[1]],
    ]);
  });

  it('keeps each day after a clock that was ahead, and leaves its states', { tags: ['slow'] }, async () => {
    const company = makeKeptCompany();
    const loads = ['2031-01-01', '2031-01-02', '2026-04-03', '2026-04-04', '2026-04-05'];
    for (const [index, day] of loads.entries())
      expect(await company.load(index + 1, `${day}T08:00:00Z`, '--keep', 'daily:1')).toMatchObject({ code: 0 });
    const { kept } = JSON.parse((await company.run('2026-04-06T10:00:00Z', 'closings')).stdout);
    const days = kept.map(({ day }: { day: string }) => day).sort();
    expect(days).toEqual(['2026-04-04', '2031-01-01']);
  });

  it.each(['daily', 'daily:0', 'hourly:1', 'daily:1,daily:2', 'daily:99999'])(
    'refuses "%s"',
    { tags: ['slow'] },
    async (rules) => {
      const { code, stderr } = await makeKeptCompany().load(1, undefined, '--keep', rules);
      expect([code, stderr]).toEqual([2, expect.stringContaining('is not a rule')]);
    },
  );
});
