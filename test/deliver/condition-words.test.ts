import { expect, it } from 'vitest';
import { sayCondition } from '../../src/doors/deliver/content/condition-words.ts';
import type { Column, Meta, Unit } from '../../src/numbers/report/catalogue/table.ts';

const COLUMNS = [
  ['budget_forecast_percent', 'Budget forecast % of budget', 'percent'],
  ['missing_hours', 'Missing hours', 'hours'],
  ['actual_cost', 'Actual cost', 'money'],
  ['last_logged', 'Last logged', 'date'],
  ['client', 'Client', 'text'],
  ['status', 'Status', 'text'],
].map(([name, label, unit]) => ({ name, label, unit: unit as Unit }) as Column);

const META = { currency: 'EUR', minor_units: 2 } as Meta;

it.each([
  ['budget_forecast_percent gt 100', 'Budget forecast % of budget above 100 %'],
  ['budget_forecast_percent ge 99.95', 'Budget forecast % of budget at least 99.95 %'],
  ['missing_hours gt 0 and actual_cost le 12000.5', 'Missing hours above 0 h and Actual cost at most 12,000.5 EUR'],
  ['last_logged lt 2026-05-01', 'Last logged before 2026-05-01'],
  ['missing_hours gt 0 and 100 lt actual_cost', 'Missing hours above 0 h and 100 EUR below Actual cost'],
  ['2026-05-01 gt last_logged or 0 le missing_hours', '2026-05-01 after Last logged or 0 h at most Missing hours'],
  ['last_logged eq null', 'Last logged is unknown'],
  [
    "not (client eq 'Kestrel (UK)' or status in ('draft', 'sold'))",
    'not (Client is "Kestrel (UK)" or Status is one of ("draft", "sold"))',
  ],
  [
    "contains(client, 'Bank') and round(missing_hours) ge 1000",
    'contains(Client, "Bank") and round(Missing hours) at least 1,000 h',
  ],
  [
    'year(last_logged) ne 2026 and length(client) gt 1500',
    'year(Last logged) is not 2026 and length(Client) above 1500',
  ],
])('a condition is said in words, its limits exactly: %s', (where, words) => {
  expect(sayCondition(where, COLUMNS, META)).toBe(words);
});
