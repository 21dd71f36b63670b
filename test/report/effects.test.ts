import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Value } from '../../src/database/database.ts';
import { readWorkbook } from '../reports.ts';
import { buildCompany, catalogue, loadBundled } from '../sql/company.ts';

const now = new Date('2026-06-15T12:00:00Z');
const [ANA, BEN, CY] = [1, 2, 3];
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-09', cutoff_date: '2026-01-08' };

type Row = Record<string, Value>;

/** Reads the profit bridge of a workbook: its rows and its totals by column. */
async function readBridge(
  database: Database,
  sent: Record<string, string>,
  report = 'projects',
): Promise<{ rows: Row[]; totals: Row } | undefined> {
  const { sheets } = await readWorkbook(database, catalogue, report, sent, { now });
  const sheet = sheets.find(({ role }) => role === 'bridge');
  if (!sheet) return undefined;
  const { table } = await sheet.open();
  const toRow = (values: readonly Value[]) =>
    Object.fromEntries(table.columns.map(({ name }, i) => [name, values[i] ?? null]));
  const rows: Row[] = [];
  for await (const chunk of table.rows) rows.push(...chunk.map(toRow));
  return { rows, totals: toRow(table.totals ?? []) };
}

const plain = (value: Value | undefined) => new Decimal(String(value)).toFixed(2);
const bridgeOf = (row: Row | undefined) =>
  ['scheduled_to_date_profit', 'hours_effect', 'rate_effect', 'unpriced_effect', 'actual_profit'].map((name) =>
    plain(row?.[name]),
  );

describe('the effects that lead from scheduled to actual profit', () => {
  const work = (id: number, people_id: number, project_id: number, hours: number, more: object = {}) => [
    { task_id: id, people_id, project_id, start_date: '2026-01-05', end_date: '2026-01-05', hours, ...more },
  ];
  const logged = (id: string, people_id: number, project_id: number, hours: number, more: object = {}) => [
    { logged_time_id: id, people_id, project_id, date: '2026-01-06', hours, ...more },
  ];
  let database: Database;
  beforeAll(async () => {
    database = await buildCompany({
      people: [
        { people_id: ANA, name: 'Ana', cost_rate: '60', default_hourly_rate: '100' },
        { people_id: BEN, name: 'Ben', cost_rate: '50', default_hourly_rate: '80' },
        { people_id: CY, name: 'Cy', default_hourly_rate: '90' },
      ],
      projects: [1, 2, 3, 4, 5].map((project_id) => ({ project_id, name: `Project ${project_id}` })),
      tasks: [
        // Ana's profit is 40 an hour, Ben's is 30.
        ...work(1, ANA, 1, 8),
        ...work(2, BEN, 1, 8),
        ...work(3, ANA, 2, 3),
        ...work(4, ANA, 4, 4),
        ...work(5, CY, 5, 2),
      ],
      logged_time: [
        ...logged('a', ANA, 1, 10),
        ...logged('b', BEN, 1, 6),
        ...logged('c', ANA, 2, 2, { billable: 0 }),
        ...logged('d', BEN, 3, 5),
        ...logged('e', CY, 5, 3),
        // After the cutoff.
        { logged_time_id: 'f', people_id: ANA, project_id: 1, date: '2026-01-09', hours: 8 },
      ],
      project_expenses: [
        {
          project_expense_id: 1,
          project_id: 1,
          date: '2026-01-07',
          cost: '25',
          billable: 1,
          markup: '10',
          markup_type: 1,
        },
      ],
    });
  });
  afterAll(() => database.close());

  it('are computed person by person on each project', async () => {
    const { rows = [], totals } = (await readBridge(database, WINDOW)) ?? {};
    expect(rows.map((row) => [row['name'], ...bridgeOf(row)])).toEqual([
      // The expense of 10 is in both profits. Ana: +2 h x 40; Ben: -2 h x 30.
      ['Project 1', '570.00', '20.00', '0.00', '0.00', '590.00'],
      // One hour less x 40; the other two bring nothing and cost 60 each.
      ['Project 2', '120.00', '-40.00', '-200.00', '0.00', '-120.00'],
      ['Project 3', '0.00', '150.00', '0.00', '0.00', '150.00'],
      ['Project 4', '160.00', '-160.00', '0.00', '0.00', '0.00'],
      // Cy's cost is unknown: 3 h x 90 of fees instead of 2 h x 90.
      ['Project 5', '180.00', '0.00', '0.00', '90.00', '270.00'],
    ]);
    expect(bridgeOf(totals)).toEqual(['1030.00', '-30.00', '-200.00', '90.00', '890.00']);
  });

  it('are 0 in a row without work up to the cutoff', async () => {
    const { rows = [], totals } = (await readBridge(database, { ...WINDOW, cutoff_date: '2026-01-04' })) ?? {};
    for (const row of [...rows, totals]) expect(bridgeOf(row)).toEqual(['0.00', '0.00', '0.00', '0.00', '0.00']);
    expect(rows).not.toHaveLength(0);
  });

  it('follow the filters, and are in every workbook that shows profit', { tags: ['slow'] }, async () => {
    const filtered = await readBridge(database, { ...WINDOW, people_id: String(BEN) }, 'phases');
    expect(filtered?.rows.map((row) => row['name'])).toEqual(['Project 1', 'Project 3']);
    expect(bridgeOf(filtered?.totals)).toEqual(['240.00', '90.00', '0.00', '0.00', '330.00']);
    expect(await readBridge(database, WINDOW, 'people'), 'people have no profit').toBeUndefined();
  });
});

