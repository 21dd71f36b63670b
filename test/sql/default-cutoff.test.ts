// @module-tag slow
import { describe, expect, it } from 'vitest';
import { moveDay } from '../../src/base/calendar/day.ts';
import type { Database } from '../../src/base/database/database.ts';
import { buildOn } from '../../src/numbers/model/build.ts';
import { duckdbEngine } from '../../src/numbers/model/engine/duckdb.ts';
import { loadModels, qualifiedName } from '../../src/numbers/model/models.ts';
import { chooseCutoff } from '../../src/numbers/report/catalogue/cutoff.ts';
import { readRule } from '../../src/numbers/report/source/fact-rules.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { WHOLE_SOURCE } from '../../src/numbers/report/source/state-source.ts';
import { buildCompany, type Records } from './company.ts';

// October 2026 ends on a Saturday. Ana and Ben work from Monday to Friday, and Ben lives in another region.
const PEOPLE = [
  { people_id: 1, name: 'Ana' },
  { people_id: 2, name: 'Ben', region_id: 7 },
];
const logged = (date: string, hours = 8) => ({ logged_time_id: date, people_id: 1, project_id: 1, date, hours });
const away = (id: number, people_id: number, date: string, more: object = {}) => ({
  timeoff_id: id,
  people_ids: [people_id],
  start_date: date,
  end_date: date,
  full_day: 1,
  status: 2,
  ...more,
});
const companyOf = (more: Records): Records => ({
  people: PEOPLE,
  projects: [{ project_id: 1, name: 'Site' }],
  logged_time: [logged('2026-10-29'), logged('2026-10-30')],
  ...more,
});

/** The day of the load, long after the last day with logged time. */
const LOADED = new Date('2026-11-20T12:00:00Z');

/** Builds the default cutoff, what the settings tell beside it, and the models that these read, which takes a tenth of the time of all. */
async function buildCutoff(database: Database, directory: string): Promise<void> {
  const needed = new Set([
    'marts.default_cutoff',
    'core.places',
    'core.retained_places',
    'core.billing_lines',
    'core.covers',
  ]);
  const models = (await loadModels(database, directory)).toReversed().filter((model) => {
    if (!needed.has(qualifiedName(model))) return false;
    for (const name of model.reads) needed.add(name);
    return true;
  });
  await buildOn(duckdbEngine(database, directory), models.toReversed(), []);
}

async function withCompany<T>(records: Records, loaded: Date, use: (database: Database) => Promise<T>): Promise<T> {
  const database = await buildCompany(records, loaded, buildCutoff);
  return use(database).finally(() => database.close());
}

const readMart = async (database: Database) =>
  (await database.rows<{ cutoff_date: string; last_logged_date: string | null }>('FROM marts.default_cutoff'))[0];

describe('3.1: the default cutoff goes on over the days that follow on which nobody has capacity', () => {
  const monday = '2026-11-02';
  const everywhere = { holiday_id: 1, name: 'All Souls', date: monday, end_date: monday };
  it.each<[string, Records, string]>([
    ['a weekend', {}, '2026-11-01'],
    ['a holiday of all after it', { holidays: [everywhere] }, '2026-11-02'],
    [
      'a holiday of one region, in which the other works',
      { holidays: [{ ...everywhere, region_id: 7 }] },
      '2026-11-01',
    ],
    ['time off of all', { timeoffs: [away(1, 1, monday), away(2, 2, monday)] }, '2026-11-02'],
    ['time off of one', { timeoffs: [away(1, 1, monday)] }, '2026-11-01'],
    [
      'time off of a part of the day',
      { timeoffs: [away(1, 1, monday), away(2, 2, monday, { full_day: 0, hours: 7.5 })] },
      '2026-11-01',
    ],
    [
      'time off that is not confirmed',
      { timeoffs: [away(1, 1, monday), away(2, 2, monday, { status: 1 })] },
      '2026-11-01',
    ],
    [
      'a hire who works on Saturdays',
      { people: [...PEOPLE, { people_id: 3, start_date: '2026-10-31', work_days_hours: [0, 0, 0, 0, 0, 0, 4] }] },
      '2026-10-30',
    ],
    [
      'a hire of the Saturday after',
      { people: [...PEOPLE, { people_id: 3, start_date: '2026-11-07', work_days_hours: [0, 0, 0, 0, 0, 0, 4] }] },
      '2026-11-01',
    ],
    [
      'a placeholder and a worker by call, who have no capacity',
      {
        people: [
          ...PEOPLE,
          { people_id: 3, people_type_id: 3, work_days_hours: [8, 8, 8, 8, 8, 8, 8] },
          { people_id: 4, work_days_hours: [0, 0, 0, 0, 0, 0, 0] },
        ],
      },
      '2026-11-01',
    ],
    ['leavers alone', { people: PEOPLE.map((person) => ({ ...person, end_date: '2026-10-30' })) }, '2026-11-20'],
    ['logged time on the Saturday', { logged_time: [logged('2026-10-30'), logged('2026-10-31')] }, '2026-11-01'],
    ['logged time without hours', { logged_time: [logged('2026-10-29'), logged('2026-10-30', 0)] }, '2026-10-29'],
    ['a record of the future', { logged_time: [logged('2026-10-30'), logged('2062-01-08')] }, '2026-11-01'],
    ['no logged time', { logged_time: [] }, '2026-11-20'],
  ])('%s', async (_, records, cutoff) => {
    const mart = await withCompany(companyOf(records), LOADED, readMart);
    expect(mart?.cutoff_date).toBe(cutoff);
  });

  it.each([
    ['2026-10-30T12:00:00Z', '2026-10-30'],
    ['2026-10-31T12:00:00Z', '2026-10-31'],
    ['2026-11-01T12:00:00Z', '2026-11-01'],
    ['2026-11-02T12:00:00Z', '2026-11-01'],
  ])('but not beyond today: %s', async (loaded, cutoff) => {
    const mart = await withCompany(companyOf({}), new Date(loaded), readMart);
    expect(mart).toEqual({ cutoff_date: cutoff, last_logged_date: '2026-10-30' });
  });

  it('up to 92 days after the load, as far as it is looked ahead', async () => {
    const people = PEOPLE.map((person) => ({ ...person, end_date: '2026-10-30' }));
    const { loggedDays } = await withCompany(companyOf({ people }), LOADED, readCompany);
    expect(loggedDays[0]).toEqual({ date: '2026-10-30', idleUntil: '2027-02-20' });
  });

  it('by the same rule in reports and in SQL, on each day', async () => {
    const records = companyOf({
      holidays: [{ holiday_id: 1, name: 'All Souls', date: monday, end_date: '2026-11-03' }],
      logged_time: ['2026-10-20', '2026-10-23', '2026-10-30', '2026-11-06', '2026-11-11'].map((day) => logged(day)),
    });
    const rule = readRule('facts/default_cutoff')(WHOLE_SOURCE);
    await withCompany(records, LOADED, async (database) => {
      const company = await readCompany(database);
      const days = Array.from({ length: 40 }, (_, index) => moveDay('2026-10-15', 'day', index));
      for (const today of days) {
        const clock = `WITH clock AS (SELECT DATE '${today}' AS today)`;
        const [row] = await database.rows<{ cutoff_date: string }>(`${clock} ${rule}`);
        expect([today, chooseCutoff(undefined, '', { today, company }).date]).toEqual([today, row?.cutoff_date]);
      }
    });
  });
});
