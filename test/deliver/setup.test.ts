import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { maskSecrets } from '../../src/base/secrets.ts';
import { DELIVERIES_SCHEMA } from '../../src/doors/deliver/setup/deliveries-schema.ts';
import { parseSetup } from '../../src/doors/deliver/setup/read-setup.ts';
import { loadCatalogues } from '../../src/numbers/report/catalogue/load-catalogue.ts';

const catalogues = loadCatalogues('reports');
const company = {
  loggedDays: [{ date: '2026-05-29', idleUntil: '2026-05-31' }],
  weekStartsOn: 1,
  fiscalYearStartsIn: 1,
  asOf: undefined,
};
const days = { today: '2026-06-03', company };
const environment = {
  PG_URL: 'postgres://plumbline:loud-otter@db/warehouse',
  SMTP_PASSWORD: 'wobbly-duck',
  SLACK_URL: 'https://hooks.example.com/services/T0/B0',
};
const parse = (text: string) => parseSetup(text, 'deliveries.yaml', { catalogues, days, environment });

/** Returns what is wrong with a text. */
function faultsOf(text: string): string[] {
  try {
    parse(text);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1);
  }
}

const GOOD = `page: https://reports.example.com/
smtp: {host: mail.example.com, user: plumbline, password: "\${SMTP_PASSWORD}", from: "Reports <reports@example.com>"}
domains: [example.com]
deliveries:
  - name: month-end
    when: "0 7 3 * *"
    report: board
    parameters: {period: last_month}
    formats: [xlsx]
    rates: true
    max_age: 2h
    to:
      - email: [finance@example.com]
      - folder: /srv/reports/{period}/
      - s3: s3://reports/{name}/{period}
  - name: timesheets
    when: "0 9 * * MON"
    report: timesheets
    parameters: {period: last_week}
    where: missing_hours gt 0
    to: [{each: person, email: true}, {slack: "\${SLACK_URL}"}]
  - name: warehouse
    when: new_data
    marts: [lines, people]
    to: [{postgres: "\${PG_URL}", schema: plumbline, grants: {select: [bi]}}]
alerts:
  - name: budgets
    report: projects
    parameters: {period: this_year}
    where: budget_forecast_percent gt 100
    remind: 7d
    to: [{each: project_manager, email: true}]
  - name: operations
    problems: [data_too_old, sync_failed, check_failed, delivery_failed]
    to: [{email: [ops@example.com]}]
`;

it('the file of the specification is read, and its secrets are masked from then on', () => {
  const { page, mail, plans } = parse(GOOD);
  expect(page).toBe('https://reports.example.com');
  expect(mail).toMatchObject({ port: 587, security: 'starttls', password: 'wobbly-duck' });
  expect(maskSecrets('535 wobbly-duck refused')).toBe('535 *** refused');
  expect(plans.map(({ name, when, alert }) => [name, when, alert !== undefined])).toEqual([
    ['month-end', '0 7 3 * *', false],
    ['timesheets', '0 9 * * MON', false],
    ['warehouse', 'new_data', false],
    ['budgets', 'new_data', true],
    ['operations', 'new_data', true],
  ]);
  expect(plans[0]).toMatchObject({ maxAgeSeconds: 7200, waitSeconds: 3600, seesRates: true });
  expect(plans[0]?.targets[1]).toEqual({ kind: 'folder', place: '/srv/reports/{period}' });
});

it.each([
  ['1kB', 1_000],
  ['1KB', 1_000],
  ['500 kB', 500_000],
  ['25 MB', 25_000_000],
])('max_attachment: %s is %i bytes', (size, bytes) => {
  expect(parse(`max_attachment: ${size}\n${GOOD}`).maxAttachmentBytes).toBe(bytes);
});

