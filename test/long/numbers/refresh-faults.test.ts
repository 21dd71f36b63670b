import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/base/database/database.ts';
import { findResource } from '../../../src/records/resource/resources.ts';
import { workingFile } from '../../../src/store/generation/generation-files.ts';
import type { LiveSource } from '../../../src/store/live/live-source.ts';
import { eventually } from '../../eventually.ts';
import { makeFolder, type Opened, openData, WRITER } from '../../live/data.ts';

let file: string;
let remove: () => void;

beforeEach(async () => {
  ({ file, remove } = await makeFolder('company'));
});
afterEach(() => remove());

/** Short limits, so that reports fail soon after a write. */
const QUICK = { refreshRetryMs: 500, refreshDelayMs: 50, refreshTurnMs: 2_000, dryRunMs: 60_000 };

const expenses = findResource('project_expenses');

const addExpense = async (live: Opened, markup = 0) => {
  const expense = { project_id: 1, date: '2026-01-07', cost: '99999999999', billable: true, markup, markup_type: 0 };
  const { project_expense_id } = await live.store.write(WRITER, (transaction) => transaction.insert(expenses, expense));
  return String(project_expense_id);
};

const deleteExpense = (live: Opened, id: string) =>
  live.store.write(WRITER, async (transaction) => transaction.remove(expenses, [await transaction.get(expenses, id)]));

const countExpenses = async (database: Database) => {
  const [row] = await database.rows<{ count: number }>('SELECT count(*) AS count FROM source.project_expenses');
  return row?.count ?? 0;
};

it('names a record whose amounts overflow, also after a restart, and lets clients delete it', async () => {
  let live = await openData(file, { limits: QUICK });
  const before = await live.readHours();
  const count = await countExpenses(live.source.database);
  for (const _ of [1, 2]) await addExpense(live);
  // Beyond the limit of the service, as if a check of the limit were missing.
  const cause = await addExpense(live, 99_999_999_999);
  await addExpense(live);
  await live.logHour();
  const message = `The numbers can't be brought up to date. The cause is the record /v3/project-expenses/${cause}`;
  const expectNamed = async () => {
    await expect(live.readHours()).rejects.toMatchObject({ code: 'storage' });
    await expect.poll(() => live.findFault()).toBe(message);
    await expect(live.readHours()).rejects.toMatchObject({
      message,
      hint: expect.stringContaining('Change or delete it'),
    });
    expect(live.findFault()).not.toContain('99999999999');
  };
  await expectNamed();
  expect(live.events.faults.join(' ')).toMatch(/out of range|overflow|cast/i);
  await live.close();
  live = await openData(file, { limits: QUICK });
  await expectNamed();
  expect(await countExpenses(live.source.database)).toBe(count + 4);
  await deleteExpense(live, cause);
  const after = await live.readHours();
  expect(Number(after.hours) - Number(before.hours)).toBe(1);
  expect(live.findFault()).toBeUndefined();
  expect(await countExpenses(live.source.database)).toBe(count + 3);
  await live.close();
});

/**
 * Reads the hours after a repair. A rebuild that takes longer than a turn goes on beside it, and until it is done
 * reports are refused with the fault.
 */
const readRepaired = (live: Opened) => eventually(() => live.readHours());

/** Gives the working file other definitions, like an update of the program. */
async function outdate(): Promise<void> {
  const database = await openDatabase(workingFile(file));
  await database.run("UPDATE service.origin SET definitions = 'of another version'");
  await database.close();
}

it('names a record that breaks the build of models after an update, too, and lets clients delete it', async () => {
  let live = await openData(file, { limits: QUICK });
  const before = await live.readHours();
  await addExpense(live);
  const cause = await addExpense(live, 99_999_999_999);
  await live.logHour();
  await expect(live.readHours()).rejects.toMatchObject({ code: 'storage' });
  await live.close();
  // The first start finds the old definitions, the second finds the failed build of the first.
  await outdate();
  for (const start of ['after the update', 'again']) {
    live = await openData(file, { limits: QUICK });
    await expect(live.readHours()).rejects.toThrow();
    await expect
      .poll(() => live.findFault())
      .toMatch(new RegExp(`can't be built\\. The cause is the record /v3/project-expenses/${cause}$`));
    expect(await live.source.database.rows('SELECT task_id FROM core.items, source.tasks LIMIT 1')).toHaveLength(1);
    if (start === 'after the update') await live.close();
  }
  await deleteExpense(live, cause);
  const after = await readRepaired(live);
  expect(Number(after.hours) - Number(before.hours)).toBe(1);
  expect(live.findFault()).toBeUndefined();
  await live.close();
  live = await openData(file, { limits: QUICK });
  expect(await live.readHours()).toEqual(after);
  await live.close();
});

it('a server starts with loaded data that breaks the build of models, and serves it after a repair', async () => {
  let live = await openData(file, { limits: QUICK });
  const before = await live.readHours();
  await live.close();
  const database = await openDatabase(workingFile(file));
  await database.run(`
    INSERT INTO source.project_expenses (project_expense_id, project_id, date, cost, billable, markup, markup_type)
    VALUES (903, 1, DATE '2026-01-07', 99999999999, true, 99999999999, 0)`);
  await database.close();
  await outdate();
  live = await openData(file, { limits: QUICK });
  await expect(live.readHours()).rejects.toThrow("can't be built");
  await expect.poll(() => live.events.faults.join(' ')).toContain('out of range');
  await deleteExpense(live, '903');
  expect((await readRepaired(live)).hours).toBe(before.hours);
  await live.close();
});

/** Makes refreshes hang while the first written expense exists. */
const endless = (source: LiveSource): LiveSource => ({
  ...source,
  async refresh(pending, signal) {
    if (!(await hasExpense(source.database))) return source.refresh(pending, signal);
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  },
  // A dry run succeeds when its change removes the expense.
  dryRun: async (change) => {
    const session = await source.database.session();
    await session.run('BEGIN');
    await change(session);
    const isThere = await hasExpense(session);
    await session.run('ROLLBACK');
    await session.close();
    return !isThere;
  },
});

const hasExpense = async (session: Database) =>
  (await session.rows('SELECT 1 FROM source.project_expenses WHERE cost = 99999999999')).length > 0;

it('an endless refresh blocks neither the start nor writes, and stops at its time limit', async () => {
  const limits = { ...QUICK, refreshTurnMs: 300, refreshTimeoutMs: 1_000 };
  let live = await openData(file, { limits, wrap: endless });
  const before = await live.readHours();
  const cause = await addExpense(live);
  await expect(live.readHours()).rejects.toThrow("The numbers can't be brought up to date within 1 s");
  await live.close();
  live = await openData(file, { limits, wrap: endless });
  await live.logHour();
  const message = `The numbers can't be brought up to date within 1 s. The cause is the record /v3/project-expenses/${cause}`;
  await expect.poll(() => live.findFault()).toBe(message);
  const startedAt = performance.now();
  await live.logHour();
  expect(performance.now() - startedAt).toBeLessThan(1_500);
  await deleteExpense(live, cause);
  const readHours = async () => Number((await live.readHours().catch(() => before)).hours) - Number(before.hours);
  await expect.poll(readHours).toBe(2);
  await live.close();
});
