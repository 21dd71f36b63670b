// @module-tag slow
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyKeptCompany, makeKeptCompany } from './kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

const listClosings = async (company: Awaited<ReturnType<typeof copyKeptCompany>>) =>
  JSON.parse((await company.run(NOW, 'closings')).stdout).closings;

describe('close', () => {
  it('keeps the state of a period, with what is open in it', { timeout: 400_000, tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    const dry = await company.run(NOW, 'close', 'last_month', '--dry-run');
    expect(dry.stdout).toContain(
      '2026-03, 2026-03-01 to 2026-03-31; records as of 2026-04-03, with time logged up to 2026-03-',
    );
    // One of 5 days of 6 hours has 8 logged: 24 hours at 50 an hour, billed at 100, are missing.
    expect(dry.stdout).toContain('missing_hours: ');
    expect(dry.stdout).toContain(
      '(24.00 h, 1 person, cost 1,200.00 USD, value of work 2,400.00 USD, revenue 2,400.00 USD)',
    );
    expect(await listClosings(company)).toEqual([]);

    const { code, stderr } = await company.run(NOW, 'close', '2026-03', '--label', 'March');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Closed 2026-03@1, 2026-03-01 to 2026-03-31')]);
    expect(await listClosings(company)).toMatchObject([
      {
        name: '2026-03',
        number: 1,
        start_date: '2026-03-01',
        end_date: '2026-03-31',
        kind: 'soft',
        status: 'closed',
        label: 'March',
        closed_at: NOW,
        day: '2026-04-03',
        warnings: [
          {
            name: 'missing_hours',
            hours: '24.0000',
            people: 1,
            amount: '1200.00',
            fees: '2400.00',
            revenue: '2400.00',
          },
        ],
      },
    ]);
    expect((await company.run(NOW, 'verify')).stdout).toContain('its control totals tie');
  });

  it('refuses what is closed, reopens it with a reason, and closes it as number 2', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(NOW, 'close', '2026-03');
    const again = await company.run(NOW, 'close', 'last_month');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('2026-03@1 is closed already')]);
    expect((await company.run(NOW, 'reopen', '2026-03')).code).toBe(2);
    const reopened = await company.run(NOW, 'reopen', '2026-03', '--reason', 'hours were missing');
    expect(reopened.stderr).toContain('Reopened 2026-03@1.');
    expect((await company.run(NOW, 'reopen', '2026-03', '--reason', 'again')).stderr).toContain(
      '2026-03@1 is open already',
    );
    expect((await company.run(NOW, 'close', '2026-03')).stderr).toContain('Closed 2026-03@2');
    expect((await listClosings(company)).map(({ status }: { status: string }) => status)).toEqual([
      'reopened',
      'closed',
    ]);
    const log = readFileSync(join(company.folder, 'company.closings', 'events.ndjson'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(log.map((line) => JSON.parse(line).event)).toEqual(['closed', 'reopened', 'closed']);
  });

  it('says that a period is not over, and that days before it are open', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(NOW, 'close', '2026-01');
    const { stderr } = await company.run(NOW, 'close', '2026-04');
    expect(stderr).toContain(
      'period_not_over: The period ends on 2026-04-30, and the records are those of 2026-04-03.',
    );
    expect(stderr).toContain("earlier_period_open: The days from 2026-02-01 to 2026-03-31 aren't closed.");
  });

  it('does not take a period for over on its last day', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    const period = '2026-04-01..2026-04-03';
    const { stdout } = await company.run(NOW, 'close', period, '--dry-run');
    expect(stdout).toContain('period_not_over: The period ends on 2026-04-03, and the records are of that day,');
    const refused = await company.run(NOW, 'close', period, '--kind', 'hard');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('closed hard without confirmation')]);
    expect((await company.run(NOW, 'close', '2026-04-01..2026-04-02', '--dry-run')).stdout).not.toContain('not_over');
  });

  it('leaves days hard under a soft closing: only a reopening opens them (C5)', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    const hardClosed = async () => JSON.parse((await company.run(NOW, 'closings')).stdout).hard_closed;
    for (const period of ['2026-02', '2026-03']) await company.run(NOW, 'close', period, '--kind', 'hard', '--confirm');
    await company.run(NOW, 'close', '2026-03-10..2099-12-31', '--name', 'rest');
    const [february, march] = [
      { start_date: '2026-02-01', end_date: '2026-02-28' },
      { start_date: '2026-03-01', end_date: '2026-03-31' },
    ];
    expect(await hardClosed()).toEqual([february, march]);
    await company.run(NOW, 'reopen', 'rest', '--reason', 'late hours');
    expect(await hardClosed()).toEqual([february, { ...march, end_date: '2026-03-09' }]);
  });

  it('closes a softly closed period hard, and tells of a closed one what is open (C2, C5)', {
    tags: ['slow'],
  }, async () => {
    const company = await copyKeptCompany();
    await company.run(NOW, 'close', '2026-03');
    const dry = await company.run(NOW, 'close', '2026-03', '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('2026-03@1 closes it, soft, since')]);
    expect(dry.stdout).toContain('Nothing has come into it since.');
    expect(dry.stdout).toContain('missing_hours: ');
    const hard = ['close', '2026-03', '--kind', 'hard', '--confirm'];
    expect((await company.run(NOW, ...hard)).stderr).toContain('Closed 2026-03@2');
    for (const again of [hard, ['close', '2026-03']])
      expect((await company.run(NOW, ...again)).stderr).toContain('2026-03@2 is closed hard already');
    expect((await company.run(NOW, 'reopen', '2026-03', '--reason', 'late hours')).code).toBe(0);
    expect(JSON.parse((await company.run(NOW, 'closings')).stdout).hard_closed).toEqual([]);
    expect((await company.run(NOW, 'close', '2026-03')).stderr).toContain('Closed 2026-03@3');
  });

  it('names quarters, years and other days', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    for (const period of ['2026-Q1', '2025', '2026-03-01..2026-03-15']) {
      expect((await company.run(NOW, 'close', period)).code).toBe(0);
    }
    await company.run(NOW, 'close', '2026-02-01..2026-02-28', '--name', 'feb');
    const found = await listClosings(company);
    expect(found.map(({ name, start_date, end_date }: Record<string, string>) => [name, start_date, end_date])).toEqual(
      [
        ['2026-q1', '2026-01-01', '2026-03-31'],
        ['2025', '2025-01-01', '2025-12-31'],
        ['2026-03-01..2026-03-15', '2026-03-01', '2026-03-15'],
        ['feb', '2026-02-01', '2026-02-28'],
      ],
    );
  });

  it.each(['2026-13', 'last_moth', '2026-03-15..2026-03-01', '2026-03-01..', 'march', '2026-03-01..9999-12-31'])(
    'refuses the period "%s"',
    async (period) => {
      const company = await copyKeptCompany();
      const { code, stderr } = await company.run(NOW, 'close', period);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/is not a period|ends before it begins|The period .* is out of range/),
      ]);
      expect(await listClosings(company)).toEqual([]);
    },
  );

  it('names the first days before a period that are open', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    for (const period of ['2026-01', '2026-03']) await company.run(NOW, 'close', period);
    expect((await company.run(NOW, 'close', '2026-04')).stderr).toContain(
      "earlier_period_open: The days from 2026-02-01 to 2026-02-28 aren't closed.",
    );
    expect((await company.run(NOW, 'close', '2026-02')).stderr).not.toContain('earlier_period_open');
    expect((await company.run(NOW, 'close', '2026-05', '--dry-run')).stdout).not.toContain('earlier_period_open');
  });

  it('counts no unlogged hours of days to come', { tags: ['slow'] }, async () => {
    const company = await makeKeptCompany();
    await company.load(8, '2026-03-03T16:00:00Z');
    const { stdout } = await company.run('2026-03-03T16:00:00Z', 'close', '2026-03', '--dry-run');
    expect(stdout).toContain('(12.00 h, ');
  });

  it('takes the highest number for the newest, whatever came last into the log', { tags: ['slow'] }, async () => {
    const [one, other] = [await copyKeptCompany(), await copyKeptCompany(3)];
    await one.run(NOW, 'close', '2026-03');
    await one.run(NOW, 'reopen', '2026-03', '--reason', 'test');
    await one.run(NOW, 'close', '2026-03');
    for (const number of [2, 1]) {
      await other.run(NOW, 'closings', 'import', join(one.folder, 'company.closings', `2026-03@${number}`));
    }
    await other.run(NOW, 'reopen', '2026-03', '--reason', 'test');
    expect(
      (await listClosings(other)).map(({ number, status }: { number: number; status: string }) => [number, status]),
    ).toEqual([
      [2, 'reopened'],
      // No day of it is closed any more.
      [1, 'reopened'],
    ]);
    expect((await other.run(NOW, 'close', '2026-03')).stderr).toContain('Closed 2026-03@3');
  });
});
