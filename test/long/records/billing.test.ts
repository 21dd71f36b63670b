import { describe, expect, it } from 'vitest';
import { balancesOf } from '../../oracle/billing.ts';
import { earnedOf, makeBilledCompany } from '../../oracle/random-billing.ts';
import { buildCompany, companyOf } from '../../sql/company.ts';

/** The number of random companies. */
const COMPANIES = Number(process.env['PLUMBLINE_BILLED'] ?? 30);

const first = Number(process.env['PLUMBLINE_SEED'] ?? 1);
const seeds = Array.from({ length: COMPANIES }, (_, index) => first + index);

/** Windows, one of which cuts a month, and one of which ends after the cutoff. */
const WINDOWS = [
  { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-06-30' },
  { start_date: '2026-02-10', end_date: '2026-05-14', cutoff_date: '2026-06-30' },
  { start_date: '2026-04-01', end_date: '2026-06-30', cutoff_date: '2026-06-12' },
] as const;

const MEASURES = [
  ...['position', 'unbilled_fees', 'unbilled_0_30', 'unbilled_31_60', 'unbilled_61_90', 'unbilled_over_90'],
  ...['billing_difference', 'changed_after_billing', 'covered_fees', 'decided_fees'],
];

/** The measures of a row of contracts whose lines add up to it. */
const OPENED = ['opening_position', ...MEASURES.slice(0, 6)];

const cents = (value: unknown) => {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(String(value)) ?? [];
  const size = BigInt(`${whole}${part.padEnd(2, '0')}`);
  return sign === '-' ? -size : size;
};

const euros = (amounts: readonly bigint[]) => amounts.map((each) => Number(each) / 100).join(' ');

describe.each(seeds)('PLUMBLINE_SEED=%i', (seed) => {
  it('bills as the rules say, on every day, and every row adds up', async () => {
    const made = makeBilledCompany(seed);
    const company = companyOf(await buildCompany(made.records, new Date('2026-07-01T12:00:00Z')));
    try {
      for (const window of WINDOWS) {
        const [day = ''] = [window.end_date, window.cutoff_date].toSorted();
        const expected = new Map(
          made.projects.map((project) => [
            project.id,
            balancesOf(project.id, day, earnedOf(project, day, made.items), made),
          ]),
        );
        const asked = { ...window, group_by: 'project', measures: MEASURES.join(',') };
        const { rows, totals } = await company.report('pivot', asked);
        const told = new Map(rows.map((row) => [Number(row['project_id']), row]));
        const sums = MEASURES.map(() => 0n);
        for (const [id, balances] of expected) {
          const { position, unbilled, ages, difference, changed, covered, decided, withoutCovers } = balances;
          const values = [position, unbilled, ...ages, difference, changed, covered, decided];
          for (const [index, value] of values.entries()) sums[index] = (sums[index] ?? 0n) + value;
          const row = told.get(id);
          const got = MEASURES.map((name) => cents(row?.[name] ?? 0));
          expect(`${id} ${day} ${euros(got)}`).toBe(`${id} ${day} ${euros(values)}`);
          const { contract } = made.projects.find((project) => project.id === id) ?? {};
          if (contract === 'time') expect(position).toBe(unbilled + difference + changed - withoutCovers);
        }
        expect(euros(MEASURES.map((name) => cents(totals[name])))).toBe(euros(sums));
        const contracts = new Map<string, bigint>();
        for (const { id, contractId } of made.projects) {
          const key = contractId === null ? String(id) : `c:${contractId}`;
          contracts.set(key, (contracts.get(key) ?? 0n) + (expected.get(id)?.position ?? 0n));
        }
        const above = [...contracts.values()].reduce((total, each) => total + (each > 0n ? each : 0n), 0n);
        const below = [...contracts.values()].reduce((total, each) => total + (each < 0n ? -each : 0n), 0n);
        const report = await company.report('contracts', { ...window, links: '1' });
        expect(euros([cents(report.totals['contract_asset']), cents(report.totals['contract_liability'])])).toBe(
          euros([above, below]),
        );
        for (const row of report.rows) {
          expect(String(cents(row['position']))).toBe(String(contracts.get(String(row['contract'])) ?? 0n));
          const closing =
            cents(row['opening_position']) +
            cents(row['actual_revenue']) -
            cents(row['invoiced']) -
            cents(row['written_off']);
          expect(String(closing)).toBe(String(cents(row['position'])));
          const query = Object.fromEntries(new URLSearchParams(String(row['_lines']).split('?')[1]));
          for (const measure of OPENED) {
            const lines = await company.report('lines', { ...query, measure });
            expect(`${measure} ${cents(lines.totals['contribution'])}`).toBe(`${measure} ${cents(row[measure])}`);
          }
        }
      }
    } finally {
      await company.close();
    }
  }, 120_000);
});
