import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FROM_TODAY, makeCompany, roleAt } from './loaded-rates-company.ts';
import { HELD, type Holder, recordsOf, SAID, type SaidRates } from './priced-source.ts';

it('a rate that a source changes holds on all days, or from the day on which it is seen', {
  tags: ['slow'],
}, async () => {
  const { load, rates } = makeCompany();
  expect(await load('2026-06-01T08:00:00Z', roleAt(140), ...FROM_TODAY)).not.toContain('changed');
  expect(await load('2026-06-02T08:00:00Z', roleAt(150))).toContain('1 rate changed: value of 2 past lines +160.00.\n');
  expect(await rates('role', '1970-01-01', '2026-06-02')).toEqual(['150.0000', '150.0000']);
  const told = await load('2026-06-03T08:00:00Z', roleAt(155), ...FROM_TODAY);
  expect(told).toContain('1 rate changed, from 2026-06-03 on: value of 0 past lines +0.00.');
  expect(await rates('role', '1970-01-01', '2026-06-02', '2026-06-03')).toEqual(['150.0000', '150.0000', '155.0000']);
});

it('what was seen outlives later loads, and a source that goes back is seen again', { tags: ['slow'] }, async () => {
  const { load, rates, list } = makeCompany();
  const months = ['2026-05-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05'];
  await load('2026-06-01T08:00:00Z', roleAt(140));
  await load('2026-06-02T08:00:00Z', roleAt(150), ...FROM_TODAY);
  // The same again, in either way.
  expect(await load('2026-06-03T08:00:00Z', roleAt(150), ...FROM_TODAY)).not.toContain('changed');
  expect(await load('2026-06-03T08:00:00Z', roleAt(150))).not.toContain('changed');
  await load('2026-06-04T08:00:00Z', roleAt(155), ...FROM_TODAY);
  await load('2026-06-05T08:00:00Z', roleAt(140), ...FROM_TODAY);
  expect(await rates('role', ...months)).toEqual(['140.0000', '150.0000', '150.0000', '155.0000', '140.0000']);
  expect(await list()).toMatchObject([
    {
      entry_id: 1,
      level: 'role',
      id: 3,
      name: 'Designer',
      effective_date: '2026-06-02',
      rate_before: '140.0000',
      rate: '150.0000',
      state: 'dated',
    },
    { entry_id: 2, effective_date: '2026-06-04', rate_before: '150.0000', rate: '155.0000' },
    { entry_id: 3, effective_date: '2026-06-05', rate_before: '155.0000', rate: '140.0000' },
  ]);
  // A later rewrite takes the place of what the source said last: the past before stays.
  const told = await load('2026-06-06T08:00:00Z', roleAt(145));
  expect(told).toContain('1 rate changed: value of 0 past lines +0.00.');
  expect(await rates('role', ...months)).toEqual(['140.0000', '150.0000', '150.0000', '155.0000', '145.0000']);
});

it('each level is followed, and of two changes on one day the later counts', { tags: ['slow'] }, async () => {
  const { load, rates, list } = makeCompany();
  const raised = (by: number) =>
    Object.fromEntries(
      Object.entries(SAID).map(([holder, rate]) => [holder, Number(rate) + by]),
    ) as unknown as SaidRates;
  await load('2026-06-01T08:00:00Z', recordsOf(SAID));
  await load('2026-06-02T08:00:00Z', recordsOf(raised(1)), ...FROM_TODAY);
  const told = await load('2026-06-02T16:00:00Z', recordsOf(raised(2)), ...FROM_TODAY);
  expect(told).toContain('8 rates changed, from 2026-06-02 on: value of 0 past lines +0.00.');
  for (const holder of Object.keys(HELD) as Holder[]) {
    const [before, after] = [SAID[holder], Number(SAID[holder]) + 2].map((rate) => `${rate}.0000`);
    expect([holder, ...(await rates(holder, '1970-01-01', '2026-06-01', '2026-06-02', '2099-12-31'))]).toEqual([
      ...[holder, before, before, after, after],
    ]);
  }
  expect(await list()).toHaveLength(8);
  // Back on the same day: nothing has changed.
  await load('2026-06-02T20:00:00Z', recordsOf(SAID), ...FROM_TODAY);
  expect(await list()).toEqual([]);
  expect(await rates('role', '2026-06-02')).toEqual(['140.0000']);
});

