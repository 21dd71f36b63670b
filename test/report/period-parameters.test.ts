import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { writeText } from '../../src/numbers/write/text-writer.ts';
import { readWorkbook, runReport } from '../reports.ts';
import { buildCompany, catalogue } from '../sql/company.ts';

const NOW = new Date('2026-01-14T12:00:00Z');

let database: Database;
beforeAll(async () => {
  database = await buildCompany({
    people: [{ people_id: 1, name: 'Ana' }],
    projects: [{ project_id: 1, name: 'Site' }],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, date: '2025-12-31', hours: 6 }],
  });
});
afterAll(() => database.close());

const sent = { period: 'last_month', cutoff_date: 'period_end' };

describe('a report by the name of a period', () => {
  it('equals the report of its days, but for the name', async () => {
    const named = await runReport(database, catalogue, 'projects', { ...sent, expand: 'phases' }, { now: NOW });
    const fixed = { start_date: '2025-12-01', end_date: '2025-12-31', cutoff_date: '2025-12-31', expand: 'phases' };
    const ofDays = await runReport(database, catalogue, 'projects', fixed, { now: NOW });
    expect(named.totals).toEqual(ofDays.totals);
    expect(named.nested?.rows).toEqual(ofDays.nested?.rows);
    const { period, ...parameters } = named.meta.parameters;
    expect(period).toBe('last_month');
    expect(parameters).toEqual(ofDays.meta.parameters);
  });

  it('says both in its title', async () => {
    const table = await runReport(database, catalogue, 'projects', sent, { now: NOW });
    let text = '';
    for await (const part of writeText(table, ['name', 'actual_hours'])) text += part;
    expect(text).toContain('2025-12-01 to 2025-12-31 (last_month), actual to 2025-12-31 (the end of the period)');
  });

  it('has both on the sheet Parameters of its workbook', { tags: ['slow'] }, async () => {
    const { cover, sheets } = await readWorkbook(database, catalogue, 'projects', sent, { now: NOW });
    const values = Object.fromEntries(cover.parameters.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      period: 'last_month',
      start_date: '2025-12-01',
      end_date: '2025-12-31',
      cutoff_date: '2025-12-31',
    });
    for (const { open } of sheets) {
      const { table } = await open();
      expect(table.meta.parameters).toMatchObject({ period: 'last_month', start_date: '2025-12-01' });
    }
  });
});
