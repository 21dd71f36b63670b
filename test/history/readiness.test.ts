import { expect, it } from 'vitest';
import { checkReadiness } from '../../src/history/closing/readiness.ts';
import { readCompany } from '../../src/report/source/read-company.ts';
import { buildCompany } from '../sql/company.ts';

const MARCH = { startDate: '2026-03-01', endDate: '2026-03-31' };

it('names hours without a rate, with those of the plan apart (C2)', async () => {
  const database = await buildCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ben' }],
    projects: [{ project_id: 1, name: 'One' }],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-03-02', hours: 5 }],
    tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-03-02', end_date: '2026-03-03', hours: 4 }],
  });
  try {
    const facts = { company: await readCompany(database), day: '2026-04-03' };
    const warnings = await checkReadiness(database, facts, MARCH, undefined);
    const found = warnings.find(({ name }) => name === 'hours_without_cost_rate');
    expect(found).toMatchObject({ hours: '5.0000', people: 1 });
    expect(found?.message).toContain('8.00 h of them are planned, and stand apart');
  } finally {
    await database.close();
  }
});
