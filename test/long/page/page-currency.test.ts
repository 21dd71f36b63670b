import { expect, it } from 'vitest';
import { ALL_SCREENS, openFolds, settleDrawer } from '../../page/all-screens.ts';
import { openServer } from '../../page/opened-server.ts';

const WINDOW = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';

/** A company whose currency has no cents, with hours and rates that multiply to parts of it. */
const company = {
  settings: { currency: 'JPY' },
  clients: [{ client_id: 205, name: 'Sakura' }],
  people: [
    { people_id: 102, name: 'Ada', cost_rate: '3333', default_hourly_rate: '7777' },
    { people_id: 103, name: 'Max', default_hourly_rate: '100' },
  ],
  projects: [{ project_id: 501, name: 'Bridge', client_id: 205, budget_type: 2, budget_total: '100000' }],
  tasks: [102, 103].map((people_id) => ({
    ...{ task_id: people_id, project_id: 501, people_id, hours: '1.3333', status: 2 },
    ...{ start_date: '2026-01-05', end_date: '2026-03-31' },
  })),
  logged_time: [102, 103].map((people_id) => ({
    ...{ logged_time_id: `L${people_id}`, project_id: 501, people_id, date: '2026-01-06', hours: '25.75', billable: 1 },
  })),
  project_expenses: [
    { project_expense_id: 1, project_id: 501, date: '2026-01-05', cost: '1001', billable: 1, markup: '7.5' },
  ],
  invoices: [{ invoice_id: 1, client_id: 205, issue_date: '2026-01-31' }],
  invoice_lines: [
    {
      ...{ invoice_line_id: 1, invoice_id: 1, project_id: 501, amount: '70000', kind: 'time' },
      covers: [{ logged_time_id: 'L102' }],
    },
  ],
};

const opened = openServer({ data: company });

/** Returns the amounts that are shown with decimals: before the currency, and in columns of it. */
const FIND_DECIMALS = `(() => {
  const inWords = document.body.innerText.match(/\\d\\.\\d+ JPY(?!\\/h)/g) ?? [];
  const inColumns = [...document.querySelectorAll('table')].flatMap((table) =>
    [...(table.tHead?.rows[0]?.cells ?? [])].flatMap((header, index) =>
      header.querySelector('.unit')?.textContent === 'JPY'
        ? [...table.rows].slice(1).map((row) => row.cells[index]?.textContent ?? '').filter((text) => /\\d\\.\\d/.test(text))
        : []));
  const inFigures = [...document.querySelectorAll('dl.figures > div, .headline')]
    .filter((figure) => figure.querySelector('.unit')?.textContent === 'JPY')
    .map((figure) => figure.querySelector('.figure')?.textContent ?? '').filter((text) => /\\./.test(text));
  return [...inWords, ...inColumns, ...inFigures];
})()`;

it.each(ALL_SCREENS)('%s shows no decimals of a currency without cents', async (screen) => {
  const { page } = opened.tab;
  const measures = 'measures=actual_cost,variance_fees,actual_margin_percent,budget_used';
  await opened.tab.open(`/?screen=${screen}&${WINDOW}${screen === 'explore' ? `&${measures}` : ''}`);
  await openFolds(page);
  expect(await page.locator('main').textContent()).toMatch(screen === 'people' ? /Ada/ : /JPY/);
  expect(await page.evaluate<string[]>(FIND_DECIMALS)).toEqual([]);
});

it.each(['variance_cost', 'actual_profit', 'budget_used', 'expense_fees'])(
  'the lines behind %s have none either',
  async (measure) => {
    const { page } = opened.tab;
    const number = `report=projects&measure=${measure}&project_id=501&${WINDOW}`;
    await opened.tab.open(`/?${WINDOW}&lines=${encodeURIComponent(number)}`);
    await settleDrawer(opened.tab);
    await openFolds(page);
    expect(await page.locator('dialog .value').textContent()).toContain('JPY');
    expect(await page.evaluate<string[]>(FIND_DECIMALS)).toEqual([]);
  },
);
