import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aliasesOf } from '../../src/numbers/report/catalogue/catalogue.ts';
import { FORMATS, writeTable } from '../../src/numbers/write/formats.ts';
import { type Company, catalogue, openCompany, pick } from '../sql/company.ts';

// Ana works 8 hours a day, scheduled 10 on a billed project and 2 on an unbilled one; today is the second Monday.
const NOW = new Date('2026-01-12T23:30:00Z');
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-16', cutoff_date: '2026-01-06' };

let company: Company;
beforeAll(async () => {
  const work = { people_id: 1, start_date: '2026-01-05', end_date: '2026-01-16' };
  company = await openCompany({
    people: [{ people_id: 1, name: 'Ana' }],
    projects: [
      { project_id: 1, name: 'Billed' },
      { project_id: 2, name: 'Internal', non_billable: 1 },
    ],
    tasks: [
      { ...work, task_id: 1, project_id: 1, hours: 10 },
      { ...work, task_id: 2, project_id: 2, hours: 2 },
    ],
    timeoffs: [{ timeoff_id: 1, people_id: 1, start_date: '2026-01-16', end_date: '2026-01-16', full_day: 1 }],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 6 }],
  });
});
afterAll(() => company.close());

const read = (name: string, more: Record<string, string> = {}, now = NOW) =>
  company.report(name, { ...WINDOW, ...more }, { now, hasAliases: true });

describe('4.3 the alias fields of JSON', () => {
  const people = {
    capacity: '72',
    timeoff: '8',
    scheduled: '108',
    billable: '90',
    nonBillable: '18',
    overtime: '36',
    unscheduled: '0',
    // From the 13th to the 15th: today doesn't count as future, whatever the cutoff.
    futureScheduled: '36',
    futureBillable: '30',
    futureNonBillable: '6',
    futureOvertime: '12',
  };

  it('give plain sums of the ledger for a person, with the future ones after today', async () => {
    const { rows, totals } = await read('people');
    expect(pick(rows[0], ...Object.keys(people))).toEqual(people);
    expect(pick(totals, ...Object.keys(people))).toEqual(people);
  });

  it('give them for a project, too', async () => {
    const { rows, totals } = await read('projects');
    const names = ['scheduled', 'billable', 'nonBillable', 'futureScheduled', 'futureBillable', 'futureNonBillable'];
    const values = (row: Parameters<typeof pick>[0]) => Object.values(pick(row, ...names));
    expect(rows.map(values)).toEqual([
      ['90', '90', '0', '30', '30', '0'],
      ['18', '0', '18', '6', '0', '6'],
    ]);
    expect(values(totals)).toEqual(['108', '90', '18', '36', '30', '6']);
  });

  it.each(['people', 'projects'])('match the measures named in the definition of %s', async (name) => {
    const report = catalogue.reports.get(name);
    const { rows } = await read(name);
    const aliases = report ? aliasesOf(catalogue, report) : [];
    expect(aliases.length).toBeGreaterThan(5);
    for (const { name: alias, measure } of aliases)
      if (measure.group !== 'future') expect(rows[0]?.[alias]).toBe(rows[0]?.[measure.name]);
  });

  it('follow the current day', async () => {
    const { totals } = await read('people', {}, new Date('2026-01-13T00:30:00Z'));
    expect(totals['futureScheduled']).toBe('24');
  });

  it('can be selected by fields, but not sorted by', async () => {
    const { table } = await read('people', { fields: 'name,futureScheduled' });
    expect(table.columns.map(({ name }) => name)).toEqual(['name', 'futureScheduled']);
    await expect(read('people', { sort: 'futureScheduled' })).rejects.toMatchObject({ code: 'usage' });
  });

  it('leave the checks and every other format unchanged', async () => {
    const plain = (await company.report('people', WINDOW, { now: NOW })).table;
    expect(plain.columns.map(({ name }) => name).filter((name) => Object.hasOwn(people, name))).toEqual([]);
    expect((await read('people')).table.meta.checks).toEqual(plain.meta.checks);
    await expect(company.report('people', { ...WINDOW, fields: 'capacity' }, { now: NOW })).rejects.toMatchObject({
      code: 'usage',
    });
    const formats = Object.entries(FORMATS)
      .filter(([, format]) => 'hasAliases' in format)
      .map(([name]) => name);
    expect(formats).toEqual(['json']);
  });

  it('follow the other columns in JSON', async () => {
    const { table } = await read('projects');
    const pieces: string[] = [];
    const fresh = {
      ...table,
      rows: (async function* () {
        yield [];
      })(),
    };
    for await (const piece of writeTable('json', fresh)) pieces.push(String(piece));
    expect(Object.keys(JSON.parse(pieces.join('')).totals).slice(-6)).toEqual([
      'scheduled',
      'billable',
      'nonBillable',
      'futureScheduled',
      'futureBillable',
      'futureNonBillable',
    ]);
  });
});