it('a holder with dated rates of its own keeps them, and one that is new has its rate always', {
  tags: ['slow'],
}, async () => {
  const { load, rates, list } = makeCompany();
  const own = { bill_rate_history: [{ rate: 145, effective_date: '2026-07-01' }] };
  await load('2026-06-01T08:00:00Z', roleAt(140, own));
  await load('2026-06-02T08:00:00Z', roleAt(141, own), ...FROM_TODAY);
  expect(await rates('role', '2026-01-01', '2026-06-30', '2026-07-01')).toEqual(['141.0000', '141.0000', '145.0000']);
  const records = roleAt(142) as ReturnType<typeof recordsOf>;
  await load(
    '2026-06-03T08:00:00Z',
    { ...records, roles: [...records.roles, { ...records.roles[0], role_id: 4 }] },
    ...FROM_TODAY,
  );
  expect(await list()).toMatchObject([
    { id: 3, effective_date: '2026-06-03', rate_before: '141.0000', rate: '142.0000' },
  ]);
  // Its own days are the whole history, from whenever they come.
  await load('2026-06-04T08:00:00Z', roleAt(139, own), ...FROM_TODAY);
  expect(await rates('role', '2026-01-01', '2026-06-03', '2026-07-01')).toEqual(['139.0000', '139.0000', '145.0000']);
  expect(await list()).toEqual([]);
});

it('a day is the company’s, and another company has nothing of what was seen', { tags: ['slow'] }, async () => {
  const { load, rates, list } = makeCompany();
  const settings = { time_zone: 'Pacific/Auckland' };
  await load('2026-06-01T08:00:00Z', { settings, ...roleAt(140) });
  await load('2026-06-02T12:30:00Z', { settings, ...roleAt(150) }, ...FROM_TODAY);
  expect(await list()).toMatchObject([{ effective_date: '2026-06-03', first_seen: '2026-06-02T12:30:00Z' }]);
  const others = [101, 102, 103].map((people_id) => ({ people_id, name: `Other ${people_id}`, cost_rate: 1 }));
  await load('2026-06-04T08:00:00Z', { ...roleAt(99), people: others }, '--accept-shrink', ...FROM_TODAY);
  expect(await rates('role', '2026-01-01', '2026-06-04')).toEqual(['99.0000', '99.0000']);
  expect(await list()).toEqual([]);
});

it('a load tells changed rates as JSON, and beforehand', { tags: ['slow'] }, async () => {
  const { folder, load, run } = makeCompany();
  await load('2026-06-01T08:00:00Z', roleAt(140));
  await load('2026-06-02T08:00:00Z', roleAt(150), ...FROM_TODAY);
  writeFileSync(join(folder, 'data', 'roles.json'), JSON.stringify(roleAt(135)['roles']));
  const dry = await run(
    '2026-06-03T08:00:00Z',
    'load',
    join(folder, 'data'),
    '--dry-run',
    '--format',
    'json',
    ...FROM_TODAY,
  );
  const { changes } = JSON.parse(dry.stdout);
  expect(changes.rates_changed).toEqual({ rates: 1, from: '2026-06-03', past_lines: null, value: null });
  const found = changes.records.filter(({ changed }: { changed: number }) => changed > 0);
  expect(found.map(({ resource }: { resource: string }) => resource)).toEqual(['roles']);
  const loaded = await run('2026-06-03T08:00:00Z', 'load', join(folder, 'data'), '--format', 'json');
  expect(JSON.parse(loaded.stdout).rates_changed).toEqual({ rates: 1, from: null, past_lines: 0, value: '0.00' });
  const wrong = await run('2026-06-03T08:00:00Z', 'load', join(folder, 'data'), '--rates-change', 'today');
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--rates-change: "today" is not a way to change rates'),
  });
});
