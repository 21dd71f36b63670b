// @module-tag slow
import { expect, it, onTestFinished } from 'vitest';
import { type JudgedRow, moveStates } from '../../src/doors/deliver/alert/alert-states.ts';
import { judgeReport } from '../../src/doors/deliver/alert/judge-rows.ts';
import { askReport, type OpenedReport } from '../../src/doors/deliver/content/ask-report.ts';
import { openFileData } from '../../src/doors/deliver/content/open-file-data.ts';
import type { AlertStates } from '../../src/doors/deliver/occurrence/row-state.ts';
import type { DeliveryPlan } from '../../src/doors/deliver/setup/delivery-setup.ts';
import { findReport } from '../../src/numbers/report/catalogue/definitions.ts';
import { loadCatalogues } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import { run } from '../errors/gallery.ts';
import { openDelivered, startHooks, startMailServer } from './delivered.ts';
import { openPublishedDatabase } from './published.ts';

const RULE = { holdsFor: 1, recoversFor: 1, remindSeconds: undefined as number | undefined };

/** Moves states through answers, each of the rows that hold (a) and that don't (!a), and returns what is told of each. */
function tell(answers: readonly string[], rule: Partial<typeof RULE> = {}): string[] {
  let before: AlertStates | undefined;
  return answers.map((text, index) => {
    const [version = '', ...rows] = text.split(' ');
    const judged = rows.map(
      (row): JudgedRow => ({ key: row.replace('!', ''), holds: !row.startsWith('!'), values: { n: row } }),
    );
    const now = new Date(Date.UTC(2000, 0, 1, index));
    const moved = moveStates(before, judged, { ...RULE, ...rule }, version, now);
    before = { condition: '', period: '', data_version: version, rows: moved.rows };
    return moved.told
      .map(({ row, state, before: { n } }) => `${row.key} ${state}${n === undefined ? '' : ` was ${n}`}`)
      .join(', ');
  });
}

it('a row is new, then continues in silence, and recovers; one that is gone is no recovery', () => {
  expect(tell(['1 a !b', '2 a b', '3 !a b', '4 a', '5 a b'])).toEqual([
    'a New',
    'b New was !b',
    'a Recovered was a',
    'a New was !a',
    '',
  ]);
});

it('a row that flaps is told of each time; with for and recover_for it is not', () => {
  const flapping = ['1 a', '2 !a', '3 a', '4 !a', '5 a', '6 a'];
  expect(tell(flapping)).toEqual([
    'a New',
    'a Recovered was a',
    'a New was !a',
    'a Recovered was a',
    'a New was !a',
    '',
  ]);
  expect(tell(flapping, { holdsFor: 2, recoversFor: 2 })).toEqual(['', '', '', '', '', 'a New was a']);
  expect(tell(['1 a', '2 a', ...flapping.slice(1)], { holdsFor: 2, recoversFor: 2 })).toEqual([
    '',
    'a New was a',
    ...Array(5).fill(''),
  ]);
});

it('a row that is gone for a while continues: only a recovery that is seen ends it', () => {
  expect(tell(['1 a b', '2 b', '3 a b', '4 b', '5 !a b', '6', '7 b'])).toEqual([
    'a New, b New',
    '',
    '',
    '',
    'a Recovered was a',
    '',
    '',
  ]);
  expect(tell(['1 a', '2', '3 a', '4 a'], { remindSeconds: 7200 })).toEqual(['a New', '', 'a Continuing was a', '']);
  // A row that isn't there has no run of data versions.
  expect(tell(['1 a', '2', '3 a', '4 a'], { holdsFor: 2 })).toEqual(['', '', '', 'a New was a']);
  expect(tell(['1 a', '2 !a', '3', '4 !a', '5 !a'], { recoversFor: 2 })).toEqual([
    'a New',
    '',
    '',
    '',
    'a Recovered was !a',
  ]);
});

it('a row that was gone for seven days is new', () => {
  const gone = (days: number) => ['1 a', '2', ...Array(days * 24 - 1).fill('3'), '4 a'];
  expect(tell(gone(6)).at(-1)).toBe('');
  expect(tell(gone(8)).at(-1)).toBe('a New');
});

it('an answer without rows says nothing, and begins nothing anew', () => {
  expect(tell(['1', '2 a', '3', '4', '5 a'])).toEqual(['', 'a New', '', '', '']);
});

it('for and recover_for count data versions running, each once', () => {
  expect(tell(['1 a', '1 a', '2 a', '3 !a', '4 a', '5 !a', '5 !a', '6 !a'], { holdsFor: 2, recoversFor: 2 })).toEqual([
    '',
    '',
    'a New was a',
    '',
    '',
    '',
    '',
    'a Recovered was !a',
  ]);
});

it('rows that continue are named again after the time of remind', () => {
  expect(tell(['1 a', '2 a', '3 a', '4 a', '5 a'], { remindSeconds: 7200 })).toEqual([
    'a New',
    '',
    'a Continuing was a',
    '',
    'a Continuing was a',
  ]);
});

