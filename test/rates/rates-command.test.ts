import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { listSeenRates } from '../../src/store/rates/list-seen-rates.ts';
import { RATES } from '../../src/store/rates/rates-writer.ts';
import { writeSeenRate } from '../../src/store/rates/write-seen-rate.ts';
import { openData } from '../live/data.ts';
import { copyLoaded } from '../loaded.ts';
import { FROM_TODAY, makeCompany, openCompany, roleAt } from './loaded-rates-company.ts';
import { HELD, type Holder, rateOn, recordsOf, SAID, type SaidRates } from './priced-source.ts';

const NOW = '2026-06-20T08:00:00Z';
const DAYS = ['2026-01-05', '2026-06-02', '2026-06-04'];

/** Makes a company whose role has said 140, a typo for two days, and 145. */
async function makeRaised() {
  const company = makeCompany();
  const hours = ['2026-06-02', '2026-06-04'].map((date) => ({
    ...{ logged_time_id: `new ${date}`, people_id: 105, project_id: 2, date, hours: 8 },
  }));
  const at = (role: number) => {
    const records = roleAt(role) as ReturnType<typeof recordsOf>;
    return { ...records, logged_time: [...records.logged_time, ...hours] };
  };
  await copyLoaded('rates-raised', company.folder, async (folder) => {
    const { load } = openCompany(folder);
    await load('2026-06-01T08:00:00Z', at(140));
    await load('2026-06-02T08:00:00Z', at(1450), ...FROM_TODAY);
    await load('2026-06-04T08:00:00Z', at(145), ...FROM_TODAY);
  });
  return {
    ...company,
    loadAt: (now: string, role: number, ...flags: string[]) => company.load(now, at(role), ...flags),
  };
}

it('lists what was seen, and takes a typo out, for later loads as well', { tags: ['slow'] }, async () => {
  const company = await makeRaised();
  const { stdout } = await company.run(NOW, 'rates', '--format', 'table');
  const [first, second] = stdout.split('\n');
  const raised = '1: role 3 (Designer): 140.00 -> 1,450.00, from 2026-06-02 on; first seen 2026-06-02T08:00:00Z in /';
  const mended = '2: role 3 (Designer): 1,450.00 -> 145.00, from 2026-06-04 on; first seen 2026-06-04T08:00:00Z in /';
  expect([first, second]).toEqual([expect.stringContaining(raised), expect.stringContaining(mended)]);
  const dry = await company.run(NOW, 'rates', 'remove', '1', '--dry-run');
  const told = ['Entry 1 of role 3 (Designer) is taken out.', 'The rates move 1 line, 2026-06-02: fees -10,480.00.'];
  expect(dry.stdout.split('\n')).toEqual([...told, 'Nothing was changed: a dry run.', '']);
  expect(await company.rates('role', ...DAYS)).toEqual(['140.0000', '1450.0000', '145.0000']);
  const removed = await company.run(NOW, 'rates', 'remove', '1');
  expect(removed).toMatchObject({ code: 0, stdout: `${told.join('\n')}\n` });
  expect(await company.rates('role', ...DAYS)).toEqual(['140.0000', '140.0000', '145.0000']);
  // The data stays that of its load, and can be loaded again.
  expect(readdirSync(company.folder).filter((name) => name.includes('.work'))).toEqual([]);
  expect(await company.readLoadedAt()).toBe('2026-06-04 08:00:00');
  expect(await company.loadAt('2026-06-21T08:00:00Z', 145, ...FROM_TODAY)).not.toContain('changed');
  expect(await company.rates('role', ...DAYS)).toEqual(['140.0000', '140.0000', '145.0000']);
  expect((await company.list()).map(({ state }) => state)).toEqual(['removed', 'dated']);
});

it('makes one the rate without a day, with all that was seen before it', { tags: ['slow'] }, async () => {
  const company = await makeRaised();
  const { stdout } = await company.run(NOW, 'rates', 'rewrite', '2');
  expect(stdout.split('\n')).toEqual([
    'Entry 2 of role 3 (Designer) is the rate on all days before the next one.',
    'Taken out with it, as they were before: 1.',
    'The rates move 3 lines, 2026-01-05 to 2026-06-02: fees -10,360.00.',
    '',
  ]);
  expect(await company.rates('role', ...DAYS)).toEqual(['145.0000', '145.0000', '145.0000']);
  await company.loadAt('2026-06-22T08:00:00Z', 150, ...FROM_TODAY);
  expect(await company.rates('role', ...DAYS, '2026-06-22')).toEqual(['145.0000', '145.0000', '145.0000', '150.0000']);
  expect((await company.list()).map(({ state }) => state)).toEqual(['removed', 'always', 'dated']);
  // A rate that is taken out last is no change of the source, until it says another one.
  await company.run(NOW, 'rates', 'remove', '3');
  expect(await company.loadAt('2026-06-23T08:00:00Z', 150, ...FROM_TODAY)).not.toContain('changed');
  expect(await company.rates('role', '2026-06-22')).toEqual(['145.0000']);
  await company.loadAt('2026-06-24T08:00:00Z', 151, ...FROM_TODAY);
  expect(await company.rates('role', '2026-06-23', '2026-06-24')).toEqual(['145.0000', '151.0000']);
});

