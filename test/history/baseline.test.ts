// @module-tag slow
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runTold } from '../../src/numbers/report/insights/insights.ts';
import { present } from '../../src/numbers/report/request/change-query.ts';
import { catalogue } from '../sql/company.ts';
import { explainPlanned, KICKOFF, pick, readPlanned, useBaseline } from './baseline-company.ts';
import { type BuiltState, buildState } from './compared-company.ts';

const shared = {
  people: [
    { people_id: 101, name: 'Ana', cost_rate: 60 },
    { people_id: 102, name: 'Ben', cost_rate: 50 },
  ],
  clients: [
    { client_id: 1, name: 'Acme' },
    { client_id: 2, name: 'Beta' },
  ],
};

const project = (id: number, name: string, client_id: number) => ({
  project_id: id,
  name,
  client_id,
  default_hourly_rate: 100,
  tags: [`tag ${id}`],
});

const task = (id: number, project_id: number, people_id: number, start: string, end: string) => ({
  task_id: id,
  project_id,
  people_id,
  start_date: start,
  end_date: end,
  hours: 8,
});

let then: BuiltState;
let now: BuiltState;

/** Harbor was planned for a week by Ana; now for two days, of another client, and dearer. Bridge is gone; Canal is new. */
beforeAll(async () => {
  then = await buildState({
    ...shared,
    clients: [{ client_id: 1, name: 'Acme, as it was' }],
    projects: [project(501, 'Harbor', 1), project(502, 'Bridge', 1)],
    tasks: [
      task(77, 501, 101, '2026-03-02', '2026-03-06'),
      task(78, 502, 102, '2026-03-02', '2026-03-03'),
      task(76, 501, 101, '2026-04-01', '2026-04-01'),
    ],
  });
  now = await buildState({
    ...shared,
    people: [{ people_id: 101, name: 'Ana', cost_rate: 66 }, shared.people[1] ?? {}],
    projects: [project(501, 'Harbor', 2), project(503, 'Canal', 2)],
    phases: [{ phase_id: 602, project_id: 502, name: 'Deck' }],
    tasks: [
      task(77, 501, 101, '2026-03-04', '2026-03-05'),
      task(79, 503, 102, '2026-03-02', '2026-03-02'),
      task(80, 503, 102, '2026-03-30', '2026-03-31'),
    ],
    logged_time: [
      { logged_time_id: 'a', people_id: 101, project_id: 501, date: '2026-03-02', hours: 8 },
      { logged_time_id: 'b', people_id: 102, project_id: 503, date: '2026-03-02', hours: 5 },
    ],
  });
}, 60_000);

afterAll(async () => void (await Promise.all([then?.close(), now?.close()])));

const CUTOFF = { cutoff_date: '2026-03-20' };
const PLAN = ['name', 'scheduled_hours', 'scheduled_cost', 'actual_hours', 'actual_cost', 'variance_hours'];

it('B1 each set of scheduled lines says which plan its lines are of', () => {
  const compared = [...catalogue.lines].flatMap(([name, { plan }]) => (plan === 'compared' ? [name] : []));
  expect(compared).toEqual(['scheduled', 'scheduled_billable', 'scheduled_non_billable', 'scheduled_to_date']);
  const without = [...catalogue.lines.values()].filter(({ kind, plan }) => (kind === 'scheduled') !== Boolean(plan));
  expect(without).toEqual([]);
});

it('B1 a baseline of another currency is refused', { tags: ['slow'] }, async () => {
  const other = await buildState({ settings: { currency: 'JPY' } });
  onTestFinished(other.close);
  await expect(useBaseline(other, now, async () => undefined)).rejects.toMatchObject({ code: 'input' });
});

