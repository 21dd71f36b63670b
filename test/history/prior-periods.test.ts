import { expect, it } from 'vitest';
import { copyKeptCompany } from './kept-company.ts';

const [CLOSED, AGAIN, NOW] = ['2026-04-03T16:20:05Z', '2026-04-10T08:00:00Z', '2026-06-20T08:00:00Z'];

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

it('X7: compares each closing on its days, and leaves out what is reopened', {
  timeout: LOADS_MS,
  tags: ['slow'],
}, async () => {
  const company = await copyKeptCompany();
  const read = async (...flags: string[]) => {
    const asked = [
      'report',
      'changes',
      '--from',
      'closings',
      '--group-by',
      'month,project',
      '--measures',
      'actual_hours',
    ];
    const { stdout, stderr } = await company.run(NOW, ...asked, ...flags);
    return { stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
  };
  expect((await read()).stderr).toContain('No period is closed');
  // 8 h on the 5th and 1 h on the 31st of March.
  await company.run(CLOSED, 'close', '2026-03');
  await company.load(6, AGAIN);
  await company.run(AGAIN, 'close', '2026-03-01..2026-03-15');
  await company.load(2, NOW);
  const { changes, meta } = await read('--period', '2026-Q1');
  expect(changes).toMatchObject([{ month: '2026-03-01', value_then: 7, value_now: 3, difference: -4, hours: -4 }]);
  expect(meta.from.closings).toMatchObject([
    { state: '2026-03-01..2026-03-15', start_date: '2026-03-01', end_date: '2026-03-15' },
    { state: '2026-03', start_date: '2026-03-16', end_date: '2026-03-31' },
  ]);
  expect(meta.notes).toEqual(['Days without a closing are left out: 2026-01-01 to 2026-02-28.']);

  // X1, T2: of two closings, each has its own cutoff; one that is requested is that of the later one (12 B3).
  const ofBoth = async (...flags: string[]) => {
    const asked = [
      'report',
      'changes',
      '--from',
      '2026-03',
      '--to',
      '2026-03-01..2026-03-15',
      '--measures',
      'actual_hours',
    ];
    return JSON.parse((await company.run(NOW, ...asked, ...flags)).stdout).meta;
  };
  expect(await ofBoth()).toMatchObject({ from: { cutoff_date: '2026-03-31' }, to: { cutoff_date: '2026-03-15' } });
  const requested = await ofBoth('--cutoff-date', '2026-03-20');
  expect([requested.from.cutoff_date, requested.to.cutoff_date]).toEqual(['2026-03-31', '2026-03-20']);

  await company.run(NOW, 'reopen', '2026-03-01..2026-03-15', '--reason', 'hours were missing');
  const reopened = await read();
  expect(reopened.changes).toMatchObject([{ value_then: 1, value_now: 1, difference: 0 }]);
  expect(reopened.meta.parameters).toMatchObject({ start_date: '2026-03-16', end_date: '2026-03-31' });
});