it.each(['1 KiB', '0 kB', '10000 kB', '1.5 MB', '10mb', '1 GB', '1000000'])(
  'max_attachment: %s is refused with the forms that are taken',
  (size) => {
    const [fault, ...others] = faultsOf(`max_attachment: ${size}\n${GOOD}`);
    expect(others).toEqual([]);
    expect(fault).toMatch(
      /^deliveries\.yaml:1: max_attachment is .*: up to 9999 kB or MB, such as 500 kB\. Default: 10 MB\.$/,
    );
  },
);

it('secrets may stand in files beside the deliveries, but not in the deliveries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'password'), 'curious-heron\n');
  const read = (password: string) =>
    parseSetup(GOOD.replace(`"\${SMTP_PASSWORD}"`, password), join(folder, 'deliveries.yaml'), {
      catalogues,
      days,
      environment,
    });
  expect(read('file:password').mail?.password).toBe('curious-heron');
  expect(() => read('file:nothing')).toThrow("deliveries.yaml:2: smtp.password names a file that can't be read");
  expect(() => read('plain-otter')).toThrow(`deliveries.yaml:2: smtp.password stands in the file; write \${NAME}`);
});

it('what sends nothing needs no secret, and what sends one delivery needs those of that one', () => {
  const read = (sends?: string | null) =>
    parseSetup(GOOD, 'deliveries.yaml', { catalogues, days, environment: {}, sends });
  const notSet = (line: number, place: string, name: string) =>
    `deliveries.yaml:${line}: ${place} names the environment variable ${name}, which is not set`;
  const password = notSet(2, 'smtp.password', 'SMTP_PASSWORD');
  const [slack, server] = [
    notSet(21, 'deliveries[2].to[2].slack', 'SLACK_URL'),
    notSet(25, 'deliveries[3].to[1].postgres', 'PG_URL'),
  ];
  const { plans } = read(null);
  expect(plans.map(({ targets }) => targets.length)).toEqual(parse(GOOD).plans.map(({ targets }) => targets.length));
  expect(read('elsewhere').plans).toHaveLength(plans.length);
  expect(() => read()).toThrow(`\n  ${[password, slack, server].join('\n  ')}`);
  expect(() => read('month-end')).toThrow(`deliveries.yaml has a fault\n  ${password}`);
  expect(() => read('timesheets')).toThrow(`\n  ${[password, slack].join('\n  ')}`);
  expect(() => read('warehouse')).toThrow(`deliveries.yaml has a fault\n  ${server}`);
});