describe('B1 the plan that is compared', () => {
  it('is that of the baseline, and what is to come stays that of the state', async () => {
    await useBaseline(then, now, async (context) => {
      const { rows, totals } = await readPlanned(context, 'projects', CUTOFF);
      expect(rows.map((row) => pick(row, ...PLAN))).toEqual([
        ['Bridge', '16', '800', '0', '0', '-16'],
        ['Canal', '0', '0', '5', '250', '5'],
        ['Harbor', '40', '2400', '8', '528', '-32'],
      ]);
      expect(pick(totals, 'scheduled_hours', 'scheduled_to_date_cost', 'forecast_hours')).toEqual([
        '56',
        '3200',
        // 13 logged, and Canal's two days at the end of the month.
        '29',
      ]);
    });
  });

  it.each([
    'forecast_hours',
    'forecast_cost',
    'capacity_hours',
    'overtime_hours',
    'unscheduled_hours',
    'tentative_hours',
    'backlog_fees',
    'actual_fees',
    'expense_cost',
    'soft_backlog_fees',
  ])('leaves %s as it is', async (measure) => {
    const sent = { ...CUTOFF, group_by: 'person', measures: measure };
    const plain = await readPlanned(
      { ...(await useBaseline(then, now, async (context) => context)), baseline: undefined },
      'pivot',
      sent,
    );
    const planned = await useBaseline(then, now, (context) => readPlanned(context, 'pivot', sent));
    expect(planned.totals).toEqual(plain.totals);
  });

  it('sets the promised hours against the capacity of the state', async () => {
    await useBaseline(then, now, async (context) => {
      const { totals } = await readPlanned(context, 'people', CUTOFF);
      const [scheduled, capacity, percent] = pick(totals, 'scheduled_hours', 'capacity_hours', 'scheduled_percent');
      expect(scheduled).toBe('56');
      expect(Number(percent)).toBeCloseTo((Number(scheduled) / Number(capacity)) * 100, 2);
    });
  });

  it('begins bridges, and the hours that nobody logged', async () => {
    await useBaseline(then, now, async (context) => {
      const { totals } = await readPlanned(context, 'projects', { ...CUTOFF, bridge: 'cost' });
      const effects = Object.entries(totals).filter(([name]) => name.endsWith('_effect'));
      const sum = effects.reduce((total, [, value]) => total + Number(value), 3200);
      expect(pick(totals, 'scheduled_to_date_cost', 'actual_cost')).toEqual(['3200', '778']);
      expect(sum.toFixed(2)).toBe('778.00');
      const { totals: logging } = await readPlanned(context, 'pivot', {
        ...CUTOFF,
        group_by: 'project',
        measures: 'unlogged_hours,logging_coverage_percent',
      });
      // Ana 32 of 40; Ben 16 on 2 and 3 March less 5.
      expect(pick(logging, 'unlogged_hours', 'logging_coverage_percent')).toEqual(['43', '23.21']);
    });
  });
});

