import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { WINDOW } from './opened-numbers.ts';
import { openServer } from './opened-server.ts';

const opened = openServer();

it.each(['portfolio', 'people', 'explore', 'quality', 'project&project_id=501'])(
  '%s shows numbers, breaks no policy, asks no other host, and has no label that says % twice',
  { tags: ['slow'] },
  async (screen) => {
    const { page, faults } = opened.tab;
    await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
    expect(await page.locator('a.figure, span.figure, a.opens').count()).toBeGreaterThan(10);
    expect(faults).toEqual([]);
    const labels = await page.locator('th, dt, label, option').allInnerTexts();
    expect(labels.length).toBeGreaterThan(10);
    expect(labels.filter((label) => label.split('%').length > 2)).toEqual([]);
  },
);

it('shows the texts of the server, with its digits', { tags: ['slow'] }, async () => {
  await opened.tab.open(`/?${WINDOW}`);
  const { totals } = (await opened.server.get(`/v3/reports/projects?${WINDOW}&decimals=string`)).json();
  const shown = await opened.tab.page.locator('dl.figures dd .figure').allTextContents();
  const headline = await opened.tab.page.locator('.headline .figure').allTextContents();
  const texts = [...headline, ...shown].map((text) => text.replaceAll(/[,+\s]/g, '').replace('−', '-'));
  const names = [
    ...['variance_cost', 'variance_cost_percent'],
    ...['scheduled_to_date_cost', 'actual_cost', 'forecast_cost', 'actual_margin_percent'],
  ];
  expect(texts).toEqual(names.map((name) => totals[name]));
});

it('leads the findings with their number, the known money and the hours without a rate by severity', async () => {
  await opened.tab.open(`/?screen=quality&${WINDOW}`);
  const { 'data-quality': findings } = (
    await opened.server.get(`/v3/reports/data-quality?start_date=2026-01-01&end_date=2026-06-30&decimals=string`)
  ).json() as { 'data-quality': Record<string, string | null>[] };
  // Hours are shown with the decimals that they have, two at least.
  const sumOf = (rows: typeof findings, column: string) => {
    const sum = Decimal.sum(...rows.map((row) => row[column] ?? 0));
    return sum.toFixed(Math.max(2, sum.decimalPlaces()));
  };
  const severities = ['error', 'warning', 'notice'].map((severity) => {
    const rows = findings.filter((row) => row['severity'] === severity);
    return `${rows.length} findingsAmount at risk ${sumOf(rows, 'amount_at_risk')} EUR`;
  });
  const unknown = [
    ['No cost rate', 'hours_without_cost_rate'],
    ['No bill rate', 'hours_without_bill_rate'],
  ].map(([words, check]) => {
    const ofKind = (resource: string) =>
      findings.filter((row) => row['check'] === check && row['resource'] === resource);
    const [logged, scheduled] = ['logged_time', 'tasks'].map((resource) => sumOf(ofKind(resource), 'hours'));
    return `${words} ${logged} h logged${words} ${scheduled} h scheduled`;
  });
  const [errors = '', ...others] = await opened.tab.page.locator('dl.figures dd').allTextContents();
  expect(errors.replaceAll(',', '')).toBe(`${severities[0]}${unknown.join('')}`);
  expect(others.map((text) => text.replaceAll(',', ''))).toEqual([
    // References to records that don't exist have hours, of which 5 are scheduled.
    expect.stringContaining(`${severities[1]}References to records that do not exist`),
    severities[2],
  ]);
});