/** Changes of the good file, and the faults that they make. */
const FAULTS: readonly (readonly [change: string, to: string, fault: string])[] = [
  ['report: board', 'report: bored', 'deliveries.yaml:7: deliveries[1].report is wrong: There is no report "bored"'],
  [
    'period: last_month',
    'period: last_moon',
    'deliveries.yaml:8: deliveries[1].parameters.period "last_moon" is not a period',
  ],
  [
    'period: last_month',
    'perod: last_month',
    'deliveries.yaml:8: deliveries[1].parameters.perod perod is not a parameter of board',
  ],
  ['[xlsx]', '[docx]', 'deliveries.yaml:9: deliveries[1].formats[1] is "docx", not one of json, csv'],
  [
    'email: [finance',
    'mail: [finance',
    'deliveries.yaml:13: deliveries[1].to[1].mail is unknown; here are allowed email, each',
  ],
  [
    'finance@example.com',
    'finance@elsewhere.com',
    'deliveries.yaml:13: deliveries[1].to[1].email[1] "finance@elsewhere.com" is outside the domains example.com',
  ],
  ['finance@example.com', '"Finance <finance@example.com>"', 'is no plain address'],
  [
    'missing_hours gt 0',
    'missing_hours over 0',
    'deliveries.yaml:20: deliveries[2].where is "missing_hours over 0": nothing more is expected',
  ],
  ['missing_hours gt 0', 'missing_cost gt 0', 'missing_cost reveals a cost, so it needs rates: true'],
  [
    'name: timesheets',
    'name: month-end',
    'deliveries.yaml:16: deliveries[2].name is "month-end", like deliveries[1] already',
  ],
  ['0 7 3 * *', '0 7 31 2 *', 'deliveries.yaml:6: deliveries[1].when "0 7 31 2 *" never comes'],
  ['0 7 3 * *', '0 7 3 * MON', 'names a day of the month and a weekday'],
  ['0 7 3 * *', '0 7 3 *', 'has 4 fields instead of 5'],
  [
    'SLACK_URL',
    'TEAMS_URL',
    'deliveries.yaml:21: deliveries[2].to[2].slack names the environment variable TEAMS_URL, which is not set',
  ],
  ['{period}/', '{month}/', 'deliveries.yaml:14: deliveries[1].to[2].folder has {month}'],
  ['formats: [xlsx]', 'rows: any', 'deliveries.yaml:9: deliveries[1].rows is unknown'],
  ['    formats: [xlsx]\n', '', 'deliveries[1] has no formats for its files'],
  ['max_age: 2h', 'max_age: soon', 'deliveries.yaml:11: deliveries[1].max_age is "soon". The age of the data'],
  ['domains: [example.com]\n', '', 'needs domains'],
  ['each: person', 'each: client', 'is client, and no column of timesheets says whose a row is'],
  [
    'where: budget_forecast_percent gt 100',
    'insight: late',
    'deliveries.yaml:30: alerts[1].insight is "late", not one of budget_passed',
  ],
  [
    'where: budget_forecast_percent gt 100',
    'insight: loss',
    'deliveries.yaml:30: alerts[1].insight is "loss", which reveals a cost, so it needs rates: true',
  ],
  ['    report: projects\n', '', 'alerts[1] has no report'],
  [
    '  - email: [finance',
    '  - webhook: "https://ada:pw@example.com"\n      - email: [finance',
    'has a user or a password',
  ],
  ['page: https', 'page: ftp', 'deliveries.yaml:1: page is "ftp://reports.example.com/". The address of the page'],
  ['  - email: [finance', '  - slack: https://hooks.example.com\n      - email: [finance', 'slack stands in the file'],
  ['deliveries:\n', 'deliveries: [\n', 'deliveries.yaml:'],
  ['[lines, people]', '[line]', 'deliveries.yaml:24: deliveries[3].marts[1] is "line", not one of accounts'],
  ['[lines, people]', 'some', 'deliveries.yaml:24: deliveries[3].marts is "some". In place of a report'],
  ['marts: [lines', 'report: board\n    marts: [lines', 'deliveries[3] has report and marts'],
  ['    marts: [lines, people]\n', '', 'deliveries[3] has no report; write one of report and marts'],
  ['marts: [lines', 'where: hours gt 0\n    marts: [lines', 'deliveries[3].where belongs to a report'],
  ['marts: [lines, people]', 'report: board', 'is postgres, and postgres gets marts: write marts: all in place'],
  ['to: [{postgres', 'to: [{folder: out}, {postgres', 'marts go to postgres alone'],
  ['postgres: "', 'postgres: "postgres://', 'postgres stands in the file'],
  ['PG_URL', 'SLACK_URL', 'deliveries[3].to[1].postgres is no address such as postgres://host:5432/database'],
  ['rates: true', 'rates: some', 'deliveries.yaml:10: deliveries[1].rates is "some", not one of true, false, each'],
  ['rates: true', 'rates: each', 'deliveries[1].rates is each, and no file says who sees costs; write access'],
  ['remind: 7d', 'rates: each', 'alerts[1].rates is each, and an alert is judged once for all'],
  [
    'rates: true',
    'only: {deparment_id: 2}',
    'deliveries[1].only.deparment_id is unknown; here are allowed department_id',
  ],
  ['rates: true', 'only: {department_id: []}', 'deliveries[1].only.department_id is []'],
  ['marts: [lines, people]', 'marts: all\n    only: {client_id: 7}', 'deliveries[3].only belongs to a report'],
  ['problems: [data', 'only: {client_id: 7}\n    problems: [data', 'belongs to a report, and problems are of all data'],
  ['schema: plumbline', 'schema: "my schema"', 'deliveries.yaml:25: deliveries[3].to[1].schema is "my schema"'],
  ['schema: plumbline', 'schema: pg_catalog', 'schema is pg_catalog, which belongs to PostgreSQL itself'],
  ['each: person, email: true}', 'each: person, email: true, schema: x}', 'schema belongs to postgres'],
];