it('corrects each level', { tags: ['slow'] }, async () => {
  const company = makeCompany();
  await company.load('2026-06-01T08:00:00Z', recordsOf(SAID));
  const raised = Object.fromEntries(Object.entries(SAID).map(([holder, rate]) => [holder, Number(rate) + 1]));
  await company.load('2026-06-02T08:00:00Z', recordsOf(raised as unknown as SaidRates), ...FROM_TODAY);
  const live = await openData(join(company.folder, 'company.duckdb'));
  const { database } = live.source;
  try {
    const entries = await listSeenRates(database);
    for (const [index, holder] of (Object.keys(HELD) as Holder[]).entries()) {
      const entry = entries.find(({ rate }) => Number(rate) === Number(SAID[holder]) + 1);
      const action = index % 2 === 0 ? 'rewrite' : 'remove';
      await live.store.write(RATES, async (transaction) => {
        await writeSeenRate(transaction, Number(entry?.entry_id), action);
      });
      const rate = `${Number(SAID[holder]) + (action === 'rewrite' ? 1 : 0)}.0000`;
      const found = ['2026-01-01', '2026-06-02'].map((day) => rateOn(database, holder, day));
      expect([holder, ...(await Promise.all(found))]).toEqual([holder, rate, rate]);
    }
    const states = (await listSeenRates(database)).map(({ state }) => state).sort();
    expect(states).toEqual([...Array(4).fill('always'), ...Array(4).fill('removed')]);
  } finally {
    await live.close();
  }
});

it('names what is not there or done already, and the way out', { tags: ['slow'] }, async () => {
  const company = await makeRaised();
  const refuse = async (code: number, message: string, ...args: string[]) => {
    const ran = await company.run(NOW, 'rates', ...args);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)]);
  };
  await refuse(1, 'No rate seen has the ID 9\nThere are 1, 2: plumbline rates lists what they are.', 'remove', '9');
  await refuse(2, '"x" is not the ID of a rate', 'remove', 'x');
  await refuse(2, 'rates takes nothing, rewrite ID or remove ID, but was given "take 3"', 'take', '3');
  await company.run(NOW, 'rates', 'rewrite', '2');
  await refuse(1, 'Entry 2 is the rate without a day already', 'rewrite', '2');
  await refuse(1, 'Entry 1 is taken out already', 'remove', '1');
  const nothing = makeCompany();
  await nothing.load('2026-06-01T08:00:00Z', roleAt(140));
  expect((await nothing.run(NOW, 'rates', '--format', 'table')).stderr).toContain('No change of a rate has been dated');
  expect((await nothing.run(NOW, 'rates', 'remove', '1')).stderr).toContain(
    'load or sync with --rates-change from_today does so',
  );
});

it('is refused where a hard closing would move, and leaves data that a server owned to it', {
  tags: ['slow'],
}, async () => {
  const company = await makeRaised();
  await company.run('2026-07-01T08:00:00Z', 'close', '2026-06', '--kind', 'hard', '--confirm');
  // A load can't be refused: it says what it moves, and where.
  const told = await company.loadAt('2026-07-01T09:00:00Z', 146);
  expect(told).toContain('1 rate changed: value of 1 past line +8.00.');
  expect(told).toMatch(/Since 2026-06@1 was closed hard at .*actual fees \+8\.00/);
  await company.loadAt('2026-07-01T10:00:00Z', 145);
  const refused = await company.run('2026-07-02T08:00:00Z', 'rates', 'remove', '1');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /Entry 1 would change the fee of 1 line of 2026-06, closed hard by .*; reopen 2026-06\n/,
  );
  expect(await company.rates('role', ...DAYS)).toEqual(['140.0000', '1450.0000', '145.0000']);
  expect(existsSync(join(company.folder, 'company.work.duckdb'))).toBe(false);
  await company.run('2026-07-02T08:00:00Z', 'reopen', '2026-06', '--reason', 'a typo');
  // Makes the working file of a server.
  await (await openData(join(company.folder, 'company.duckdb'))).close();
  // Data that a server has changed stays with its working file.
  expect((await company.run(NOW, 'rates', 'remove', '1')).code).toBe(0);
  expect(existsSync(join(company.folder, 'company.work.duckdb'))).toBe(true);
  expect(await company.rates('role', ...DAYS)).toEqual(['140.0000', '140.0000', '145.0000']);
});

it('explain says that a rate holds since the source was first seen to say it', { tags: ['slow'] }, async () => {
  const company = await makeRaised();
  const explained = await company.run(NOW, 'explain', '--line', 'a:new 2026-06-04');
  expect(explained.stdout + explained.stderr).toContain(
    'The role Designer, from 4 June 2026, when the source was first seen to say it',
  );
  const database = await openDatabase(join(company.folder, 'company.duckdb'), { readOnly: true });
  const rows = await database.rows(
    "SELECT bill_rate_from, is_first_seen FROM marts.bill_rates WHERE level = 'role' ORDER BY first_date",
  );
  await database.close();
  expect(rows).toEqual([
    { bill_rate_from: null, is_first_seen: false },
    { bill_rate_from: '2026-06-02', is_first_seen: true },
    { bill_rate_from: '2026-06-04', is_first_seen: true },
  ]);
});
