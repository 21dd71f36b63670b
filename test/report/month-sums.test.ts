import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { compileSummary } from '../../src/numbers/report/plan/compile-summary.ts';
import { planSummary } from '../../src/numbers/report/plan/plan-summary.ts';
import { regroup } from '../../src/numbers/report/request/change-query.ts';
import { parseReportRequest } from '../../src/numbers/report/request/number.ts';
import { querySqlOf } from '../../src/numbers/report/source/query-sql.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { BUNDLED, buildDataset, LOADED } from '../sql/company.ts';

let database: Database;
beforeAll(async () => {
  database = await buildDataset(BUNDLED, LOADED);
});
afterAll(() => database.close());

const TODAY = '2026-02-11';

/** Returns the statement of a pivot with sums of months where it may have them, and with lines alone. */
async function compile(sent: Readonly<Record<string, string>>, alias?: string) {
  const company = await readCompany(database);
  const asked = parseReportRequest(readCatalogues(), 'pivot', sent, { today: TODAY, company });
  const { measures } = asked.grouping;
  // Measures of future hours are shown as other names of columns alone.
  const more = readCatalogues().full.measures.get(alias ?? '') ?? [];
  const query = regroup(asked, { measures: measures.concat(more) });
  return {
    summed: compileSummary(planSummary(query, company)).sql,
    byLine: compileSummary(planSummary(query, company, querySqlOf(query.selection))).sql,
  };
}

const MEASURES = [
  'scheduled_hours',
  'actual_billable_hours',
  'tentative_hours',
  'forecast_cost',
  'actual_hours_without_cost_rate',
  'scheduled_hours_without_bill_rate',
  'variance_fees',
  'expense_to_date_fees',
  'actual_margin_percent',
  'budget_used',
].join(',');

const EARNED = 'earned_revenue,forecast_earned_profit,fees_beyond_budget,forecast_fees_beyond_budget';

const WINDOWS = [
  { start_date: '2025-01-01', end_date: '2026-12-31' },
  { start_date: '2025-11-17', end_date: '2026-03-20' },
  { start_date: '2025-11-17', end_date: '2026-03-20', cutoff_date: '2026-01-31' },
  { start_date: '2025-11-30', end_date: '2026-03-01', cutoff_date: '2026-01-15' },
  { start_date: '2025-12-01', end_date: '2026-02-28', cutoff_date: '2025-11-30' },
];

const GROUPINGS = ['project', 'client,month', 'tag', 'phase,quarter', 'task', 'project_status,billable', 'year'];

describe.each(WINDOWS)('sums of whole months in %o', { tags: ['slow'] }, (window) => {
  it.each(GROUPINGS)('are those of the lines by %s', async (group_by) => {
    const { summed, byLine } = await compile({ ...window, group_by, measures: MEASURES });
    expect(summed).toContain('core.ledger_months WHERE month >=');
    expect(byLine).not.toContain('core.ledger_months WHERE month >=');
    const rows = await database.rows(summed);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows).toEqual(await database.rows(byLine));
  });

  it.each(['project', 'client,month', 'tag', 'project_manager,quarter', 'phase', 'year'])(
    'earn of agreed fees what their lines earn by %s',
    async (group_by) => {
      // Rows by phase need the place of each line among those of its project's fee, and so does a plan of which only some is asked.
      for (const [sent, readsLines] of [
        [{}, true],
        [{ status: 'draft,tentative,confirmed,completed' }, group_by === 'phase'],
      ] as const) {
        const { summed, byLine } = await compile({ ...window, ...sent, group_by, measures: EARNED });
        expect(summed).toContain('core.ledger_months WHERE month >=');
        // Work with a retainer is read by line in any case, once, and all of it again in the part of whole lives that statements share.
        const parts = group_by === 'phase' ? 1 : 2;
        expect(summed.split('core.lines').length - 1).toBe(parts * (readsLines ? 2 : 1));
        expect(await database.rows(summed)).toEqual(await database.rows(byLine));
      }
    },
  );

  it('are those of the lines with filters and future hours', async () => {
    const filters = { client_id: '201,203,none', tag: 'mobile,none', billable: '1', status: 'confirmed' };
    const sent = { ...window, group_by: 'project', measures: 'scheduled_hours,actual_hours', ...filters };
    const { summed, byLine } = await compile(sent, 'future_scheduled_hours');
    expect(summed).toContain('is_future');
    expect(summed).toContain('core.ledger_months WHERE month >=');
    expect(await database.rows(summed)).toEqual(await database.rows(byLine));
  });
});

it.each([
  ['people', { group_by: 'person', measures: 'actual_hours' }],
  ['weeks', { group_by: 'week', measures: 'actual_hours' }],
  ['the role of a line', { group_by: 'role', measures: 'actual_hours' }],
  ['a filter by person', { group_by: 'project', measures: 'actual_hours', department_id: '1' }],
  ['capacity', { group_by: 'project', measures: 'capacity_hours' }],
  ['days of people', { group_by: 'project', measures: 'unlogged_hours' }],
  ['a part of a month', { group_by: 'project', measures: 'actual_hours', end_date: '2026-01-30' }],
])('%s are read by line', async (_, sent) => {
  const { summed } = await compile({ start_date: '2026-01-01', end_date: '2026-03-31', ...sent });
  expect(summed).not.toContain('core.ledger_months WHERE month >=');
});