it.each(FAULTS)('%s, written as %s, is a fault with its line', (change, to, fault) => {
  expect(GOOD).toContain(change);
  expect(faultsOf(GOOD.replace(change, to)).join('\n')).toContain(fault);
});

/** Reports that can't be written as they are asked for, and the sentences that the reports themselves say. */
const REFUSED: readonly (readonly [report: string, parameters: string, formats: string, fault: string])[] = [
  ['pivot', 'group_by: "client,project", subtotals: true', '[json, csv]', 'subtotals CSV has rows alone'],
  ['pivot', 'group_by: "client,project", subtotals: true', '[ndjson]', 'subtotals NDJSON has rows alone'],
  ['projects', 'expand: phases', '[parquet]', "expand Parquet has no rows inside rows, so it can't hold the phases"],
  ['projects', 'insights: true', '[arrow]', 'insights Arrow has rows of plain values'],
  ['data-quality', 'causes: true', '[csv]', 'causes CSV has rows alone'],
  ['projects', 'per-page: 10', '[xlsx]', 'per-page A workbook has all rows of projects'],
  ['projects', 'sort: hats', '[csv]', 'sort sort names "hats"'],
  ['lines', 'fields: hats', '[csv]', 'fields fields names "hats"'],
  ['changes', 'from: closings, group_by: client, fields: project', '[csv]', 'fields fields names "project"'],
  ['changed-lines', 'from: closings, measure: actual_hours, fields: client', '[csv]', 'fields fields names "client"'],
  ['projects', 'fields: hats, baseline: kickoff', '[csv]', 'fields fields names "hats"'],
];

it.each(REFUSED)('%s with %s as %s is refused by the file, as by the report', (report, parameters, formats, fault) => {
  const text = `deliveries:
  - name: daily
    when: "0 7 * * *"
    report: ${report}
    parameters: {period: last_month, ${parameters}}
    formats: ${formats}
    to: [{folder: out}]
`;
  expect(faultsOf(text)).toEqual([expect.stringContaining(`deliveries.yaml:5: deliveries[1].parameters.${fault}`)]);
});

it('a condition is over the columns that the report shows', () => {
  const shown = GOOD.replace('{period: last_week}', '{period: last_week, fields: name}');
  expect(faultsOf(shown)).toEqual([
    expect.stringContaining('deliveries[2].where is "missing_hours gt 0": there is no property "missing_hours"'),
  ]);
});

it('the rights of each are those of people and accounts alone', () => {
  const text = GOOD.replace('rates: true', 'rates: each').replace('deliveries:', 'access: access.yaml\ndeliveries:');
  const fault =
    'deliveries[1].rates is each, which is for targets {each: person, email: true} or project_manager alone';
  expect(faultsOf(text)).toEqual([`deliveries.yaml:11: ${fault}`]);
  const own = text.replace(/ {4}to:\n(?: {6}.*\n)+/, '    to: [{each: project_manager, email: true}]\n');
  expect(parse(own.replace('report: board', 'report: projects'))).toMatchObject({
    accessFile: expect.stringMatching(/\/access\.yaml$/),
  });
});

it('all faults are told at once, in the order of their lines', () => {
  const found = faultsOf(
    GOOD.replace('report: board', 'report: bored').replace('gt 0', 'gt').replace('ops@', 'ops at '),
  );
  expect(found.map((fault) => /:(\d+):/.exec(fault)?.[1])).toEqual(['7', '20', '35']);
});

it('editors get the schema by which the file is read', async () => {
  await expect(`${JSON.stringify(DELIVERIES_SCHEMA, null, 1)}\n`).toMatchFileSnapshot(
    '../../docs/deliveries.schema.json',
  );
});
