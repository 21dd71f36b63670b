import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import type { LiveSource } from '../../src/http/live.ts';
import { workingFile } from '../../src/live/generation-files.ts';
import { makeFolder, type Opened, openData } from './data.ts';

let file: string;
let remove: () => void;

beforeEach(async () => {
  ({ file, remove } = await makeFolder('company'));
});
afterEach(() => remove());

/** A company whose reports fail soon after the tests' own records. */
const QUICK = { refreshRetryMs: 500, refreshDelayMs: 50, refreshTurnMs: 2_000, rehearsalMs: 60_000 };

/** Runs SQL that writes a record, or deletes it, and the change that it is. */
async function write(live: Opened, method: 'POST' | 'DELETE', id: number, sql: string): Promise<void> {
  await live.inTurn(async () => {
    const session = await live.source.database.session();
    const named = `'{"project_id": 1}'`;
    await session.run(`BEGIN; ${sql};
      INSERT INTO service.changes (change_id, changed_at, method, resource, record_id, before, after)
      SELECT COALESCE(max(change_id), 0) + 1, TIMESTAMP '2026-06-15 12:00:00', '${method}', 'project_expenses', '${id}',
        ${method === 'DELETE' ? named : 'NULL'}, ${method === 'POST' ? named : 'NULL'} FROM service.changes;
      COMMIT`);
    await session.close();
    live.noteChange();
  });
}

const addExpense = (live: Opened, id: number, markup: number) =>
  write(
    live,
    'POST',
    id,
    `INSERT INTO source.project_expenses (project_expense_id, project_id, date, cost, billable, markup, markup_type)
     VALUES (${id}, 1, DATE '2026-01-07', 99999999999, true, ${markup}, 0)`,
  );

const deleteExpense = (live: Opened, id: number) =>
  write(live, 'DELETE', id, `DELETE FROM source.project_expenses WHERE project_expense_id = ${id}`);

const countExpenses = async (database: Database) => {
  const [row] = await database.rows<{ count: number }>('SELECT count(*) AS count FROM source.project_expenses');
  return row?.count ?? 0;
};

it('a record whose numbers go beyond what is held is named, also after a restart, and can be deleted', async () => {
  let live = await openData(file, { limits: QUICK });
  const before = await live.readHours();
  const count = await countExpenses(live.database);
  for (const id of [901, 902]) await addExpense(live, id, 0);
  // Past what the service lets anybody write: as a bound that is missing would let it through.
  await addExpense(live, 903, 99_999_999_999);
  await addExpense(live, 904, 0);
  await live.logHour('innocent');
  const message = "The numbers can't be brought up to date. The cause is the record /v3/project-expenses/903";
  const expectNamed = async () => {
    await expect(live.readHours()).rejects.toMatchObject({ code: 'storage' });
    await expect.poll(() => live.findFault(), { timeout: 60_000 }).toBe(message);
    await expect(live.readHours()).rejects.toMatchObject({
      message,
      hint: expect.stringContaining('Change or delete it'),
    });
    expect(live.findFault()).not.toContain('99999999999');
  };
  await expectNamed();
  expect(live.told.faults.join(' ')).toMatch(/out of range|overflow|cast/i);
  await live.close();
  live = await openData(file, { limits: QUICK });
  await expectNamed();
  expect(await countExpenses(live.database)).toBe(count + 4);
  await deleteExpense(live, 903);
  const after = await live.readHours();
  expect(Number(after.hours) - Number(before.hours)).toBe(1);
  expect(live.findFault()).toBeUndefined();
  expect(await countExpenses(live.database)).toBe(count + 3);
  await live.close();
});

/** What an update of the program finds: a working file of other definitions. */
async function outdate(): Promise<void> {
  const database = await openDatabase(workingFile(file));
  await database.run("UPDATE service.origin SET definitions = 'of another version'");
  await database.close();
}

it('a record that no model can be built with is named after an update of the program, too, and can be deleted', async () => {
  let live = await openData(file, { limits: QUICK });
  const before = await live.readHours();
  await addExpense(live, 902, 0);
  await addExpense(live, 903, 99_999_999_999);
  await live.logHour('innocent');
  await expect(live.readHours()).rejects.toMatchObject({ code: 'storage' });
  await live.close();
  // Once as the update finds it, once as the start before has left it.
  await outdate();
  for (const start of ['after the update', 'again']) {
    live = await openData(file, { limits: QUICK });
    await expect(live.readHours()).rejects.toThrow();
    await expect
      .poll(() => live.findFault(), { timeout: 60_000 })
      .toMatch(/can't be built\. The cause is the record \/v3\/project-expenses\/903$/);
    expect(await live.database.rows('SELECT task_id FROM core.items, source.tasks LIMIT 1')).toHaveLength(1);
    if (start === 'after the update') await live.close();
  }
  await deleteExpense(live, 903);
  const after = await live.readHours();
  expect(Number(after.hours) - Number(before.hours)).toBe(1);
  expect(live.findFault()).toBeUndefined();
  await live.close();
  live = await openData(file, { limits: QUICK });
  expect(await live.readHours()).toEqual(after);
  await live.close();
});

it('a server starts also where what was loaded is what no model can be built with; mended, it is served', async () => {
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
  await expect.poll(() => live.told.faults.join(' ')).toContain('out of range');
  await deleteExpense(live, 903);
  expect((await live.readHours()).hours).toBe(before.hours);
  await live.close();
});

/** A refresh that doesn't come to its end while a record is there. */
const endless = (source: LiveSource): LiveSource => ({
  ...source,
  async refresh(signal) {
    const found = await source.database.rows('SELECT 1 FROM source.project_expenses WHERE project_expense_id = 905');
    if (found.length === 0) return source.refresh(signal);
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  },
  findCause: async () => ({ resource: 'project_expenses', id: '905' }),
});

it('a refresh that never ends keeps neither the start nor writes waiting, and ends at its limit', async () => {
  const limits = { ...QUICK, refreshTurnMs: 300, refreshTimeoutMs: 1_000 };
  let live = await openData(file, { limits, wrap: endless });
  const before = await live.readHours();
  await addExpense(live, 905, 0);
  await expect(live.readHours()).rejects.toThrow("The numbers can't be brought up to date within 1 s");
  await live.close();
  live = await openData(file, { limits, wrap: endless });
  await live.logHour('meanwhile');
  const message =
    "The numbers can't be brought up to date within 1 s. The cause is the record /v3/project-expenses/905";
  await expect.poll(() => live.findFault(), { timeout: 20_000 }).toBe(message);
  const startedAt = performance.now();
  await live.logHour('second');
  expect(performance.now() - startedAt).toBeLessThan(1_500);
  await deleteExpense(live, 905);
  const readHours = async () => Number((await live.readHours().catch(() => before)).hours) - Number(before.hours);
  await expect.poll(readHours, { timeout: 20_000 }).toBe(2);
  await live.close();
});
