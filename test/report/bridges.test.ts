import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Value } from '../../src/base/database/database.ts';
import { type Bridge, measuresOfBridge } from '../../src/numbers/report/catalogue/bridges.ts';
import { readWorkbook } from '../reports.ts';
import { type Company, catalogue, loadBundled, openCompany, type Row, toRow } from '../sql/company.ts';

const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-16', cutoff_date: '2026-01-16' };
const YEAR = { start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };
const NOW = new Date('2026-06-15T12:00:00Z');
const [ANA, BEN, CY] = [101, 102, 103];

const bridgeOf = (bridge: Bridge, row: Row | undefined): (Value | undefined)[] =>
  measuresOfBridge(bridge)
    .filter((name) => !name.includes('hours'))
    .map((name) => row?.[name]);

describe('W5: the bridge of cost', () => {
  const plan = (task_id: number, people_id: number, project_id: number, days: number, hours: number) => ({
    task_id,
    people_id,
    project_id,
    start_date: '2026-01-05',
    end_date: `2026-01-${String(4 + days).padStart(2, '0')}`,
    hours,
  });
  const logged = (id: string, people_id: number, project_id: number, hours: number, date = '2026-01-05') => ({
    logged_time_id: id,
    people_id,
    project_id,
    date,
    hours,
  });
  let company: Company;
  beforeAll(async () => {
    company = await openCompany({
      roles: [
        { role_id: 1, name: 'Lead' },
        { role_id: 2, name: 'Builder' },
      ],
      people: [
        { people_id: ANA, name: 'Ana', role_id: 1, cost_rate: '60' },
        {
          people_id: BEN,
          name: 'Ben',
          role_id: 2,
          contracts: [
            { effective_date: '2020-01-01', role_id: 2, cost_rate: '40' },
            { effective_date: '2026-01-12', role_id: 2, cost_rate: '42' },
          ],
        },
        {
          people_id: CY,
          name: 'Cy',
          role_id: 2,
          contracts: [
            { effective_date: '2020-01-01', role_id: 2, cost_rate: '35' },
            { effective_date: '2026-01-12', role_id: 2 },
          ],
        },
      ],
      projects: [
        { project_id: 501, name: 'Harbor' },
        { project_id: 502, name: 'Mole' },
      ],
      tasks: [plan(1, ANA, 501, 5, 8), plan(2, BEN, 501, 5, 12), plan(3, ANA, 502, 5, 4), plan(4, CY, 502, 5, 6)],
      logged_time: [
        ...[1, 2, 3].map((n) => logged(`a${n}`, ANA, 501, n === 3 ? 10 : 20)),
        ...[1, 2, 3].map((n) => logged(`b${n}`, BEN, 501, 15, '2026-01-12')),
        logged('c', CY, 501, 10),
        logged('d', ANA, 502, 16),
        logged('e', CY, 502, 15),
        logged('f', CY, 502, 15),
        logged('g', CY, 502, 3, '2026-01-12'),
      ],
    });
  });
  afterAll(() => company.close());

  const read = (name: string, sent: Record<string, string>) =>
    company.report(name, { ...WINDOW, bridge: 'cost', ...sent });

  it('takes a difference apart by project, role and person', async () => {
    const { rows, totals } = await read('pivot', { group_by: 'project,person' });
    expect(rows.map((row) => [row['project_id'], row['people_id'], ...bridgeOf('cost', row)])).toEqual([
      [501, ANA, '2400', '470', '10', '120', '0', '0', '0', '3000'],
      [501, BEN, '2400', '-705', '-15', '120', '0', '0', '90', '1890'],
      [501, CY, '0', '470', '10', '-80', '-50', '0', '0', '350'],
      [502, ANA, '1200', '-188', '8', '-60', '0', '0', '0', '960'],
      [502, CY, '1050', '141', '-6', '-30', '0', '-105', '0', '1050'],
    ]);
    expect(bridgeOf('cost', totals)).toEqual(['7050', '188', '7', '70', '-50', '-105', '90', '7250']);
    expect(totals['actual_hours_without_cost_rate']).toBe('3');
  });

  it('has the sums of its cells in any rows', async () => {
    const projects = await read('projects', {});
    expect(projects.rows.map((row) => bridgeOf('cost', row))).toEqual([
      ['4800', '235', '5', '160', '-50', '0', '90', '5240'],
      ['2250', '-47', '2', '-90', '0', '-105', '0', '2010'],
    ]);
    for (const name of ['phases', 'people', 'tasks'])
      expect(bridgeOf('cost', (await read(name, {})).totals), name).toEqual(bridgeOf('cost', projects.totals));
  });
});