it('an alert asks for sentences only when one is its condition, as they take longer than its report (10.3)', async () => {
  const { full } = loadCatalogues('reports');
  const ask = async (insight: string | undefined) => {
    const sent: Readonly<Record<string, string>>[] = [];
    const opened = {
      parse: (more: Readonly<Record<string, string>>) => {
        sent.push(more);
        return { selection: { report: findReport(full, 'projects'), catalogue: full } };
      },
      run: () => Promise.reject(new Error('asked')),
    } as unknown as OpenedReport;
    const plan = { parameters: {}, where: 'budget_forecast_percent gt 100' } as unknown as DeliveryPlan;
    const rule = { ...RULE, rows: 'any', insight, problems: [] } as const;
    await expect(judgeReport(opened, plan, rule, undefined)).rejects.toThrow('asked');
    return sent.at(-1);
  };
  expect(await ask(undefined)).not.toHaveProperty('insights');
  expect(await ask('budget_at_risk')).toHaveProperty('insights', '1');
});

const BUDGETS = `alerts:
  - name: budgets
    when: "0 9 * * *"
    report: projects
    parameters: {period: this_year}
    where: budget_forecast_percent gt 90
`;

it('an alert names new rows by mail to their managers, with values, and says nothing while they continue', {
  tags: ['slow'],
}, async () => {
  const server = await startMailServer();
  const text = `${server.smtp}${BUDGETS}    to: [{each: project_manager, email: true}]\n`;
  const { at, told, deliverer, setup } = await openDelivered(text, '2026-05-04T06:00:00Z');
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  expect(told.length).toBeGreaterThan(0);
  for (const line of told) expect(line).toMatch(/^budgets project_manager:\d+:\S+@harbourpine.example sent$/);
  const [mail] = server.mails;
  expect(mail?.subject).toMatch(/^\d+ new · budgets, .* · Harbour & Pine$/);
  expect(mail?.text).toMatch(
    /- New: .*\n {2}Budget forecast % of budget: [\d,.]+ %\n {2}Whole-life budget forecast: [\d,.]+ (?:h|EUR)\n {2}Whole-life budget: [\d,.]+ (?:h|EUR)\n/,
  );
  expect(mail?.text).toMatch(/^budgets, .*\n\nBudget forecast % of budget above 90 %: \d+ new\.\n\n- New: /);
  const count = told.length;
  await at('2026-05-05T07:00:00Z');
  expect(told).toHaveLength(count);
  const [first, second] = deliverer.history().occurrences.values();
  expect(second?.made?.rows).toBe(first?.made?.rows);
  setup(text.replace('gt 90', 'gt 80'));
  await at('2026-05-06T07:00:00Z');
  expect(server.mails.at(-1)?.text).toContain('The condition of this alert was changed, so it begins anew.');
});

