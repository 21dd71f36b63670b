import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRetainers, PERIODS } from '../../oracle/random-retainers.ts';
import {
  earnRetainer,
  type Grid,
  lotsOf,
  type Retainer,
  type Use,
  type Walk,
  walkLots,
} from '../../oracle/retainers.ts';
import { type Company, openCompany, type Row } from '../../sql/company.ts';

/** The retainers of a company, and the number of those of all companies. */
const OF_COMPANY = 250;
const RETAINERS = Number(process.env['PLUMBLINE_RETAINERS'] ?? 1000);

const first = Number(process.env['PLUMBLINE_SEED'] ?? 1);

/** The last day of the year after next. */
const horizon = `${new Date().getUTCFullYear() + 2}-12-31`;

/** Returns a decimal as a whole number of units. */
function unitsOf(value: unknown, digits: number): bigint {
  const [whole = '', fraction = ''] = String(value ?? 0).split('.');
  return BigInt(`${whole}${fraction.padEnd(digits, '0')}`);
}

interface Line extends Use {
  readonly row: Row;
}

const seeds = Array.from({ length: Math.ceil(RETAINERS / OF_COMPANY) }, (_, index) => first + index);

describe.each(seeds)('PLUMBLINE_SEED=%i', (seed) => {
  const { retainers, records } = makeRetainers(seed, OF_COMPANY);
  let company: Company;
  let walks: ReadonlyMap<Retainer, Walk & { readonly uses: readonly Line[] }>;
  const grid: Grid = { ...PERIODS, horizon };

  beforeAll(async () => {
    company = await openCompany(records);
    const lines = await readLines();
    walks = new Map(
      retainers.map((retainer) => {
        const lots = lotsOf(retainer, grid);
        const counted = (lines.get(retainer.id) ?? []).filter(
          ({ row, date }) =>
            (retainer.counts === 'all' || row['billable'] === true) &&
            lots.some((lot) => lot.first <= date && date <= lot.last),
        );
        const uses = counted.map(({ date, row }) => ({
          ...{ date, row },
          units: retainer.unit === 'hours' ? unitsOf(row['hours'], 6) : unitsOf(row['fee'], 2),
        }));
        return [retainer, { ...walkLots(retainer, lots, uses), uses }];
      }),
    );
  });
  afterAll(() => company.close());

  /** Reads the work that counts, by project. */
  async function readLines(): Promise<Map<number, Line[]>> {
    const rows = await company.rows(`
      SELECT lines.project_id, lines.line_id, CAST(lines.date AS VARCHAR) AS date, lines.hours, lines.fee, lines.billable
      FROM core.lines AS lines CROSS JOIN marts.default_cutoff
      WHERE kind = 'actual' AND date <= cutoff_date OR kind = 'scheduled' AND date > cutoff_date
      ORDER BY date, line_id`);
    const lines = new Map<number, Line[]>();
    for (const row of rows) {
      const project = Number(row['project_id']);
      lines.set(project, [...(lines.get(project) ?? []), { row, date: String(row['date']), units: 0n }]);
    }
    return lines;
  }

  it('has the allowances of an independent walk, and so its balance on each day', async () => {
    const expected = new Map<string, bigint>();
    const add = (id: string, units: bigint) => expected.set(id, (expected.get(id) ?? 0n) + units);
    for (const [{ id }, { lots, takes, lapses }] of walks) {
      for (const lot of lots) add(`r:${id}:${lot.first}:${lot.first}:open`, lot.amount);
      for (const { use, lot, units } of takes) add(`r:${id}:${lot.first}:${use.date}:use`, -units);
      // Lapses of periods to come, beyond those that are known, have no row yet.
      const last = lots.at(-1)?.last ?? '';
      for (const [lot, rest] of lapses)
        if ((lot.lapse ?? '') <= last) add(`r:${id}:${lot.first}:${lot.lapse}:lapse`, -rest);
    }
    const unitOf = new Map(retainers.map(({ id, unit }) => [id, unit]));
    const rows = await company.rows('SELECT allowance_id, retainer_id, amount FROM marts.allowances');
    const found = rows.map((row) => [
      row['allowance_id'],
      String(unitsOf(row['amount'], unitOf.get(Number(row['retainer_id'])) === 'hours' ? 6 : 2)),
    ]);
    const sorted = (pairs: readonly (readonly unknown[])[]) => pairs.map((pair) => pair.join(' ')).sort();
    expect(sorted(found)).toEqual(sorted([...expected].map(([id, units]) => [id, String(units)])));
  });

  it('earns what the walk does, with each line and beside them', async () => {
    const expected: string[] = [];
    for (const [retainer, walk] of walks) {
      const rowOf = (use: Use) => (use as Line).row;
      const revenue = earnRetainer(retainer, walk, walk.uses, (use) => unitsOf(rowOf(use)['fee'], 2));
      for (const [use, earned] of revenue.earned)
        if (use.units > 0n) expected.push(`${rowOf(use)['line_id']} ${earned} ${revenue.beyond.get(use) ?? 0n}`);
      const last = walk.lots.at(-1)?.last ?? '';
      for (const [day, units] of revenue.days)
        if (units !== 0n && day <= last) expected.push(`f:r${retainer.id}:${day} ${units} 0`);
    }
    const rows = await company.rows(`
      SELECT agreed_fees.line_id, earned_fee, fee_beyond FROM marts.agreed_fees
      LEFT JOIN core.lines ON lines.line_id = agreed_fees.line_id
      LEFT JOIN staging.retainers ON retainers.retainer_id = agreed_fees.retainer_id
      WHERE agreed_fees.kind = 'revenue'
        OR (billable OR counts = 'all') AND CASE unit WHEN 'hours' THEN lines.hours ELSE lines.fee END > 0`);
    const found = rows.map(
      (row) => `${row['line_id']} ${unitsOf(row['earned_fee'], 2)} ${unitsOf(row['fee_beyond'], 2)}`,
    );
    expect(found.sort()).toEqual(expected.sort());
  });

  it.each(['none', 'week', 'month', 'quarter'])(
    'has the sums of these allowances in its measures, by interval %s',
    async (interval) => {
      const [known] = await company.rows(
        'SELECT CAST(cutoff_date AS VARCHAR) AS cutoff_date FROM marts.default_cutoff',
      );
      const cutoff = String(known?.['cutoff_date']);
      const moves = new Map<number, { readonly date: string; readonly kind: string; readonly units: bigint }[]>();
      for (const row of await company.rows(
        'SELECT project_id, CAST(date AS VARCHAR) AS date, kind, amount FROM marts.allowances',
      )) {
        const project = Number(row['project_id']);
        const move = { date: String(row['date']), kind: String(row['kind']), units: unitsOf(row['amount'], 6) };
        moves.set(project, [...(moves.get(project) ?? []), move]);
      }
      for (const [{ id, unit }, { beyond }] of walks)
        for (const [{ date }, units] of beyond)
          moves.get(id)?.push({ date, kind: 'beyond', units: unit === 'hours' ? units : units * 10_000n });
      const window = { start_date: '2024-02-10', end_date: '2026-12-31' };
      const measures = ['opened', 'rolled', 'used', 'lapsed', 'balance', 'beyond'].map((name) => `retainer_${name}`);
      const forecasts = ['used', 'balance', 'beyond'].map((name) => `forecast_retainer_${name}`);
      const days = interval === 'none' ? [] : ['period_start', 'period_end'];
      const { rows } = await company.report('projects', {
        ...window,
        ...(interval === 'none' ? {} : { interval }),
        fields: ['project_id', ...days, ...measures, ...forecasts].join(','),
      });
      const found: string[] = [];
      const expected: string[] = [];
      for (const row of rows) {
        const all = moves.get(Number(row['project_id'])) ?? [];
        if (row['forecast_retainer_balance'] === null) continue;
        const [first, last] = [
          String(row['period_start'] ?? window.start_date),
          String(row['period_end'] ?? window.end_date),
        ];
        const [until = ''] = [last, cutoff].toSorted();
        const sum = (isMeant: (move: (typeof all)[number]) => boolean) =>
          all.filter(isMeant).reduce((total, { units }) => total + units, 0n);
        const within = (kind: string, end: string) =>
          sum((move) => move.kind === kind && first <= move.date && move.date <= end);
        const upTo = (end: string) => sum((move) => move.kind !== 'beyond' && move.date <= end);
        const before = sum((move) => move.kind !== 'beyond' && move.date < first);
        const toDate = [
          ...[within('open', until), before, -within('use', until), -within('lapse', until)],
          ...[upTo(until), within('beyond', until)],
        ].map((units) => (first <= cutoff ? String(units) : 'blank'));
        const later = [-within('use', last), upTo(last), within('beyond', last)].map(String);
        expected.push([row['project_id'], first, ...toDate, ...later].join(' '));
        const shown = [...measures, ...forecasts].map((name) =>
          row[name] === null ? 'blank' : String(unitsOf(row[name], 6)),
        );
        found.push([row['project_id'], first, ...shown].join(' '));
      }
      expect(found.length).toBeGreaterThan(100);
      expect(found).toEqual(expected);
    },
  );

  it.each(['project', 'project,month', 'project,week', 'project,person', 'client'])(
    'adds up to the same revenue by %s',
    async (group_by) => {
      const [window] = await company.rows(
        "SELECT CAST(MIN(date) AS VARCHAR) AS start_date, '2027-06-15' AS end_date FROM core.lines",
      );
      const parameters = {
        ...(window as Record<string, string>),
        measures: 'actual_revenue,forecast_revenue,fees_beyond_budget',
      };
      const { totals } = await company.report('pivot', { ...parameters, group_by });
      const [sums] = await company.rows(`
        WITH lines AS (
          SELECT date, line_id, fee AS earned_fee, 0 AS fee_beyond FROM core.lines CROSS JOIN marts.default_cutoff
          WHERE line_id NOT IN (SELECT line_id FROM marts.agreed_fees)
            AND CASE kind WHEN 'actual' THEN date <= cutoff_date WHEN 'scheduled' THEN date > cutoff_date ELSE TRUE END
          UNION ALL SELECT date, line_id, earned_fee, fee_beyond FROM marts.agreed_fees
        )
        SELECT SUM(CASE WHEN date <= cutoff_date THEN earned_fee END) AS actual_revenue, SUM(earned_fee) AS forecast_revenue,
          SUM(CASE WHEN date <= cutoff_date THEN fee_beyond END) AS fees_beyond_budget
        FROM lines CROSS JOIN marts.default_cutoff WHERE date BETWEEN '${window?.['start_date']}' AND '2027-06-15'`);
      expect(totals).toMatchObject(sums ?? {});
    },
  );
});
