import { expect, it } from 'vitest';
import { openCompany } from '../sql/company.ts';

const AMOUNTS = [{ amount: 40, price: '3600' }];

it('sets retainers aside that break a rule of their amounts or share days, and keeps what an unknown project has', {
  tags: ['slow'],
}, async () => {
  const company = await openCompany({
    projects: [{ project_id: 1, name: 'Support' }],
    retainers: [
      { retainer_id: 1, project_id: 1, start_date: '2026-01-01', end_date: '2026-03-31', amounts: AMOUNTS },
      { retainer_id: 2, project_id: 1, start_date: '2026-03-31', end_date: '2026-08-31', amounts: AMOUNTS },
      // It shares days with one alone that is set aside itself.
      { retainer_id: 3, project_id: 1, start_date: '2026-04-01', unit: 'fee', amounts: [{ amount: 900 }] },
      { retainer_id: 4, project_id: 1, phase_id: 0, start_date: '2025-01-01', amounts: [{ amount: -1 }] },
      { retainer_id: 5, project_id: 9, start_date: '2026-01-01', unit: 'fee', amounts: AMOUNTS },
      { retainer_id: 6, project_id: 9, start_date: '2026-01-01', amounts: [...AMOUNTS, { amount: 1, price: 'much' }] },
      {
        retainer_id: 7,
        project_id: 1,
        start_date: '2024-01-01',
        end_date: '2024-01-31',
        every: 'fortnight',
        amounts: AMOUNTS,
      },
      { retainer_id: 8, project_id: 1, start_date: '2024-01-01', end_date: '2024-01-31' },
    ],
  });
  try {
    expect(await company.rows('SELECT record_id, item, reasons FROM source.rejected ORDER BY record_id, item')).toEqual(
      [
        {
          record_id: '2',
          item: null,
          reasons: [
            'start_date is within the days of retainer_id 1, 2026-01-01 to 2026-03-31, for the same project_id 1: only one can hold on a day',
          ],
        },
        { record_id: '4', item: 'amounts[1]', reasons: ['amount: below 0'] },
        { record_id: '4', item: null, reasons: ['amounts have none that holds on start_date'] },
        { record_id: '5', item: null, reasons: ['amounts have a price, and unit is fee: the amount is the price'] },
        { record_id: '6', item: 'amounts[2]', reasons: ['price: not a number'] },
        { record_id: '7', item: null, reasons: ['every: not one of month, week, quarter, year'] },
        { record_id: '8', item: null, reasons: ['amounts have none that holds on start_date'] },
      ],
    );
    expect(await company.rows("SELECT record FROM source.rejected WHERE record_id = '2'")).toEqual([
      {
        record: JSON.stringify({
          ...{ retainer_id: 2, project_id: 1, start_date: '2026-03-31', end_date: '2026-08-31' },
          amounts: AMOUNTS,
        }),
      },
    ]);
    expect(await company.rows('SELECT retainer_id, amount, price FROM source.retainer_amounts ORDER BY ALL')).toEqual([
      { retainer_id: 1, amount: '40', price: '3600' },
      { retainer_id: 3, amount: '900', price: null },
      { retainer_id: 6, amount: '40', price: '3600' },
    ]);
    const found = 'SELECT id, detail FROM marts.data_quality WHERE "check" = \'unknown_reference\'';
    expect(await company.rows(found)).toEqual([{ id: '6', detail: 'project_id 9 does not exist' }]);
  } finally {
    await company.close();
  }
});