it('a sentence is a condition, and so is the total', { tags: ['slow'] }, async () => {
  const hooks = await startHooks();
  const { at, told } = await openDelivered(
    `${BUDGETS.replace('where: budget_forecast_percent gt 90', 'insight: budget_at_risk')}    to: [{webhook: "${hooks.url}"}, {slack: "$\{HOOK}"}]
  - name: total
    when: "0 9 * * *"
    report: people
    parameters: {period: 2026-05}
    where: actual_hours gt 100
    rows: total
    to: [{webhook: "${hooks.url}"}]
`,
    '2026-05-04T06:00:00Z',
    { HOOK: hooks.url },
  );
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  expect(told.map((line) => line.replace(/:\w+/, '')).sort()).toEqual([
    'budgets slack sent',
    'budgets webhook sent',
    'total webhook sent',
  ]);
  const card = hooks.requests.find(({ body }) => body.includes('mrkdwn'));
  expect(card?.body).toMatch(/New: [^"]*: The budget is at risk: /);
  const bodies = hooks.requests.map(({ body }) => JSON.parse(body));
  const [passed, total] = ['budgets', 'total'].map((name) => bodies.find(({ delivery }) => delivery === name));
  expect(passed.state).toMatch(/^\d+ new$/);
  expect(passed.rows.length).toBe(Number(passed.state.split(' ')[0]));
  expect(total.state).toBe('1 new');
  expect(passed.sentences).toEqual([
    { name: 'Budget at risk', text: expect.stringMatching(/ exceeds it\. \d+ new\.$/) },
  ]);
  expect(total.sentences).toEqual([{ name: 'Actual hours above 100 h, in total', text: '1 new.' }]);
});

it('a condition that is changed is told to those who were told of rows, also if it holds of none, across a restart', {
  tags: ['slow'],
}, async () => {
  const [server, hooks] = [await startMailServer(), await startHooks()];
  const to = `    to: [{each: project_manager, email: true}, {webhook: "${hooks.url}"}]\n`;
  const text = `${server.smtp}${BUDGETS}${to}`;
  const { at, setup, restart } = await openDelivered(text, '2026-05-04T06:00:00Z');
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  const told = new Set(server.mails.map(({ to: [recipient] = [] }) => recipient?.address));
  expect(told.size).toBeGreaterThan(1);
  await restart();
  await at('2026-05-05T07:00:00Z');
  expect([server.mails.length, hooks.requests.length]).toEqual([told.size, 1]);
  setup(text.replace('gt 90', 'gt 9000'));
  await restart();
  await at('2026-05-06T07:00:00Z');
  const changed = server.mails.slice(told.size);
  expect(new Set(changed.map(({ to: [recipient] = [] }) => recipient?.address))).toEqual(told);
  for (const { subject, text: words } of changed) {
    expect(subject).toMatch(/^nothing new · budgets, /);
    expect(words).toContain('The condition of this alert was changed, so it begins anew.');
    expect(words).toContain('Budget forecast % of budget above 9,000 %: nothing new.');
  }
  expect(JSON.parse(hooks.requests[1]?.body ?? '')).toMatchObject({ state: 'nothing new', rows: [] });
  await restart();
  await at('2026-05-07T07:00:00Z');
  expect([server.mails.length, hooks.requests.length]).toEqual([2 * told.size, 2]);
  setup(text);
  await at('2026-05-08T07:00:00Z');
  expect(server.mails.at(-1)?.subject).toMatch(/^\d+ new · budgets, /);
});

it.each(['any', 'all', 'total'])('a report without rows meets no condition over %s rows', async (rows) => {
  const hooks = await startHooks();
  const { at, told, deliverer } = await openDelivered(
    `alerts:
  - name: empty
    when: "0 9 * * *"
    report: projects
    parameters: {period: 2001, status: tentative}
    where: actual_hours gt 0
    rows: ${rows}
    to: [{webhook: "${hooks.url}"}]
`,
    '2026-05-04T06:00:00Z',
  );
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  expect([told, [...deliverer.history().occurrences.values()].map(({ made }) => made?.rows)]).toEqual([[], [0]]);
});

/** Reports with parameters for which rows have several keys, or none of their dimensions. */
const KEYED: readonly [report: string, parameters: Readonly<Record<string, string>>][] = [
  ['projects', { interval: 'month' }],
  ['tasks', {}],
  ['lines', {}],
  ['timesheets', { interval: 'week' }],
  ['data-quality', {}],
  ['pivot', { group_by: 'client,project,tag', measures: 'actual_hours' }],
  ['pivot', { group_by: 'client,project', measures: 'actual_hours', subtotals: '1' }],
  ['changes', { from: 'start', only_changed: '0' }],
  ['changes', { from: 'start', group_by: 'project', only_changed: '0' }],
  ['changed-lines', { from: 'start', measure: 'actual_hours' }],
];

it('rows of each report are told apart by their keys', { tags: ['slow'] }, async () => {
  const { database, put } = await openPublishedDatabase('postgres://nowhere');
  expect((await run(['keep', 'start', '--database', database])).exitCode).toBe(0);
  put('changed');
  const { data, close } = await openFileData(database, 1024);
  onTestFinished(close);
  const now = () => new Date('2026-06-15T12:00:00Z');
  const asked = { rights: { seesRates: true, part: undefined }, hasOwnRights: false, moment: now(), now };
  for (const [report, parameters] of KEYED) {
    const sent = { start_date: '2026-05-01', end_date: '2026-05-31', ...parameters };
    const request = { ...asked, report, sent, signal: new AbortController().signal };
    const rule = { ...RULE, rows: 'any', insight: undefined, problems: [] } as const;
    const keys = await askReport(data, request, async (opened) => {
      const { rows } = await judgeReport(opened, { parameters: sent } as unknown as DeliveryPlan, rule, undefined);
      return rows.map(({ key }) => key);
    });
    expect([report, parameters, keys.length > 1, keys.length - new Set(keys).size]).toEqual([
      report,
      parameters,
      true,
      0,
    ]);
  }
});

it('problems are said once, and when they are over', async () => {
  const hooks = await startHooks();
  const text = `deliveries:
  - name: clients
    when: "0 9 * * *"
    report: clients
    parameters: {period: yesterday}
    formats: [csv]
    max_age: 1h
    wait: 1s
    to: [{folder: FOLDER}]
alerts:
  - name: operations
    problems: [data_too_old, delivery_failed]
    to: [{webhook: "${hooks.url}"}]
`;
  const { at, told, setup } = await openDelivered(text, '2030-05-04T06:00:00Z');
  for (const moment of ['06:00', '07:00', '07:02', '07:03', '07:04']) await at(`2030-05-04T${moment}:00Z`);
  const sent = () => told.filter((line) => line.startsWith('operations') && line.endsWith('sent'));
  expect(sent()).toHaveLength(1);
  const [first] = hooks.requests.map(({ body }) => JSON.parse(body));
  expect(first).toMatchObject({ delivery: 'operations', state: '1 new' });
  expect(first.remarks[0]).toMatch(/^New: clients is not sent: The records are \d+ minutes old/);
  setup(text.replace('    max_age: 1h\n', ''));
  for (const moment of ['07:00', '07:02', '07:03']) await at(`2030-05-05T${moment}:00Z`);
  expect(sent()).toHaveLength(2);
  expect(JSON.parse(hooks.requests.at(-1)?.body ?? '')).toMatchObject({
    state: '1 recovered',
    remarks: ['Recovered: data_too_old of clients is over.'],
  });
});