describe('B2 names and labels', () => {
  it('are looked up in the state, and in the baseline only if that has none', async () => {
    await useBaseline(then, now, async (context) => {
      const { rows, table } = await readPlanned(context, 'projects', CUTOFF);
      expect(rows.map((row) => pick(row, 'name', 'client'))).toEqual([
        ['Bridge', 'Acme'],
        ['Canal', 'Beta'],
        ['Harbor', 'Beta'],
      ]);
      const label = (name: string) => table.columns.find((column) => column.name === name)?.label;
      expect(['scheduled_hours', 'variance_hours', 'actual_hours', 'forecast_hours'].map(label)).toEqual([
        `Scheduled (${KICKOFF}) hours`,
        `Variance hours (${KICKOFF})`,
        'Actual hours',
        'Forecast hours',
      ]);
      for (const [filter, hours] of [
        [{ client_id: '1' }, '16'],
        [{ client_id: '2' }, '40'],
        [{ tag: 'tag 502' }, '16'],
        [{ tag: 'tag 501,tag 503' }, '40'],
      ] as const) {
        const { totals } = await readPlanned(context, 'projects', { ...CUTOFF, ...filter });
        expect(pick(totals, 'scheduled_hours'), JSON.stringify(filter)).toEqual([hours]);
      }
      for (const [group, names] of [
        ['client', ['Acme', 'Beta']],
        ['tag', ['tag 501', 'tag 502', 'tag 503']],
      ] as const) {
        const { rows: groups } = await readPlanned(context, 'pivot', {
          ...CUTOFF,
          group_by: group,
          measures: 'scheduled_hours',
        });
        expect(groups.map((row) => row[group])).toEqual(names);
      }
    });
  });

  it('filter rows without lines by the baseline, too', async () => {
    await useBaseline(then, now, async (context) => {
      const { rows } = await readPlanned(context, 'phases', { ...CUTOFF, include_empty: '1', tag: 'tag 502' });
      expect(rows.map((row) => pick(row, 'project', 'name'))).toEqual([
        ['Bridge', '(no phase)'],
        ['Bridge', 'Deck'],
      ]);
    });
  });

  it('count the projects that the baseline does not have, and their hours', async () => {
    await useBaseline(then, now, async (context) => {
      const { table } = await readPlanned(context, 'projects', CUTOFF);
      expect(table.meta.baseline).toMatchObject({
        state: KICKOFF,
        number: 1,
        missing_projects: 1,
        missing_actual_hours: '5.0000',
      });
      const { table: filtered } = await readPlanned(context, 'projects', { ...CUTOFF, project_id: '501' });
      expect(filtered.meta.baseline).toMatchObject({ missing_projects: 0, missing_actual_hours: '0.0000' });
      const { table: plain } = await readPlanned({ ...context, baseline: undefined }, 'projects', CUTOFF);
      expect(plain.meta.baseline).toBeNull();
    });
  });

  it('tell the lines of the baseline from the others', async () => {
    await useBaseline(then, now, async (context) => {
      const { rows } = await readPlanned(context, 'lines', { project_id: '501,502' });
      expect(rows.map((row) => pick(row, 'kind', 'line_id', 'project', 'cost'))).toEqual([
        ['actual', 'a:a', 'Harbor', '528'],
        ['baseline', 'b:77:101:2026-03-02', 'Harbor', '480'],
        ['baseline', 'b:78:102:2026-03-02', 'Bridge', '400'],
        ['baseline', 'b:77:101:2026-03-03', 'Harbor', '480'],
        ['baseline', 'b:78:102:2026-03-03', 'Bridge', '400'],
        ['baseline', 'b:77:101:2026-03-04', 'Harbor', '480'],
        ['scheduled', 's:77:101:2026-03-04', 'Harbor', '528'],
        ['baseline', 'b:77:101:2026-03-05', 'Harbor', '480'],
        ['scheduled', 's:77:101:2026-03-05', 'Harbor', '528'],
        ['baseline', 'b:77:101:2026-03-06', 'Harbor', '480'],
      ]);
      const { totals, rows: behind } = await readPlanned(context, 'lines', {
        ...CUTOFF,
        measure: 'variance_cost',
        project_id: '501',
      });
      expect(totals['contribution']).toBe('-1872');
      expect(behind.map(({ kind }) => kind)).toEqual(['actual', ...Array(5).fill('baseline')]);
      const { value, terms } = await explainPlanned(context, {
        ...CUTOFF,
        measure: 'variance_cost',
        project_id: '501',
      });
      expect(value).toBe('-1872.0000');
      expect(terms.map(({ sign, value: part }) => [sign, part])).toEqual([
        ['+', '528.0000'],
        ['-', '2400.0000'],
      ]);
    });
  });
});

