import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRefresher } from '../../src/numbers/model/refresh/refresh.ts';
import type { RecordChange } from '../../src/numbers/model/refresh/touched.ts';
import { openWorking, sqlFolder, type Working } from './working.ts';

const ANA = { people_id: 1, name: 'Ana', role_id: 1, start_date: '2026-01-01' };
const BEN = { people_id: 2, name: 'Ben', department_id: 7 };
const ONE = { project_id: 1, name: 'One', default_hourly_rate: '100', budget_type: 2, budget_total: '5000' };
const TWO = { project_id: 2, name: 'Two', client_id: 9 };
const PLAN = { task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 };
const HOURS = { logged_time_id: 'h1', project_id: 1, people_id: 1, date: '2026-01-05', hours: 6 };

/**
 * Refreshes after single changes, and compares every stored model with a build after each test.
 * @param compareAll True to compare it after each refresh, so that none hides an earlier miss.
 */
export function testRefreshes(compareAll: boolean): void {
  let company: Working;
  const compare = async () => (compareAll ? company.expectRebuilt() : undefined);

  // Ana is planned for a week on One and logged 6 hours there, and 2 more only against the plan; Ben works on Two.
  beforeAll(async () => {
    company = await openWorking({ people: [{ people_id: 1, name: 'Ana' }] });
    await company.put('roles', { role_id: 1, name: 'Designer', cost_rate_history: [{ rate: '40' }] });
    await company.put('people', ANA);
    await company.put('people', BEN);
    await company.put('projects', ONE);
    await company.put('projects', TWO);
    await company.put('phases', { phase_id: 1, project_id: 1, name: 'Start' });
    await company.put('project_tasks', { task_meta_id: 1, project_id: 2, task_name: 'Talks' });
    await company.put('tasks', PLAN);
    await company.put('logged_time', HOURS);
    await company.put('logged_time', { logged_time_id: 'h2', people_id: 1, task_id: 1, date: '2026-01-06', hours: 2 });
    await company.put('logged_time', {
      logged_time_id: 'h3',
      people_id: 2,
      task_meta_id: 1,
      date: '2026-01-06',
      hours: 3,
    });
    await company.put('project_expenses', {
      project_expense_id: 1,
      project_id: 1,
      date: '2026-01-07',
      cost: '70',
      billable: true,
    });
    await company.refresh();
    await company.expectRebuilt();
    await company.keep();
  });

  beforeEach(() => company.reset());

  afterEach(() => company.expectRebuilt());

  afterAll(() => company.close());

  /** Refreshes, compares with a new build, and sums fees and hours of one kind of lines by project. */
  async function refreshAndSum(kind: string): Promise<Record<string, string>> {
    await company.refresh();
    await compare();
    const rows = await company.database.rows<{ project_id: number; sums: string }>(`
      SELECT project_id, COALESCE(CAST(CAST(SUM(hours) AS INTEGER) AS VARCHAR), '-') || ' h ' || COALESCE(CAST(CAST(SUM(fee) AS INTEGER) AS VARCHAR), '?') AS sums
      FROM core.ledger WHERE kind = '${kind}' GROUP BY project_id`);
    return Object.fromEntries(rows.map(({ project_id, sums }) => [project_id, sums]));
  }

  test('logged time is added, moves to another person and project, and is removed', async () => {
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '3 h ?' });
    await company.put('logged_time', {
      logged_time_id: 'h4',
      people_id: 1,
      project_id: 1,
      date: '2026-01-07',
      hours: 1,
    });
    expect(await refreshAndSum('actual')).toEqual({ 1: '9 h 900', 2: '3 h ?' });
    await company.put('logged_time', { ...HOURS, people_id: 2, project_id: 2 });
    expect(await refreshAndSum('actual')).toEqual({ 1: '3 h 300', 2: '9 h ?' });
    await company.remove('logged_time', 'h1');
    expect(await refreshAndSum('actual')).toEqual({ 1: '3 h 300', 2: '3 h ?' });
  });

  test('a person has capacity from the change that makes her an employee, and as soon as she has a record', async () => {
    const readCapacity = async () => {
      await company.refresh();
      await compare();
      const rows = await company.database.rows<{ people_id: number }>(
        'SELECT DISTINCT people_id FROM marts.capacity WHERE work_hours > 0 ORDER BY people_id',
      );
      return rows.map(({ people_id }) => people_id);
    };
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h7', people_id: 3 });
    expect(await readCapacity()).toEqual([1, 2]);
    await company.put('people', { people_id: 3, name: 'Cid' });
    expect(await readCapacity()).toEqual([1, 2, 3]);
    await company.put('people', { ...ANA, people_type_id: 4 });
    await company.put('people', { ...BEN, people_type_id: 3 });
    expect(await readCapacity()).toEqual([3]);
    await company.put('people', { ...BEN, people_type_id: 2 });
    await company.remove('people', 3);
    expect(await readCapacity()).toEqual([2]);
  });

  test('the capacity of somebody archived ends with the last logged day, however often she is archived', async () => {
    const readCapacity = async () => {
      await company.refresh();
      await compare();
      const [row] = await company.database.rows<{ last: string | null }>(
        'SELECT CAST(MAX(date) AS VARCHAR) AS last FROM marts.capacity WHERE people_id = 2 AND capacity_hours > 0',
      );
      return row?.last;
    };
    const last = await readCapacity();
    await company.put('people', { ...BEN, active: false });
    expect(await readCapacity()).toBe('2026-01-06');
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h8', people_id: 2, date: '2026-01-08' });
    expect(await readCapacity()).toBe('2026-01-08');
    await company.put('people', { ...BEN, active: false, name: 'Archived again' });
    expect(await readCapacity()).toBe('2026-01-08');
    await company.remove('logged_time', 'h8');
    await company.remove('logged_time', 'h3');
    expect(await readCapacity()).toBe(null);
    await company.put('people', { ...BEN, active: false, end_date: '2026-01-07' });
    expect(await readCapacity()).toBe('2026-01-07');
    await company.put('people', BEN);
    expect(await readCapacity()).toBe(last);
  });

  test('a phase and a project task that move to another project take their rates and flags along (D9)', async () => {
    await company.put('phases', { phase_id: 5, project_id: 1, name: 'Start', default_hourly_rate: '10' });
    await company.put('project_tasks', {
      task_meta_id: 5,
      project_id: 1,
      phase_id: 5,
      task_name: 'Free',
      billable: false,
    });
    await company.put('tasks', { ...PLAN, phase_id: 5 });
    await company.put('logged_time', { ...HOURS, phase_id: 5 });
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h5', project_id: 2, phase_id: 5, hours: 1 });
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h6', project_id: null, phase_id: 5, hours: 1 });
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h7', task_meta_id: 5, hours: 1 });
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h8', project_id: 2, task_meta_id: 5, hours: 1 });
    await company.put('projects', { ...ONE, project_team: [{ people_id: 1, phase_id: 5, hourly_rate: '20' }] });
    // The 2 hours of h2 have the rate of the phase of its allocation.
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 800' });
    expect(await refreshAndSum('actual')).toEqual({ 1: '10 h 180', 2: '5 h ?' });
    await company.put('phases', { phase_id: 5, project_id: 2, name: 'Start', default_hourly_rate: '10' });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 4000' });
    expect(await refreshAndSum('actual')).toEqual({ 1: '9 h 800', 2: '6 h 20' });
    await company.put('project_tasks', {
      task_meta_id: 5,
      project_id: 2,
      phase_id: 5,
      task_name: 'Free',
      billable: false,
    });
    expect(await refreshAndSum('actual')).toEqual({ 1: '9 h 900', 2: '6 h 20' });
    await company.put('phases', { phase_id: 5, project_id: 1, name: 'Start', default_hourly_rate: '10' });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 800' });
  });

  test('logged time of 0 hours makes no line', async () => {
    await company.put('logged_time', { ...HOURS, hours: 0 });
    expect(await refreshAndSum('actual')).toEqual({ 1: '2 h 200', 2: '3 h ?' });
  });

  test('logged time on a project new to the person gets its rates', async () => {
    await company.put('projects', { ...TWO, default_hourly_rate: '10' });
    await company.refresh();
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h5', project_id: 2 });
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '9 h 90' });
  });

  test('a person without logged or planned time on a project has no assignment there', async () => {
    const HOUR = { logged_time_id: 'h5', project_id: 2, people_id: 1, date: '2026-01-05', hours: 1 };
    const readAssigned = async () => {
      await company.refresh();
      await compare();
      const rows = await company.database.rows<{ project_id: number }>(
        'SELECT project_id FROM core.assignments WHERE people_id = 1 ORDER BY project_id',
      );
      return rows.map(({ project_id }) => project_id);
    };
    await company.put('logged_time', HOUR);
    await company.put('logged_time', { ...HOUR, logged_time_id: 'h6' });
    expect(await readAssigned()).toEqual([1, 2]);
    await company.put('logged_time', { ...HOUR, people_id: 2 });
    expect(await readAssigned()).toEqual([1, 2]);
    await company.remove('logged_time', 'h6');
    expect(await readAssigned()).toEqual([1]);
  });

  test('an allocation moves to other people and another project, together with the time logged against it', async () => {
    await company.put('tasks', {
      ...PLAN,
      project_id: 2,
      people_id: null,
      people_ids: [{ people_id: 1 }, { people_id: 2 }],
    });
    expect(await refreshAndSum('scheduled')).toEqual({ 2: '80 h ?' });
    expect(await refreshAndSum('actual')).toEqual({ 1: '6 h 600', 2: '5 h ?' });
    await company.put('tasks', { ...PLAN, project_id: 2, people_ids: [{ people_id: 2 }] });
    expect(await refreshAndSum('scheduled')).toEqual({ 2: '40 h ?' });
    await company.remove('tasks', 1);
    expect(await refreshAndSum('scheduled')).toEqual({});
  });

  test('a day off removes a scheduled day, and its deletion restores the day', async () => {
    await company.put('timeoffs', {
      timeoff_id: 1,
      people_id: 1,
      start_date: '2026-01-05',
      end_date: '2026-01-05',
      full_day: true,
    });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '32 h 3200' });
    await company.put('timeoffs', {
      timeoff_id: 1,
      people_id: 2,
      start_date: '2026-01-05',
      end_date: '2026-01-05',
      full_day: true,
    });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 4000' });
  });

  test('a holiday removes a scheduled day for everybody or for the current people of its region', async () => {
    const holiday = { holiday_id: 1, date: '2026-01-05', dates: [] };
    await company.put('holidays', holiday);
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '32 h 3200' });
    await company.put('holidays', { ...holiday, region_id: 7 });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 4000' });
    await company.put('people', { ...ANA, region_id: 7 });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '32 h 3200' });
    await company.put('holidays', {
      ...holiday,
      date: null,
      dates: [{ date: '2026-01-06' }, { date: '2026-01-07' }],
      region_id: 7,
    });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '24 h 2400' });
    await company.remove('holidays', 1);
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 4000' });
  });

  test("a person's work hours, employment and rates affect all lines of the person", async () => {
    await company.put('people', {
      ...ANA,
      end_date: '2026-01-07',
      work_days_hours_history: [{ effective_date: '2026-01-06', work_days_hours: [0, 8, 0, 8, 8, 8, 0] }],
    });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '16 h 1600' });
    await company.remove('people', 1);
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 4000' });
  });

  test("a role's rates affect everybody with the role, in the company or in a team", async () => {
    await company.put('projects', { ...TWO, project_team: [{ people_id: 2, role_id: 1 }] });
    await company.refresh();
    await company.put('roles', {
      role_id: 1,
      name: 'Designer',
      default_hourly_rate: '5',
      cost_rate_history: [{ rate: '60' }],
    });
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '3 h 15' });
    const [sum] = await company.database.rows(
      'SELECT CAST(SUM(cost) AS INTEGER) AS cost FROM core.ledger WHERE people_id = 1',
    );
    expect(sum).toEqual({ cost: 48 * 60 });
  });

  test('rates with a day, and rate cards of clients and projects, affect the lines that they price', async () => {
    const card = (rate: string) => ({ rate_card_id: 1, name: 'Card', rates: [{ role_id: 1, rate }] });
    await company.put('roles', { role_id: 1, name: 'Designer', default_hourly_rate: '5' });
    await company.put('people', { ...BEN, role_id: 1 });
    await company.put('rate_cards', card('30'));
    await company.put('clients', { client_id: 9, name: 'Nine', rate_cards: [{ rate_card_id: 1 }] });
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '3 h 90' });
    await company.put('rate_cards', card('40'));
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '3 h 120' });
    await company.put('clients', { client_id: 9, name: 'Nine' });
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '3 h 15' });
    await company.put('projects', { ...TWO, rate_cards: [{ rate_card_id: 1, effective_date: '2026-01-06' }] });
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '3 h 120' });
    await company.put('projects', { ...ONE, bill_rate_history: [{ rate: '200', effective_date: '2026-01-06' }] });
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 1000', 2: '3 h 120' });
  });

  test("a project's status, rate and team affect all lines of the project, including expenses", async () => {
    await company.put('projects', {
      ...ONE,
      default_hourly_rate: '200',
      project_team: [{ people_id: 1, hourly_rate: '300' }],
    });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 12000' });
    await company.put('projects', { ...ONE, non_billable: true, status: 4 });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 0' });
    expect(await refreshAndSum('expense')).toEqual({ 1: '- h 0' });
    await company.remove('projects', 1);
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h ?' });
  });

  test("a project's end ends repeats without an end, of an allocation of 0 hours, too", async () => {
    const weekly = { ...PLAN, repeat_state: 1 };
    await company.put('tasks', weekly);
    await company.put('tasks', { ...weekly, task_id: 2, people_id: 2, hours: 0 });
    await company.refresh();
    await company.put('projects', { ...ONE, end_date: '2026-01-16' });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '80 h 8000' });
  });

  test('a phase affects its lines', async () => {
    await company.put('tasks', { ...PLAN, phase_id: 1 });
    await company.refresh();
    await company.put('phases', {
      phase_id: 1,
      project_id: 1,
      name: 'Start',
      phase_team: [{ people_id: 1, hourly_rate: '10' }],
    });
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 400' });
    await company.remove('phases', 1);
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '40 h 4000' });
  });

  test('a project task moves together with its logged time', async () => {
    await company.put('project_tasks', { task_meta_id: 1, project_id: 1, task_name: 'Talks', billable: false });
    expect(await refreshAndSum('actual')).toEqual({ 1: '11 h 800' });
  });

  test('names of clients, departments and accounts are the current ones', async () => {
    await company.put('clients', { client_id: 9, name: 'Nine' });
    await company.put('departments', { department_id: 7, name: 'Seven' });
    await company.put('accounts', { account_id: 3, name: 'Mo' });
    await company.put('projects', { ...TWO, project_manager: 3 });
    await company.refresh();
    const [names] = await company.database.rows(`
      SELECT (SELECT client || ' ' || project_manager_name FROM marts.projects WHERE project_id = 2) AS project,
        (SELECT department FROM marts.people WHERE people_id = 2) AS department`);
    expect(names).toEqual({ project: 'Nine Mo', department: 'Seven' });
  });

  test('a milestone names a project and a phase without records, then others, and is removed', async () => {
    const readNamed = async () => {
      await company.refresh();
      const rows = await company.database.rows(`
        SELECT project_id AS id FROM marts.milestones JOIN marts.projects USING (project_id) JOIN marts.phases USING (phase_id)
        UNION ALL SELECT project_id FROM marts.projects WHERE NOT is_known ORDER BY id`);
      return rows.map(({ id }) => id);
    };
    expect(await readNamed()).toEqual([0]);
    const milestone = { milestone_id: 1, name: 'Launch', date: '2026-03-01' };
    await company.put('milestones', { ...milestone, project_id: 77, phase_id: 78 });
    expect(await readNamed()).toEqual([0, 77, 77]);
    await company.put('milestones', { ...milestone, project_id: 1, phase_id: 1 });
    expect(await readNamed()).toEqual([0, 1]);
    await company.remove('milestones', 1);
    expect(await readNamed()).toEqual([0]);
  });

  test('a milestone of a phase alone is a part of its fee, and then of none', async () => {
    const readAmounts = async () => {
      await company.refresh();
      await compare();
      const rows = await company.database.rows<{ part: string }>(
        "SELECT CONCAT(project_id, ' ', CAST(amount AS INTEGER)) AS part FROM core.fee_milestones",
      );
      return rows.map(({ part }) => part);
    };
    await company.put('projects', { ...TWO, budget_type: 2, budget_priority: 1, recognise: 'milestones' });
    await company.put('phases', { phase_id: 2, project_id: 2, name: 'Build', budget_total: '900' });
    const milestone = { milestone_id: 1, name: 'Half', phase_id: 2, date: '2026-03-01', amount: '450' };
    await company.put('milestones', milestone);
    expect(await readAmounts()).toEqual(['2 450']);
    await company.put('milestones', { ...milestone, phase_id: 1 });
    expect(await readAmounts()).toEqual([]);
    await company.put('milestones', milestone);
    expect(await readAmounts()).toEqual(['2 450']);
    await company.remove('milestones', 1);
    expect(await readAmounts()).toEqual([]);
  });

  test('progress, a retainer and what a contract says reach the places of their project', async () => {
    const readPlaces = async () => {
      await company.refresh();
      await compare();
      const [row] = await company.database.rows<{ found: string }>(`
        SELECT CONCAT((SELECT COUNT(*) FROM core.places), ' places, ', (SELECT COUNT(*) FROM core.fee_progress), ' entries, ',
          (SELECT COUNT(*) FROM core.retained_places), ' retained, ', (SELECT COUNT(*) FROM core.fee_months), ' sums') AS found`);
      return row?.found;
    };
    expect(await readPlaces()).toBe('1 places, 0 entries, 0 retained, 3 sums');
    await company.put('progress', { progress_id: 1, project_id: 1, date: '2026-01-06', percent: 40 });
    expect(await readPlaces()).toBe('1 places, 1 entries, 0 retained, 4 sums');
    await company.put('retainers', {
      retainer_id: 1,
      project_id: 1,
      start_date: '2026-01-01',
      amounts: [{ amount: 40, price: '3600' }],
    });
    expect(await readPlaces()).toBe('0 places, 1 entries, 1 retained, 0 sums');
    await company.remove('retainers', 1);
    await company.put('projects', { ...ONE, contract: 'time' });
    expect(await readPlaces()).toBe('0 places, 1 entries, 0 retained, 0 sums');
  });

  test('bills reach the contract of their project, and that of an unknown one', async () => {
    await company.put('projects', { ...ONE, contract_id: 'Frame' });
    await company.put('invoices', { invoice_id: 1, issue_date: '2026-01-31' });
    await company.put('invoice_lines', { invoice_line_id: 1, invoice_id: 1, project_id: 1, amount: '100' });
    await company.put('invoice_lines', { invoice_line_id: 2, invoice_id: 1, project_id: 77, amount: '30' });
    await company.refresh();
    await compare();
    const read = () =>
      company.database.rows(`
        SELECT line_id, contract FROM core.billing_lines AS bills
        JOIN core.named_projects AS projects ON projects.project_id = bills.project_id ORDER BY line_id`);
    expect(await read()).toEqual([
      { line_id: 'i:1', contract: 'c:frame' },
      { line_id: 'i:2', contract: '77' },
    ]);
    await company.remove('invoice_lines', 2);
    await company.put('invoices', { invoice_id: 1, issue_date: '2026-01-31', status: 'void' });
    await company.put('projects', ONE);
    await company.refresh();
    await compare();
    expect(await read()).toEqual([]);
  });

  test('an expense moves to another project, and is removed', async () => {
    await company.put('project_expenses', {
      project_expense_id: 1,
      project_id: 2,
      date: '2026-02-07',
      cost: '7',
      billable: true,
    });
    expect(await refreshAndSum('expense')).toEqual({ 2: '- h 7' });
    await company.remove('project_expenses', 1);
    expect(await refreshAndSum('expense')).toEqual({});
  });

  test('settings affect everything', async () => {
    await company.changeSettings("currency = 'JPY', work_days_hours = [0, 4, 4, 0, 0, 0, 0]");
    expect(await refreshAndSum('scheduled')).toEqual({ 1: '16 h 1600' });
  });

  test("a new source of cost rates becomes a value of the ledger's source column", async () => {
    await company.put('people', { ...ANA, contracts: [{ cost_rate: '55', cost_rate_from: 'payroll' }] });
    await company.refresh();
    const rows = await company.database.rows('SELECT DISTINCT cost_rate_source FROM marts.lines WHERE people_id = 1');
    expect(rows).toEqual([{ cost_rate_source: 'payroll' }]);
  });

  test('a refresh writes only changed lines', async () => {
    const readRows = () =>
      company.database.rows('SELECT rowid AS row, logged_time_id, date FROM core.ledger ORDER BY ALL');
    const before = await readRows();
    await company.put('people', { ...ANA, name: 'Anna' });
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h6' });
    await company.refresh();
    const after = await readRows();
    expect(after.filter(({ logged_time_id }) => logged_time_id !== 'h6')).toEqual(before);
  });

  test('a failed refresh changes nothing, and the next one catches up', async () => {
    const { database } = company;
    const refresher = await openRefresher(database, sqlFolder);
    const change: RecordChange = {
      resource: 'logged_time',
      tables: ['logged_time'],
      record_id: 'x',
      people_ids: [1],
      project_ids: [1],
    };
    await database.run(
      `INSERT INTO source.logged_time (logged_time_id, people_id, project_id, date, hours) VALUES ('x', 1, 1, '2026-01-05', 1)`,
    );
    const readCount = () => database.rows('SELECT count(*) AS lines FROM core.ledger');
    const before = await readCount();
    const failing = refresher.refresh({
      readChanges: async () => [change],
      finish: () => Promise.reject(new Error('no')),
    });
    await expect(failing).rejects.toThrow('no');
    expect(await readCount()).toEqual(before);
    // The checks detect a missed change.
    const forgetful = refresher.refresh({ readChanges: async () => [], finish: async () => undefined });
    await expect(forgetful).rejects.toMatchObject({ code: 'check' });
    await refresher.refresh({ readChanges: async () => [change], finish: async () => undefined });
    await refresher.close();
  });

  test('writes during a refresh are left to the next one', async () => {
    const { database } = company;
    const refresher = await openRefresher(database, sqlFolder);
    const insert = (id: string) =>
      database.run(
        `INSERT INTO source.logged_time (logged_time_id, people_id, project_id, date, hours) VALUES ('${id}', 1, 1, '2026-01-05', 1)`,
      );
    const change = (id: string): RecordChange => ({
      resource: 'logged_time',
      tables: ['logged_time'],
      record_id: id,
      people_ids: [1],
      project_ids: [1],
    });
    await insert('y1');
    await refresher.refresh({
      async readChanges(session) {
        await session.rows('SELECT count(*) FROM source.logged_time');
        await insert('y2');
        return [change('y1')];
      },
      finish: async () => undefined,
    });
    const lines = "SELECT logged_time_id AS id FROM core.ledger WHERE logged_time_id LIKE 'y%' ORDER BY 1";
    expect(await database.rows(lines)).toEqual([{ id: 'y1' }]);
    await refresher.refresh({ readChanges: async () => [change('y2')], finish: async () => undefined });
    expect(await database.rows(lines)).toEqual([{ id: 'y1' }, { id: 'y2' }]);
    await refresher.close();
  });

  test('new logged time of 0 hours brings nobody together with a project', async () => {
    await company.put('logged_time', { ...HOURS, logged_time_id: 'h9', project_id: 2, hours: 0 });
    expect(await refreshAndSum('actual')).toEqual({ 1: '8 h 800', 2: '3 h ?' });
  });
}
