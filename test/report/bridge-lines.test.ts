import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import type { Bridge } from '../../src/numbers/report/catalogue/bridges.ts';
import { explainNumber } from '../../src/numbers/report/explain/explain-number.ts';
import { parseNumberQuery } from '../../src/numbers/report/request/number.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { buildCompany, type Company, companyOf } from '../sql/company.ts';

const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-16', cutoff_date: '2026-01-16' };

describe('the lines behind an effect', () => {
  let database: Database;
  let company: Company;
  beforeAll(async () => {
    database = await buildCompany({
      roles: [{ role_id: 1, name: 'Lead' }],
      people: [
        { people_id: 1, name: 'Ana', role_id: 1, cost_rate: '60', default_hourly_rate: '100' },
        { people_id: 2, name: 'Ben', cost_rate: '40', default_hourly_rate: '80' },
        { people_id: 3, name: 'Cy', default_hourly_rate: '50' },
      ],
      projects: [
        { project_id: 1, name: 'Quay' },
        { project_id: 2, name: 'Pier' },
        { project_id: 3, name: 'Mole' },
      ],
      tasks: [
        { task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 },
        { task_id: 2, people_id: 2, project_id: 2, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 },
      ],
      logged_time: [
        { logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 6 },
        { logged_time_id: 'b', people_id: 2, project_id: 1, date: '2026-01-12', hours: 4 },
        { logged_time_id: 'c', people_id: 3, project_id: 3, date: '2026-01-12', hours: 2 },
      ],
    });
    company = companyOf(database);
  });
  afterAll(() => company.close());

  const numberOf = async (bridge: Bridge, measure: string, sent: Record<string, string> = {}) => {
    const { rows } = await company.report('projects', { ...WINDOW, bridge, links: '1', ...sent });
    const row = rows.find(({ project_id }) => String(project_id) === (sent['project_id'] ?? '1'));
    const number = { ...Object.fromEntries(new URLSearchParams(String(row?.['_lines']).split('?')[1])), measure };
    return { value: row?.[measure], number };
  };

  const explain = async (number: Record<string, string>) => {
    const settings = await readCompany(database);
    const query = parseNumberQuery(readCatalogues(), number, { company: settings, today: '2026-01-20' });
    return explainNumber({ database, company: settings, now: new Date('2026-01-20T12:00:00Z') }, query);
  };

  it('are the cells of the row, with the rates of all lines of the query', async () => {
    const { value, number } = await numberOf('cost', 'cost_project_mix_effect');
    expect(number).toMatchObject({ row: 'project_id=1' });
    expect(number).not.toHaveProperty('project_id');
    const { rows, totals } = await company.report('lines', number);
    const shown = ['line_id', 'person', 'role', 'scheduled_hours', 'actual_hours', 'rate_all', 'rate_project'];
    expect(
      rows.map((row) => [...shown.map((name) => row[name]), row['rate_person_source'], row['contribution']]),
    ).toEqual([
      // The plan is 50.00 an hour on average, and 60.00 on the project.
      ['c:1:1:1', 'Ana', 'Lead', '8', '6', '50', '60', 'plan', '-20'],
      ['c:1::2', 'Ben', null, '0', '4', '50', '60', 'actual', '40'],
    ]);
    expect([totals['contribution'], value]).toEqual(['20', '20']);
  });

  it('add up to each effect of a row and of its months, and explain it', { tags: ['slow'] }, async () => {
    for (const sent of [{}, { interval: 'week' }, { project_id: '1' }]) {
      for (const measure of ['cost_volume_effect', 'fees_rate_effect', 'fees_billability_effect']) {
        const { value, number } = await numberOf(measure.split('_')[0] as Bridge, measure, sent);
        expect((await company.report('lines', number)).totals['contribution'], JSON.stringify(number)).toBe(value);
        const explained = await explain(number);
        expect(new Decimal(String(explained.value)).toFixed(), JSON.stringify(number)).toBe(value);
      }
    }
  });

  it('are opened by person, with the rates of all lines of the query', async () => {
    const { number } = await numberOf('cost', 'cost_project_mix_effect');
    const { parts } = await explain(number);
    const ben = parts.person?.find(({ label }) => label === 'Ben');
    const opened = Object.fromEntries(new URLSearchParams(ben?.lines?.split('?')[1]));
    expect(opened).toMatchObject({ row: 'project_id=1', part: 'person:2' });
    const { rows, totals } = await company.report('lines', opened);
    expect([rows.map(({ line_id }) => line_id), totals['contribution']]).toEqual([['c:1::2'], '40']);
    expect(new Decimal(String((await explain(opened)).value)).toFixed()).toBe('40');
  });

  it('of an effect on profit are those of fees less those of cost', async () => {
    const { value, number } = await numberOf('profit', 'profit_volume_effect');
    await expect(company.report('lines', number)).rejects.toThrow(
      'is a difference of effects and no sum of lines: fees_volume_effect - cost_volume_effect',
    );
    const explained = await explain(number);
    expect(new Decimal(String(explained.value)).toFixed()).toBe(value);
    expect(explained.ratio.map((each) => each.measure.name)).toEqual(['fees_volume_effect', 'cost_volume_effect']);
  });

  it('of an effect on profit are unknown together if no line has a cost', { tags: ['slow'] }, async () => {
    for (const measure of ['profit_volume_effect', 'profit_billability_effect']) {
      const known = await numberOf('profit', measure);
      expect(new Decimal(String((await explain(known.number)).value)).toFixed()).toBe(known.value);
      const unknown = await numberOf('profit', measure, { project_id: '3' });
      expect([unknown.value, (await explain(unknown.number)).value], measure).toEqual([null, null]);
    }
  });

  it('refuse keys that are no filters', async () => {
    const asked = company.report('lines', { ...WINDOW, measure: 'cost_volume_effect', row: 'sort=name' });
    await expect(asked).rejects.toThrow('row: "sort" is no filter');
  });
});
