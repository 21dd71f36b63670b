// @module-tag slow
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { AppError, evidencedMessageOf } from '../../src/base/error.ts';
import { runCheck } from '../../src/numbers/model/build.ts';
import { duckdbEngine } from '../../src/numbers/model/engine/duckdb.ts';
import type { Engine } from '../../src/numbers/model/engine/engine.ts';
import { type Check, loadChecks, loadModels } from '../../src/numbers/model/models.ts';
import { LAYERS } from '../../src/numbers/relation/relation-marks.ts';
import { buildOnPostgres } from '../engine/conformance.ts';
import { openPostgres, type Postgres } from '../engine/postgres.ts';
import { loadCompany } from './company.ts';

const folder = join(packageDirectory, 'sql');

const checks = loadChecks(folder);

/**
 * Each check, a change that breaks it, and its message. Ana is scheduled from Monday the 5th to Friday the 9th of January, and off
 * for 3 hours on the 7th; two entries and one expense are hers.
 */
const BREAKS = [
  [
    'amounts_are_hours_times_rate',
    'a cost is a cent too high',
    `UPDATE core.ledger SET cost = cost + 0.01 WHERE task_id = 1 AND date = DATE '2026-01-05'`,
    'Every amount of a line with hours is hours times rate, rounded once',
  ],
  [
    'amounts_are_hours_times_rate',
    'a cost is missing',
    `UPDATE core.ledger SET cost = NULL WHERE logged_time_id = 'a'`,
    'Every amount of a line with hours is hours times rate',
  ],
  [
    'amounts_are_hours_times_rate',
    'the hours of a person are missing beside their cost',
    `UPDATE core.ledger SET hours = NULL WHERE logged_time_id = 'a'`,
    'Every amount of a line with hours is hours times rate',
  ],
  [
    'amounts_are_hours_times_rate',
    'a line that is not billable has a fee',
    `UPDATE core.ledger SET billable = FALSE WHERE logged_time_id = 'a'`,
    'a non-billable line has a fee of 0',
  ],
  [
    'assignments_are_single',
    'one is repeated',
    'INSERT INTO core.assignments SELECT * FROM core.assignments',
    'A person has one team role and one bill rate in a project and phase',
  ],
  [
    'calendar_has_every_day_once',
    'a line is after its end',
    `UPDATE core.ledger SET date = DATE '2100-05-05' WHERE logged_time_id = 'a'`,
    'The calendar has every day once, without gaps',
  ],
  [
    'calendar_has_every_day_once',
    'days are repeated',
    'INSERT INTO source.settings SELECT * FROM source.settings',
    'The calendar has every day once, without gaps',
  ],
  [
    'capacity_is_work_hours_less_time_off',
    'time off is of other work hours',
    'UPDATE core.time_off_days SET work_hours = work_hours + 0.5',
    "from the person's week",
  ],
  [
    'capacity_is_work_hours_less_time_off',
    'time off is repeated',
    'INSERT INTO core.time_off_days SELECT * FROM core.time_off_days',
    'A day with time off has one set of work hours',
  ],
  [
    'capacity_is_work_hours_less_time_off',
    'work hours are missing',
    'DELETE FROM core.work_hours',
    'A day with time off has one set of work hours',
  ],
  [
    'department_ancestors_are_single',
    'a department is repeated',
    'INSERT INTO source.departments SELECT * FROM source.departments',
    'A department has each department above it once',
  ],
  [
    'expenses_are_in_the_ledger',
    'an expense is missing',
    `DELETE FROM core.ledger WHERE kind = 'expense'`,
    'Every expense is in the ledger exactly once.',
  ],
  [
    'expenses_are_in_the_ledger',
    'an expense is repeated',
    `INSERT INTO core.ledger SELECT * FROM core.ledger WHERE kind = 'expense'`,
    'Every expense is in the ledger exactly once.',
  ],
  [
    'ledger_months_are_sums_of_lines',
    'a sum has another fee',
    'UPDATE core.ledger_months SET fee = fee + 0.01 WHERE fee IS NOT NULL',
    'The sums of ledger lines by month are those of the lines',
  ],
  [
    'ledger_months_are_sums_of_lines',
    'sums have another kind',
    `UPDATE core.ledger_months SET kind = 'scheduled' WHERE kind = 'actual'`,
    'The sums of ledger lines by month are those of the lines',
  ],
  [
    'ledger_months_are_sums_of_lines',
    'a sum is missing',
    'DELETE FROM core.ledger_months',
    'The sums of ledger lines by month are those of the lines',
  ],
  [
    'logged_hours_are_in_the_ledger',
    'an entry is missing',
    `DELETE FROM core.ledger WHERE logged_time_id = 'a'`,
    'Every logged hour is in the ledger exactly once',
  ],
  [
    'logged_hours_are_in_the_ledger',
    'an entry is repeated',
    `INSERT INTO core.ledger SELECT * FROM core.ledger WHERE logged_time_id = 'a'`,
    'Every logged hour is in the ledger exactly once',
  ],
  [
    'logged_hours_are_in_the_ledger',
    'an entry has wrong hours',
    `UPDATE core.ledger SET hours = hours + 0.0001 WHERE logged_time_id = 'a'`,
    'Every logged hour is in the ledger exactly once',
  ],
  [
    'people_are_single',
    'a person is missing',
    'DELETE FROM core.named_people',
    'Everybody with lines, work hours or time off is in the mart of people exactly once',
  ],
  [
    'people_are_single',
    'a person is repeated',
    'INSERT INTO core.named_people SELECT * FROM core.named_people',
    'exactly once',
  ],
  [
    'rate_ranges_never_overlap',
    'a range is a day too long',
    `UPDATE core.person_rates SET valid_to = valid_to + 1 WHERE valid_to = DATE '2026-02-01'`,
    'A person has one role and one cost rate on each day',
  ],
  [
    'rate_ranges_never_overlap',
    'a range is a day too short',
    `UPDATE core.person_rates SET valid_to = valid_to - 1 WHERE valid_to = DATE '2026-02-01'`,
    'no gaps or overlaps',
  ],
  [
    'rate_ranges_never_overlap',
    'a range is empty',
    `UPDATE core.person_rates SET valid_from = valid_to WHERE valid_to = DATE '2026-02-01'`,
    'A person has one role and one cost rate on each day',
  ],
  [
    'rates_are_single',
    'a person is missing',
    'DELETE FROM core.named_people',
    'The mart of rates has every day once for everybody on each project and phase',
  ],
  [
    'rates_are_single',
    'a project is repeated',
    'INSERT INTO core.named_projects SELECT * FROM core.named_projects',
    'none is missing or repeated',
  ],
  [
    'scheduled_days_are_single',
    'a day is repeated',
    `INSERT INTO core.ledger SELECT * FROM core.ledger WHERE task_id = 1 AND date = DATE '2026-01-06'`,
    'An allocation has one line per person and day.',
  ],
  [
    'scheduled_days_are_within_employment',
    'a day is before the start',
    `UPDATE core.ledger SET date = DATE '2026-01-04' WHERE task_id = 1 AND date = DATE '2026-01-05'`,
    'Nobody is scheduled before the start or after the end of the employment',
  ],
  [
    'scheduled_days_are_within_employment',
    'a day is after the end',
    `UPDATE core.ledger SET date = DATE '2027-01-01' WHERE task_id = 1 AND date = DATE '2026-01-05'`,
    'Nobody is scheduled before the start or after the end of the employment',
  ],
  [
    'time_off_days_are_single',
    'a person is missing',
    'DELETE FROM core.named_people',
    'Every day off of a person is in the mart of time off exactly once',
  ],
  [
    'time_off_days_are_single',
    'a person is repeated',
    'INSERT INTO core.named_people SELECT * FROM core.named_people',
    'exactly once',
  ],
  [
    'time_off_is_within_work_hours',
    'time off exceeds the work hours',
    `UPDATE core.time_off_days SET time_off_hours = work_hours + 0.5`,
    'Nobody has more time off on a day than work hours',
  ],
  [
    'time_off_is_within_work_hours',
    'time off is negative',
    'UPDATE core.time_off_days SET time_off_hours = -1',
    'so capacity is never below 0 or above the work hours',
  ],
  [
    'work_hour_ranges_never_overlap',
    'a range is a day too long',
    `UPDATE core.work_hours SET valid_to = valid_to + 1 WHERE valid_to = DATE '2026-03-01'`,
    'A person has one set of weekly hours on each day',
  ],
] as const;

