import { describe, expect, it } from 'vitest';
import { withPositions } from '../../page/data/bills.ts';
import { openServer } from './opened-server.ts';

const logged = (id: string, project_id: number, date: string, hours: number) => ({
  ...{ logged_time_id: id, people_id: 1, project_id, date, hours },
});

/** Tower is invoiced in part, Bridge ahead of its work; an invoice is overdue, by the day of the load, which is 31 December 2025. */
const data = {
  settings: { currency: 'EUR' },
  clients: [{ client_id: 7, name: 'Acme' }],
  people: [{ people_id: 1, name: 'Ada', default_hourly_rate: '100' }],
  projects: [
    { project_id: 1, name: 'Bridge', client_id: 7, start_date: '2026-01-05', end_date: '2026-12-18' },
    { project_id: 2, name: 'Tower', client_id: 7 },
    { project_id: 3, name: 'Settled', client_id: 7 },
  ],
  logged_time: [
    logged('1', 1, '2026-06-01', 5),
    logged('2', 2, '2026-02-02', 8),
    logged('3', 2, '2026-05-04', 4),
    logged('4', 2, '2026-06-10', 3),
    logged('5', 3, '2026-06-10', 1),
    logged('6', 2, '2025-11-20', 1),
  ],
  invoices: [
    {
      ...{ invoice_id: 3, number: 'R-0', issue_date: '2025-11-30', due_date: '2025-12-20' },
      lines: [{ invoice_line_id: 4, project_id: 2, amount: '100', covers: [{ logged_time_id: '6' }] }],
    },
    {
      ...{ invoice_id: 1, number: 'R-1', issue_date: '2026-05-05' },
      lines: [
        { invoice_line_id: 1, project_id: 2, amount: '400', covers: [{ logged_time_id: '3' }] },
        { invoice_line_id: 2, project_id: 1, amount: '700' },
      ],
    },
    {
      ...{ invoice_id: 2, issue_date: '2026-06-10', paid_date: '2026-06-12' },
      lines: [{ invoice_line_id: 3, project_id: 3, amount: '100', covers: [{ logged_time_id: '5' }] }],
    },
  ],
};

it('gives rows of projects what is to bill of each, and nothing before that has come', () => {
  const rows = [{ project_id: 1 }, { project_id: 9 }, { project_id: null }];
  const meta = { report: 'projects' };
  const answer = {
    projects: [{ project_id: 1, position: '5.00' }],
    totals: { project_id: null, position: '7.00' },
    meta,
  };
  expect(withPositions(rows, undefined)).toBe(rows);
  expect(withPositions(rows, answer as never).map(({ position }) => position)).toEqual(['5.00', null, '7.00']);
});

describe('a company with bills', { tags: ['slow'] }, () => {
  const opened = openServer({ data });
  const readRows = (selector: string) =>
    opened.tab.page
      .locator(selector)
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')));

  it('shows what is to bill by client, contract and age, and each number opens its lines', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/');
    await page.getByRole('link', { name: 'To bill', exact: true }).click();
    await page.locator('.headline').waitFor();
    await opened.tab.settle();
    expect(await page.locator('.headline').textContent()).toBe('900.00 EUR to bill, less what is billed ahead');
    expect(await page.locator('.window').textContent()).toBe('Whole life ');
    expect(await page.locator('.badge').first().textContent()).toBe('1 invoice is overdue, 100.00 EUR');
    // To bill, unbilled work and its ages, earned, invoiced, written off.
    expect((await readRows('section:nth-of-type(2) tbody tr')).map((row) => row.join(' | '))).toEqual([
      'Tower | Acme | 1,100.00 | 1,100.00 | 300.00 | 0.00 | 0.00 | 800.00 | 1,600.00 | 500.00 | 0.00',
      'Bridge | Acme | −200.00 | 500.00 | 500.00 | 0.00 | 0.00 | 0.00 | 500.00 | 700.00 | 0.00',
    ]);
    expect(await page.locator('section:nth-of-type(2) caption').textContent()).toBe(
      '2 contracts, and 1 where nothing is open',
    );
    await page.getByRole('link', { name: '800.00', exact: true }).last().click();
    await expect
      .poll(() => page.locator('dialog .sum').textContent())
      .toContain('1 line; their contributions add up to 800.00 EUR');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await expect.poll(async () => (await readRows('section:nth-of-type(2) tbody tr')).length).toBe(3);
  });

  it('leads to a client that has no lines in the window, whose screen keeps no other title', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?screen=to-bill&start_date=2026-06-11&end_date=2026-06-12&cutoff_date=2026-06-12');
    await page.getByRole('link', { name: 'Acme' }).first().click();
    await opened.tab.settle();
    await expect.poll(() => page.title()).toBe('Plumbline');
  });

  it('says on a project what is to bill, which opens earning and billing lines', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?screen=project&project_id=1');
    const sentence = page.locator('.bills');
    await expect
      .poll(() => sentence.textContent())
      .toBe('earned 500.00, invoiced 700.00, to bill −200.00 EUR. It is billed ahead of the work.');
    await sentence.getByRole('link').last().click();
    await expect
      .poll(() => page.locator('dialog .sum').textContent())
      .toContain('2 lines; their contributions add up to −200.00 EUR');
    await page.locator('dialog tbody').getByRole('link', { name: '5 May 2026' }).click();
    await expect.poll(() => page.locator('dialog').textContent()).toContain('A line of an invoice stands on the date');
  });

  it('sorts the portfolio by what is to bill', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?start_date=2026-06-01&end_date=2026-06-30');
    await page.getByRole('link', { name: /^To bill EUR/ }).click();
    const names = async () => (await readRows('table.months tbody tr')).map(([name]) => name?.slice(0, 5));
    await expect.poll(names).toEqual(['Tower', 'Settl', 'Bridg']);
    await page.getByRole('link', { name: /^To bill EUR/ }).click();
    await expect.poll(names).toEqual(['Bridg', 'Settl', 'Tower']);
  });
});

describe('a company without bills', { tags: ['slow'] }, () => {
  const opened = openServer({ data: { ...data, invoices: [] } });

  it('has no screen for them, no sentence and no column (M6)', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?sort=-position');
    expect(await page.locator('nav[aria-label="Screens"]').textContent()).not.toContain('To bill');
    expect(await page.locator('table.months thead').textContent()).not.toContain('To bill');
    await opened.tab.open('/?screen=project&project_id=1');
    expect(await page.locator('.bills').count()).toBe(0);
    await opened.tab.open('/?screen=to-bill');
    expect(await page.locator('main').textContent()).toContain('no invoices and no write-offs');
  });
});
