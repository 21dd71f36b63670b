import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import type { Database } from '../../src/base/database/database.ts';
import { withoutMarks } from '../../src/base/database/kept-parts.ts';
import type { Company } from '../../src/numbers/report/catalogue/company-settings.ts';
import { loadCatalogues } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import { parseReportRequest } from '../../src/numbers/report/request/number.ts';
import type { QueryOptions } from '../../src/numbers/report/request/query.ts';
import { runReport } from '../../src/numbers/report/run/run.ts';

/*
 * The statements that reports generate, for review: a change of the compiler shows here as a change of SQL.
 * They may change freely; the numbers are held by other tests.
 */

const catalogues = loadCatalogues(join(packageDirectory, 'reports'));

const COMPANY: Company = {
  name: 'Kestrel',
  currency: 'EUR',
  minorUnits: 2,
  timeZone: 'Europe/Berlin',
  weekStartsOn: 1,
  fiscalYearStartsIn: 4,
  loggedDays: [{ date: '2026-03-01', idleUntil: '2026-03-01' }],
  dataVersion: 'v',
  loadedAt: '2026-01-01 00:00:00',
  sourceUrl: null,
  syncedAt: null,
};

const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };

type Sent = Readonly<Record<string, string>>;
type Options = Omit<QueryOptions, 'today' | 'company'>;

const CASES: readonly (readonly [file: string, report: string, sent: Sent, options: Options])[] = [
  ['projects', 'projects', {}, {}],
  ['projects-without-rates', 'projects', {}, { seesRates: false }],
  ['projects-aliases', 'projects', { fields: 'name,scheduled' }, { hasAliases: true }],
  ['projects-months-expanded', 'projects', { interval: 'month', expand: 'phases', include_empty: '1' }, {}],
  ['projects-filtered', 'projects', { client_id: '1,none', tag: 'a', active: '1', status: 'tentative' }, {}],
  ['tasks', 'tasks', { task_meta_id: '0,none', billable: '0', people_tag: 'x,none' }, {}],
  [
    'people-weeks',
    'people',
    { interval: 'week', role_id: '1', cutoff_date: '2026-02-15', sort: '-actual_hours,name' },
    {},
  ],
  ['pivot-client-quarter', 'pivot', { group_by: 'client,quarter' }, {}],
  ['pivot-tag', 'pivot', { group_by: 'tag', measures: 'actual_hours,capacity_hours,actual_margin_percent' }, {}],
  ['pivot-person-day', 'pivot', { group_by: 'person,day', measures: 'scheduled_hours' }, {}],
  ['pivot-phase', 'pivot', { group_by: 'project,phase', measures: 'budget_forecast,budget_used_percent' }, {}],
  ['lines', 'lines', { billable: '1' }, {}],
  [
    'lines-limit',
    'lines',
    { limit: '10', cursor: Buffer.from('["v 2026-03-01","2026-01-05","a:1"]').toString('base64url') },
    {},
  ],
  ['lines-page', 'lines', { page: '3', 'per-page': '20', sort: '-hours' }, { seesRates: false }],
  ['lines-of-sum', 'lines', { measure: 'actual_profit', report: 'projects', project_id: '501', limit: '10' }, {}],
  ['lines-of-hours', 'lines', { measure: 'actual_hours_without_cost_rate', tag: 'a\\,b,\\none' }, { seesRates: false }],
  ['lines-of-people', 'lines', { measure: 'overtime_hours', report: 'people', active: '1', limit: '10' }, {}],
  ['lines-of-budget', 'lines', { measure: 'budget_remaining', report: 'phases', phase_id: '5011' }, {}],
  ['pivot-links', 'pivot', { group_by: 'tag,month', measures: 'actual_hours', tag: 'a', links: '1' }, {}],
  ['data-quality', 'data-quality', { project_id: '501' }, {}],
];

/** The totals of a database without rows. */
const NO_ROWS = [[[true, 0, null, null]]];

/** Returns the statements of a report in the order in which they start. */
async function readStatements(report: string, sent: Sent, options: Options, chunks = NO_ROWS): Promise<string[]> {
  const statements: string[] = [];
  const database = {
    async rows(sql: string) {
      statements.push(sql);
      return [];
    },
    async stream(sql: string) {
      statements.push(sql);
      return { chunks };
    },
  } as unknown as Database;
  // A generation of its own: what another report has read of the data isn't read again.
  const company = { ...COMPANY, loggedDays: [...COMPANY.loggedDays] };
  const query = parseReportRequest(
    catalogues,
    report,
    { ...WINDOW, ...sent },
    { today: '2026-03-01', company, ...options },
  );
  const table = await runReport({ database, company, now: new Date('2026-03-01T12:00:00Z') }, query);
  for await (const _ of table.rows);
  return statements;
}

it.each(CASES)('%s', async (file, report, sent, options) => {
  const statements = await readStatements(report, sent, options);
  expect(statements.length).toBeGreaterThan(0);
  const golden = join(packageDirectory, 'test', 'report', 'statements', `${file}.sql`);
  await expect(`${statements.map((sql) => `${withoutMarks(sql).trim()};`).join('\n\n')}\n`).toMatchFileSnapshot(golden);
});

it.each([{}, { columns: 'month' }])('rows without their totals are no answer: %o', async (sent) => {
  const read = readStatements('pivot', { group_by: 'client', ...sent }, {}, [[[false, 0, null, null]]]);
  await expect(read).rejects.toThrow('The report pivot was read without its totals');
});