let database: Database;
let closeAll = async () => {};

beforeAll(async () => {
  const { file, remove } = await loadCompany({
    people: [
      {
        people_id: 1,
        name: 'Ana',
        start_date: '2026-01-05',
        end_date: '2026-12-31',
        default_hourly_rate: 100,
        contracts: [{ cost_rate: 50 }, { effective_date: '2026-02-01', cost_rate: 55 }],
        work_days_hours_history: { '2026-03-01': [0, 6, 6, 6, 6, 6, 0] },
      },
    ],
    departments: [
      { department_id: 1, name: 'All' },
      { department_id: 2, name: 'Part', parent_id: 1 },
    ],
    projects: [{ project_id: 1, name: 'One' }],
    tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 }],
    timeoffs: [{ timeoff_id: 1, people_id: 1, start_date: '2026-01-07', end_date: '2026-01-07', hours: 3 }],
    logged_time: ['a', 'b'].map((logged_time_id) => {
      return { logged_time_id, people_id: 1, project_id: 1, date: '2026-01-05', hours: '2.5' };
    }),
    project_expenses: [{ project_expense_id: 1, project_id: 1, name: 'Train', date: '2026-01-05', cost: 20 }],
  });
  database = await openDatabase(file);
  closeAll = async () => {
    await database.close();
    remove();
  };
});
afterAll(() => closeAll());

