import { expect, it } from 'vitest';
import { ALL_SCREENS, openFolds, settleDrawer } from '../../page/all-screens.ts';
import { WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';
import { findLongSentences, findUnopened } from '../../page/unopened-numbers.ts';
import { takePart } from '../../seed.ts';

/** Screens in other forms, and with things that have expenses, budgets in hours and a plan after the cutoff. */
const FORMS = [
  ...['portfolio&compare=year_before', 'portfolio&show=at_risk', 'people&group=role&show=utilization_percent'],
  'timesheets&compare=year_before',
  ...[
    'project&project_id=509&by=revenue',
    'project&project_id=510',
    'explore&group_by=month&measures=variance_cost,actual_margin_percent',
  ],
];

/** Numbers of every kind, and what else the drawer shows. */
const DRAWERS = [
  ...['variance_cost', 'actual_profit', 'budget_used', 'budget_forecast', 'budget_used_percent', 'expense_cost'].map(
    (measure) => `lines=${encodeURIComponent(`report=projects&measure=${measure}&project_id=509&${WINDOW}`)}`,
  ),
  ...['capacity_hours', 'unscheduled_hours', 'actual_hours_without_cost_rate'].map(
    (measure) => `lines=${encodeURIComponent(`report=people&measure=${measure}&${WINDOW}`)}`,
  ),
  ...['findings=all', 'findings=hours_without_cost_rate', 'line=s:7248:102:2026-01-02'],
];

const opened = openServer();

it.each(takePart([...ALL_SCREENS, ...FORMS]))(
  '%s has no number that opens nothing, and no sentence with more than two decimals',
  async (screen) => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
    await page.waitForLoadState('networkidle');
    await openFolds(page);
    expect(await page.locator('main a:visible').count()).toBeGreaterThan(10);
    expect(await findUnopened(page)).toEqual([]);
    expect(await findLongSentences(page)).toEqual([]);
  },
);

it.each(takePart(DRAWERS))('the drawer %s has no number that opens nothing', async (drawer) => {
  const { page } = opened.tab;
  await opened.tab.open(`/?${WINDOW}&${drawer}`);
  await settleDrawer(opened.tab);
  await page.waitForLoadState('networkidle');
  await openFolds(page);
  expect(await findUnopened(page)).toEqual([]);
});