it('groups findings by cause and person, whose numbers open their records and the way out', async () => {
  await opened.tab.open(`/?screen=quality&${WINDOW}`);
  const { page } = opened.tab;
  const path = `/v3/reports/data-quality?start_date=2026-01-01&end_date=2026-06-30&causes=1&decimals=string`;
  const { causes } = (await opened.server.get(path)).json().meta;
  const lea = causes.find(({ person }: { person: string }) => person === 'Léa Moreau');
  expect(await page.locator('tbody tr').count()).toBe(causes.length);
  const row = page.getByRole('row', { name: 'no cost rate Léa Moreau' });
  expect(await row.getByRole('link').allTextContents()).toEqual([
    lea.person,
    String(lea.findings),
    lea.hours.replace(/\B(?=(\d{3})+\.)/, ','),
  ]);
  await row.getByRole('link', { name: String(lea.findings), exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Findings' });
  await drawer.locator('table').waitFor();
  expect(await drawer.textContent()).toContain(lea.remedy);
  expect(await drawer.locator('.sum').textContent()).toContain(`${lea.findings} findings`);
  await drawer.locator('tbody a').first().click();
  await page.getByRole('dialog', { name: 'A line' }).getByRole('link', { name: '← All findings' }).click();
  await drawer.locator('table').waitFor();
});

it.each(['portfolio', 'people', 'explore', 'project&project_id=509', 'person&people_id=106'])(
  '%s: asks for nothing twice, and says which findings touch its numbers',
  { tags: ['slow'] },
  async (screen) => {
    const { page } = opened.tab;
    const asked: string[] = [];
    const note = (request: { url(): string }) => asked.push(request.url());
    page.on('request', note);
    await opened.tab.open(`/?screen=${screen}&${WINDOW}&people_id=106`);
    page.off('request', note);
    expect(asked.filter((url, index) => asked.indexOf(url) !== index)).toEqual([]);
    await page
      .locator('.badge', { hasText: 'Findings' })
      .getByRole('link', { name: /errors?/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Findings' }).locator('table').waitFor();
  },
);

it('draws a frame before its script', { tags: ['slow'] }, async () => {
  const { page } = opened.tab;
  const html = await (await page.request.get(`${opened.server.url}/`)).text();
  const body = html.slice(html.indexOf('<body>'));
  expect(body).toContain('Portfolio');
  expect(body).toContain('class="shape');
  await opened.tab.open(`/?${WINDOW}`);
  expect(await page.locator('header').count()).toBe(1);
  expect(await page.locator('main').getAttribute('aria-busy')).toBeNull();
});

it('keeps the name of a window that moves, in links and requests', { tags: ['slow'] }, async () => {
  const { page } = opened.tab;
  const asked: URL[] = [];
  const note = (request: { url(): string }) => asked.push(new URL(request.url()));
  page.on('request', note);
  await opened.tab.open('/?screen=project&project_id=501&period=2026-Q1&cutoff_date=period_end');
  page.off('request', note);
  // The name of the project is read over all days, and from a list, which depends on none; whether there are bills, on a day before all.
  const reports = asked.filter(
    ({ pathname, search }) =>
      pathname.startsWith('/v3/reports/') && !/group_by=project&|period=today&|end_date=1970-01-01&/.test(search),
  );
  const windows = reports.map(({ searchParams }) => searchParams.get('period') ?? searchParams.get('cutoff_date'));
  // The burn-up covers the whole life of the project, up to the end of the period.
  const end = (await opened.server.get('/v3/reports/projects?period=2026-Q1&fields=project_id')).json().meta.parameters;
  expect(new Set(windows)).toEqual(new Set(['2026-Q1', end.end_date]));
  expect(await page.locator('.filters .window').textContent()).toContain('2026-Q1');
  const links = await page.locator('header nav a').all();
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) expect(await link.getAttribute('href')).toContain('period=2026-Q1&cutoff_date=period_end');
});

describe('an address that is wrong', () => {
  it.each([
    ['screen=ledger', 'There is no screen "ledger"'],
    ['colour=red', 'The page has no parameter "colour"'],
    ['fields=name', 'The page has no parameter "fields"'],
    ['by=weight', 'The page compares cost, revenue, hours, and not weight'],
    ['project_id=abc', 'abc'],
    ['start_date=2026-13-01', '2026-13-01'],
    ['sort=height', 'height'],
    [`screen=explore&measures=luck&${WINDOW}`, 'luck'],
    [`screen=explore&group_by=mood&${WINDOW}`, 'mood'],
    [`screen=explore&across=mood&${WINDOW}`, 'There is no dimension "mood" to go across'],
    [`line=a:gone&${WINDOW}`, 'gone'],
    [`findings=luck&${WINDOW}`, 'No finding is called "luck"'],
    [`${WINDOW}&lines=report%3Dprojects%26measure%3Dluck`, 'The report projects has no measure "luck"'],
    [`screen=project&project_id=9999&${WINDOW}`, 'There is no project 9999'],
  ])('%s is named, with the way back', { tags: ['slow'] }, async (query, sentence) => {
    await opened.tab.open(`/?${query}`);
    const message = opened.tab.page.getByRole('alert');
    expect(await message.textContent()).toContain(sentence);
    await message.getByRole('link').click();
    await opened.tab.settle();
    expect(new URL(opened.tab.page.url()).search).toBe('');
  });

  it.each([
    ['start_date=2026-13-01&end_date=2026-12-01', '2026-13-01'],
    ['screen=people&start_date=abc&end_date=2026-12-01', 'abc'],
    ['screen=explore&start_date=2026-12-02&end_date=2026-12-01', 'end_date 2026-12-01 is before start_date 2026-12-02'],
    ['screen=project&project_id=501&end_date=2026-12-01', 'start_date'],
    ['screen=quality&period=never', 'never'],
  ])('%s leaves a window to choose', { tags: ['slow'] }, async (query, sentence) => {
    const { page, faults } = opened.tab;
    await opened.tab.open(`/?${query}`);
    expect(await page.getByRole('alert').textContent()).toContain(sentence);
    await page.locator('.window .menu > button').click();
    await page.getByRole('link', { name: 'Last quarter' }).click();
    await opened.tab.settle();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

it('leaves out a row without a name whose numbers are all zero', { tags: ['slow'] }, async () => {
  await opened.tab.open(`/?screen=client&client_id=201&${WINDOW}`);
  const named = opened.tab.page.locator('section:has(h2:text-is("People")) tbody th');
  await expect.poll(() => named.count()).toBeGreaterThan(10);
  expect(await named.allTextContents()).not.toContain('(none)');
});