function check(subject: Check): Promise<void> {
  return runCheck(duckdbEngine(database, folder), subject);
}

function checkNamed(name: string): Check {
  const found = checks.find(({ file }) => file === `checks/${name}.sql`);
  if (!found) throw new Error(`There is no check ${name}`);
  return found;
}

test.each(checks.map((check) => [check.file, check] as const))('%s passes on a valid company', async (_file, each) => {
  await expect(check(each)).resolves.toBeUndefined();
});

test('every check is broken by a test below', () => {
  expect(new Set(BREAKS.map(([name]) => `checks/${name}.sql`))).toEqual(new Set(checks.map(({ file }) => file)));
});

/** Every sum of ledger_months, read from the database: a new one must be checked, too. */
async function readSums(): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'core' AND table_name = 'ledger_months'
      AND column_name NOT IN ('kind', 'month', 'project_id', 'phase_id', 'task_meta_id', 'status', 'billable', 'project_expense_id', 'long_line')`);
  return rows.map(({ name }) => name);
}

test('each sum of a month is checked', async () => {
  const sums = await readSums();
  expect(sums).toContain('fee_rounded_off');
  for (const sum of sums) {
    const broken = database.transaction(async () => {
      const more = sum === 'last_date' ? 'last_date + 1' : `COALESCE(${sum}, 0) + 1`;
      await database.run(`UPDATE core.ledger_months SET ${sum} = ${more} WHERE kind = 'actual'`);
      await check(checkNamed('ledger_months_are_sums_of_lines'));
    });
    await expect(broken, sum).rejects.toThrow('The sums of ledger lines by month are those of the lines');
  }
});

test.each(BREAKS)('%s fails when %s', async (name, _what, breaking, sentence) => {
  // The check fails inside the transaction, so the breaking change is rolled back.
  const broken = database.transaction(async () => {
    await database.run(breaking);
    await check(checkNamed(name));
  });
  const error = await broken.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'check', message: expect.stringContaining(sentence.replace(/\.$/, '')) });
  expect(error).toMatchObject({ message: expect.stringContaining(`checks/${name}.sql failed`) });
  await expect(check(checkNamed(name))).resolves.toBeUndefined();
});

describe('on PostgreSQL', () => {
  let postgres: Postgres;
  let engine: Engine;

  beforeAll(async () => {
    postgres = await openPostgres();
    engine = await buildOnPostgres(database, postgres, '');
  });
  afterAll(() => postgres.close());

  test.each(BREAKS)('%s finds the same rows when %s', async (name, _what, breaking) => {
    const find = (subject: Engine) => subject.findViolations(checkNamed(name), 1);
    await database.run(`BEGIN; ${breaking}`);
    const { count } = await find(duckdbEngine(database, folder)).finally(() => database.run('ROLLBACK'));
    await postgres.exec(`BEGIN; ${breaking}`);
    const found = await find(engine).finally(() => postgres.exec('ROLLBACK'));
    expect(count).toBeGreaterThan(0);
    expect(found.count).toBe(count);
  });
});

test('a failing check counts the violating rows, and shows three of them as evidence', async () => {
  const broken = database.transaction(async () => {
    await database.run(`UPDATE core.ledger SET cost = cost + 1 WHERE kind = 'scheduled'`);
    await check(checkNamed('amounts_are_hours_times_rate'));
  });
  const error = (await broken.catch((thrown: unknown) => thrown)) as AppError;
  expect(error.message).toContain('amounts_are_hours_times_rate.sql failed for 5 rows: ');
  expect(error.message).not.toMatch(/people_id|\d\.\d/);
  expect(error.evidence?.match(/"people_id":1/g)).toHaveLength(3);
  expect(error.evidence).toMatch(/and more\.$/);
  expect(evidencedMessageOf(error)).toBe(`${error.message}. ${error.evidence}`);
});

describe('models are refused', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  const GOOD = '-- One row.\nSELECT 1 AS one\n';

  async function load(files: Record<string, string>): Promise<unknown> {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-models-'));
    folders.push(folder);
    for (const layer of [...LAYERS, 'facts', 'kinds']) mkdirSync(join(folder, layer));
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return loadModels(database, folder).catch((thrown: unknown) => thrown);
  }

  test('none that are valid', async () => {
    const models = await load({
      'core/second.sql': '-- One row.\n-- stored: table\n-- Its decisions.\nSELECT one FROM staging.first\n',
      'marts/third.sql': '-- One row.\nWITH x AS (SELECT one FROM core.second) SELECT one FROM x\n',
      'staging/first.sql': GOOD,
    });
    expect(models).toMatchObject([
      { schema: 'staging', name: 'first', storage: 'view', comment: 'One row.' },
      { schema: 'core', name: 'second', storage: 'table', comment: 'One row.\nIts decisions.' },
      { schema: 'marts', name: 'third', storage: 'view' },
    ]);
  });

  test('a model is built after every model it reads, also within its layer', async () => {
    const models = await load({
      'core/a.sql': '-- One row.\nSELECT one FROM core.b JOIN core.c USING (one)\n',
      'core/b.sql': '-- One row.\nSELECT one FROM (SELECT one FROM core.c) AS inner_c\n',
      'core/c.sql': GOOD,
    });
    expect(models).toMatchObject([{ name: 'c' }, { name: 'b' }, { name: 'a' }]);
  });

  test('one without a header', async () => {
    expect(await load({ 'staging/bare.sql': 'SELECT 1 AS one\n' })).toMatchObject({
      code: 'definition',
      message: expect.stringContaining('sql/staging/bare.sql:1: '),
    });
  });

  test('one whose header does not define its row', async () => {
    expect(await load({ 'core/vague.sql': '-- Some rows.\nSELECT 1 AS one\n' })).toMatchObject({
      code: 'definition',
      message: 'sql/core/vague.sql:1: the first line must say what one row is',
    });
  });

  test('one that does not parse, with the line', async () => {
    const error = await load({ 'core/typo.sql': '-- One row.\nSELECT\n  1 AS one\nFORM staging.first x y\n' });
    expect(error).toMatchObject({ code: 'definition', message: expect.stringContaining('sql/core/typo.sql:4: ') });
  });

  test('one that is no SELECT', async () => {
    const error = await load({ 'core/drop.sql': '-- One row.\nDROP TABLE core.ledger\n' });
    expect(error).toMatchObject({ code: 'definition', message: expect.stringContaining('sql/core/drop.sql') });
  });

  test('one with two statements', async () => {
    const error = await load({ 'core/two.sql': '-- One row.\nSELECT 1 AS one;\nSELECT 2 AS two\n' });
    expect(error).toMatchObject({ code: 'definition', message: expect.stringContaining('sql/core/two.sql') });
  });

  test('models that read each other in a circle', async () => {
    const error = await load({
      'core/a.sql': '-- One row.\nSELECT one FROM core.b\n',
      'core/b.sql': '-- One row.\nSELECT one FROM core.c\n',
      'core/c.sql': '-- One row.\nSELECT one FROM core.a\n',
    });
    expect(error).toMatchObject({
      code: 'definition',
      message: expect.stringContaining('circle: core.a -> core.b -> core.c -> core.a'),
    });
  });

  test('one that reads itself', async () => {
    const error = await load({ 'core/self.sql': '-- One row.\nSELECT one FROM core.self\n' });
    expect(error).toMatchObject({ code: 'definition', message: expect.stringContaining('core.self -> core.self') });
  });

  test('a check without its message', () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-models-'));
    folders.push(folder);
    mkdirSync(join(folder, 'checks'));
    writeFileSync(join(folder, 'checks', 'bare.sql'), 'SELECT 1 AS one\n');
    expect(() => loadChecks(folder)).toThrow('sql/checks/bare.sql:1: ');
  });
});
