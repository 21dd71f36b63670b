import { expect, it } from 'vitest';
import { judgeIn } from '../../page/data/judgment.ts';
import { loadCatalogue } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import { columnsOf } from '../../src/numbers/report/describe/offered-columns.ts';

const catalogue = loadCatalogue('reports');
const report = catalogue.reports.get('projects');
const columns = report ? columnsOf(catalogue, report) : [];

/** Judges a variance of the report, as the page gets its column. */
function judged(name: string, row: Record<string, string>, whole?: Record<string, string>) {
  const { better, unjudged } = columns.find((column) => column.name === name) ?? {};
  const column = { name, ...(better && { better }), ...(unjudged && { unjudged }) };
  const { letter, because } = judgeIn(row, column, whole);
  return because ?? letter;
}

const spent = { budget_unit: 'EUR', budget_remaining: '-0.01' };
const [unpaid, unlogged] = ['fees beyond a budget may never be paid', 'nothing was logged'];

it.each([
  ['variance_fees', '10.00', spent, unpaid],
  ['variance_fees_percent', '31.00', spent, unpaid],
  ['variance_revenue', '10.00', spent, 'F'],
  ['variance_fees', '-10.00', spent, 'U'],
  ['variance_fees', '10.00', { ...spent, budget_unit: 'hours' }, 'F'],
  ['variance_fees', '10.00', { ...spent, budget_remaining: '0.00' }, 'F'],
  ['variance_fees', '10.00', {}, 'F'],
  ['variance_cost', '-10.00', { actual_cost: '0.00' }, unlogged],
  ['variance_cost_percent', '-100.00', { actual_cost: '0.00' }, unlogged],
  ['variance_cost', '-10.00', { actual_cost: '0.01' }, 'F'],
  ['variance_cost', '-10.00', {}, 'F'],
  ['variance_hours', '10.00', {}, undefined],
])('judges %s of %s in a row with %j: %s', (name, value, facts, expected) => {
  expect(judged(name, { [name]: value, ...facts })).toBe(expected);
  expect(judged(name, { [name]: value }, facts), 'by the facts of its project').toBe(expected);
});