describe('B3 measures of the baseline', () => {
  const NAMES = 'baseline_hours,baseline_cost,baseline_fees,replanned_hours,replanned_cost,replanned_fees';

  it('are the plan that was promised, and what became of it', async () => {
    await useBaseline(then, now, async (context) => {
      const { rows, table } = await readPlanned(context, 'projects', { ...CUTOFF, fields: `name,${NAMES}` });
      expect(rows.map((row) => Object.values(row))).toEqual([
        ['Bridge', '16', '800', '1600', '-16', '-800', '-1600'],
        ['Canal', '0', '0', '0', '24', '1200', '2400'],
        ['Harbor', '40', '2400', '4000', '-24', '-1344', '-2400'],
      ]);
      expect(table.meta.checks.every(({ ok }) => ok)).toBe(true);
    });
  });

  it('are empty without a baseline, and no line is behind them', async () => {
    await useBaseline(then, now, async (context) => {
      const plain = { ...context, baseline: undefined };
      const { rows } = await readPlanned(plain, 'projects', { ...CUTOFF, fields: NAMES });
      expect(rows.flatMap((row) => Object.values(row)).every((value) => value === null)).toBe(true);
      await expect(readPlanned(plain, 'lines', { ...CUTOFF, measure: 'baseline_hours' })).rejects.toThrow(
        'measure: baseline_hours is empty without a baseline',
      );
    });
  });
});

it('sentences count the promised hours, which their links open', async () => {
  await useBaseline(then, now, async (context) => {
    const { query } = await readPlanned(context, 'projects', { cutoff_date: '2026-03-31', project_id: '501' });
    const table = await runTold(context, present(query, { hasInsights: true }));
    const said = [];
    for await (const chunk of table.rows) said.push(...chunk.flatMap((row) => table.insightsOf?.(row).insights ?? []));
    const silent = said.find(({ rule }) => rule === 'no_actuals_since');
    expect(silent?.text).toContain('32.00 h were scheduled to date');
    const hours = silent?.numbers.find(({ unit }) => unit === 'hours');
    const sent = Object.fromEntries(new URLSearchParams(hours?.query?.split('?')[1]));
    const { totals } = await readPlanned(context, 'lines', sent);
    expect(totals['contribution']).toBe('32');
  });
});

describe('K5: the plan of a baseline earns by its own contracts, and the work by those of now', () => {
  const plan = {
    task_id: 1,
    project_id: 1,
    people_id: 101,
    start_date: '2026-03-02',
    end_date: '2026-03-03',
    hours: 8,
  };
  const work = { logged_time_id: 'a', project_id: 1, people_id: 101, date: '2026-03-02', hours: 8 };
  const withContract = (fee: object, retainers: object[] = []) => ({
    ...{ people: shared.people, projects: [{ ...project(1, 'Pier', 1), ...fee }], clients: shared.clients },
    ...{ tasks: [plan], logged_time: [work], retainers },
  });
  const retainer = {
    retainer_id: 1,
    project_id: 1,
    start_date: '2026-03-01',
    amounts: [{ amount: 40, price: '3100' }],
  };
  const CONTRACTS = {
    none: { records: withContract({}), planned: '1600', earned: '800' },
    agreed: {
      records: withContract({ budget_type: 2, budget_total: '4000', recognise: 'done', end_date: '2026-03-31' }),
      ...{ planned: '4000', earned: '4000' },
    },
    retained: { records: withContract({}, [retainer]), planned: '3100', earned: '3100' },
  };
  const kinds = ['none', 'agreed', 'retained'] as const;

  it.each(kinds.flatMap((kept) => kinds.map((present) => [kept, present] as const)))(
    'a plan with %s beside work with %s',
    { tags: ['slow'] },
    async (kept, present) => {
      const before = await buildState(CONTRACTS[kept].records);
      onTestFinished(() => before.close());
      const after = await buildState(CONTRACTS[present].records);
      onTestFinished(() => after.close());
      const fields = 'project_id,scheduled_revenue,actual_revenue';
      const { totals } = await useBaseline(before, after, (context) =>
        readPlanned(context, 'projects', { cutoff_date: '2026-03-31', fields }),
      );
      const expected = [CONTRACTS[kept].planned, CONTRACTS[present].earned];
      expect(pick(totals, 'scheduled_revenue', 'actual_revenue')).toEqual(expected);
    },
  );
});
