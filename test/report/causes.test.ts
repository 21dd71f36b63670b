import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FindingCause } from '../../src/numbers/report/catalogue/table.ts';
import { type Company, openCompany } from '../sql/company.ts';

const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31' };

const [ADA, BEN, GONE] = [1, 2, 9];

const log = (id: string, people_id: number, date: string, hours: number) => ({
  logged_time_id: id,
  people_id,
  project_id: 7,
  date,
  hours,
});

describe('the causes of findings', () => {
  let company: Company;
  beforeAll(async () => {
    company = await openCompany({
      settings: { work_days_hours: [8, 8, 8, 8, 8, 8, 8], currency: 'EUR' },
      people: [
        { people_id: ADA, name: 'Ada', default_hourly_rate: 100 },
        { people_id: BEN, name: 'Ben', cost_rate: 50, default_hourly_rate: 100, start_date: '2026-01-10' },
      ],
      projects: [{ project_id: 7, name: 'Dam' }],
      tasks: [
        { task_id: 1, project_id: 7, people_id: ADA, start_date: '2026-01-12', end_date: '2026-01-13', hours: 2.25 },
      ],
      logged_time: [
        log('a', ADA, '2026-01-12', 3.5),
        log('b', ADA, '2026-02-02', 1),
        log('c', BEN, '2026-01-02', 4),
        log('d', GONE, '2026-01-20', 1.125),
      ],
    });
  });
  afterAll(() => company.close());

  const read = async (parameters = {}, seesRates = true) => {
    const sent = { ...WINDOW, causes: '1', ...parameters };
    const { rows, table } = await company.report('data-quality', sent, { seesRates });
    return { rows, causes: table.meta.causes ?? [] };
  };
  const brief = ({ check, person, findings, hours, amount_at_risk: amount }: FindingCause) =>
    [check, person, findings, hours, amount] as const;

  it('are the check, and the person who has no rate, gravest first', async () => {
    const { causes } = await read();
    expect(causes.map(brief)).toEqual([
      ['hours_without_cost_rate', 'Ada', 3, '8.00', null],
      ['hours_without_bill_rate', 'Unknown person 9', 1, '1.125', null],
      ['hours_without_cost_rate', 'Unknown person 9', 1, '1.125', null],
      ['work_outside_employment', null, 1, '4.00', '200.00'],
      ['unknown_reference', null, 1, '1.125', null],
    ]);
  });

  it('tell the hours that are scheduled apart', async () => {
    const { causes } = await read({ people_id: String(ADA) });
    expect(causes.map((cause) => [cause.hours, cause.scheduled_hours])).toEqual([['8.00', '4.50']]);
  });

  it('say the way out, another one for a person without a record', async () => {
    const { causes } = await read({ people_id: `${ADA},${GONE}` });
    const remedies = causes.filter(({ check }) => check === 'hours_without_cost_rate').map(({ remedy }) => remedy);
    expect(remedies[0]).toContain('cost rate');
    expect(remedies[1]).toContain('Restore the record');
  });

  it('have all findings in the filters and the window, whatever the page shows', async () => {
    const { rows, causes } = await read();
    const hours = (texts: readonly unknown[]) => Decimal.sum(0, ...texts.map((text) => String(text ?? 0))).toFixed();
    expect(causes.reduce((sum, { findings }) => sum + findings, 0)).toBe(rows.length);
    expect(hours(causes.map((cause) => cause.hours))).toBe(hours(rows.map((row) => row['hours'])));
    expect((await read({ 'per-page': '1', fields: 'check' })).causes).toEqual(causes);
  });

  it('have no amount for a reader without rates', async () => {
    const { causes } = await read({}, false);
    expect(causes.map(({ amount_at_risk: amount }) => amount)).toEqual(causes.map(() => null));
  });

  it('are left out unless asked for', async () => {
    expect((await read({ causes: '0' })).causes).toEqual([]);
  });
});