describe('a workbook with a bridge', () => {
  const read = async (name: string, sent: Record<string, string>) => {
    const { file, remove } = await loadBundled();
    const database = await openDatabase(file, { readOnly: true });
    try {
      const { sheets } = await readWorkbook(database, catalogue, name, { ...YEAR, ...sent }, { now: NOW });
      const sheet = sheets.find(({ key }) => key === 'bridge');
      if (!sheet) return undefined;
      const { table } = await sheet.open();
      const rows: Row[] = [];
      for await (const chunk of table.rows) rows.push(...chunk.map((row) => toRow(table.columns, row)));
      return { name: sheet.name, rows, totals: toRow(table.columns, table.totals ?? []) };
    } finally {
      await database.close();
      remove();
    }
  };

  it('has that of profit where it shows profit, or the requested one', { tags: ['slow'] }, async () => {
    for (const [name, sent, title, bridge] of [
      ['projects', {}, 'Profit bridge', 'profit'],
      ['people', { bridge: 'cost' }, 'Cost bridge', 'cost'],
      ['tasks', { bridge: 'fees' }, 'Fee bridge', 'fees'],
    ] as const) {
      const found = await read(name, sent);
      expect(found?.name).toBe(title);
      expect(found?.rows.length).toBeGreaterThan(20);
      for (const row of [...(found?.rows ?? []), found?.totals]) expectSteps(bridge, row);
    }
    expect(await read('people', {}), 'people have no profit').toBeUndefined();
  });
});

/** Expects that the effects of a row lead from the plan to the actual amount. */
function expectSteps(bridge: Bridge, row: Row | undefined): void {
  const steps = bridgeOf(bridge, row).map((value) => new Decimal(String(value ?? 0)));
  const actual = steps.pop();
  expect(steps.reduce((sum, step) => sum.plus(step)).toFixed(), JSON.stringify(row)).toBe(actual?.toFixed());
}

describe('W4: rounding and billability', () => {
  let company: Company;
  beforeAll(async () => {
    company = await openCompany({
      people: [
        { people_id: 1, name: 'Ana', cost_rate: '60', default_hourly_rate: '100' },
        {
          people_id: 2,
          name: 'Ben',
          default_hourly_rate: '33.3333',
          contracts: [
            { effective_date: '2020-01-01', cost_rate: '33.3333' },
            { effective_date: '2026-01-06', cost_rate: '35' },
          ],
        },
        { people_id: 3, name: 'Cy', default_hourly_rate: '50' },
      ],
      projects: [
        { project_id: 1, name: 'Quay' },
        { project_id: 2, name: 'Pier' },
        { project_id: 3, name: 'Mole' },
      ],
      tasks: [
        { task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 },
        { task_id: 2, people_id: 2, project_id: 2, start_date: '2026-01-05', end_date: '2026-01-05', hours: 3 },
      ],
      logged_time: [
        { logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 9 },
        { logged_time_id: 'b', people_id: 1, project_id: 1, date: '2026-01-05', hours: 1, billable: 0 },
        { logged_time_id: 'c', people_id: 2, project_id: 2, date: '2026-01-06', hours: 4 },
        { logged_time_id: 'd', people_id: 3, project_id: 3, date: '2026-01-06', hours: 2 },
      ],
    });
  });
  afterAll(() => company.close());

  const read = (bridge: Bridge, project_id: string) =>
    company.report('projects', { ...WINDOW, bridge, project_id }).then(({ totals }) => bridgeOf(bridge, totals));

  it('rounds each worth once, and gives the rest to the rate', async () => {
    expect(await read('cost', '2')).toEqual(['100', '33.33', '0', '0', '0', '0', '6.67', '140']);
  });

  it('tells hours that nobody bills from more hours', async () => {
    expect(await read('fees', '1')).toEqual(['800', '200', '0', '0', '0', '0', '-100', '0', '900']);
    expect(await read('cost', '1')).toEqual(['480', '120', '0', '0', '0', '0', '0', '600']);
    expect(await read('profit', '1')).toEqual(['320', '80', '0', '0', '0', '0', '-100', '0', '0', '300']);
  });

  it('takes no other measures, and has no profit of people', async () => {
    await expect(
      company.report('pivot', { ...WINDOW, group_by: 'project', bridge: 'cost', measures: 'actual_cost' }),
    ).rejects.toThrow('bridge shows its own measures, so it takes no measures');
    await expect(company.report('people', { ...WINDOW, bridge: 'profit' })).rejects.toThrow('people have no profit');
    await expect(company.report('people', { ...WINDOW, bridge: 'hours' })).rejects.toThrow(
      'one of cost, fees, revenue, profit',
    );
  });

  it('needs the scope rates for cost and profit alone', async () => {
    const asked = (bridge: Bridge) => company.report('projects', { ...WINDOW, bridge }, { seesRates: false });
    await expect(asked('cost')).rejects.toThrow('which need the scope rates');
    await expect(asked('profit')).rejects.toThrow('which need the scope rates');
    expect(bridgeOf('fees', (await asked('fees')).totals)).toContain('-100');
  });

  it('is unknown if no line of the query is priced', async () => {
    const { totals } = await company.report('projects', { ...WINDOW, bridge: 'cost', cutoff_date: '2026-01-01' });
    expect(bridgeOf('cost', totals).slice(1, -1)).toEqual([null, null, null, null, null, null]);
    // Cy has a bill rate and no cost rate: no effect on profit is known, not even that of hours that nobody bills.
    expect((await read('fees', '3')).slice(1, -1)).toEqual(['100', '0', '0', '0', '0', '0', '0']);
    expect((await read('profit', '3')).slice(1, -1)).toEqual([null, null, null, null, null, null, null, '0']);
  });
});