describe('the bridge of the bundled company', () => {
  const window = { start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };
  let database: Database;
  let remove: () => void;
  beforeAll(async () => {
    const loaded = await loadBundled();
    database = await openDatabase(loaded.file, { readOnly: true });
    remove = loaded.remove;
  });
  afterAll(async () => {
    await database.close();
    remove();
  });

  it('adds up exactly in each project, and equals a sum over the lines, one by one', { tags: ['slow'] }, async () => {
    const { rows = [] } = (await readBridge(database, window)) ?? {};
    const expected = effectsByProject(
      await database.rows<LedgerLine>(`SELECT kind, people_id, project_id, status, hours, cost, fee FROM core.ledger
WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-05-31' AND kind <> 'expense'`),
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      const [planned, hours, rate, unpriced, actual] = bridgeOf(row).map((text) => new Decimal(text));
      const sum = planned
        ?.plus(hours ?? 0)
        .plus(rate ?? 0)
        .plus(unpriced ?? 0);
      expect(sum?.toFixed(2), String(row['name'])).toBe(actual?.toFixed(2));
      const [ofHours, ofRate, ofUnpriced] = expected.get(Number(row['project_id'])) ?? [];
      expect(
        [hours, rate, unpriced].map((each) => each?.toFixed(2)),
        String(row['name']),
      ).toEqual([ofHours, ofRate, ofUnpriced].map((each) => (each ?? new Decimal(0)).toFixed(2)));
    }
  });
});

interface LedgerLine {
  readonly kind: string;
  readonly people_id: number | null;
  readonly project_id: number;
  readonly status: string;
  readonly hours: string;
  readonly cost: string | null;
  readonly fee: string | null;
}

/** Computes the effects of each project line by line, without SQL. */
function effectsByProject(lines: readonly LedgerLine[]): Map<number, [Decimal, Decimal, Decimal]> {
  const cells = new Map<string, Record<'h0' | 'p0' | 'h1' | 'p1' | 'unpriced', Decimal> & { project: number }>();
  for (const { kind, people_id, project_id, status, hours, cost, fee } of lines) {
    if (kind === 'scheduled' && !['confirmed', 'completed'].includes(status)) continue;
    const key = `${people_id} ${project_id}`;
    const zero = new Decimal(0);
    const cell = cells.get(key) ?? {
      h0: zero,
      p0: zero,
      h1: zero,
      p1: zero,
      unpriced: zero,
      project: Number(project_id),
    };
    const profit = new Decimal(fee ?? 0).minus(cost ?? 0);
    if (cost === null || fee === null) {
      cell.unpriced = kind === 'actual' ? cell.unpriced.plus(profit) : cell.unpriced.minus(profit);
    } else if (kind === 'actual') {
      cell.h1 = cell.h1.plus(hours);
      cell.p1 = cell.p1.plus(profit);
    } else {
      cell.h0 = cell.h0.plus(hours);
      cell.p0 = cell.p0.plus(profit);
    }
    cells.set(key, cell);
  }
  const projects = new Map<number, [Decimal, Decimal, Decimal]>();
  for (const { h0, p0, h1, p1, unpriced, project } of cells.values()) {
    const ofHours = h0.isZero() ? p1 : p0.times(h1.minus(h0)).div(h0).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
    const before = projects.get(project) ?? [new Decimal(0), new Decimal(0), new Decimal(0)];
    projects.set(project, [
      before[0].plus(ofHours),
      before[1].plus(p1.minus(p0).minus(ofHours)),
      before[2].plus(unpriced),
    ]);
  }
  return projects;
}
