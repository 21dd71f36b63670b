import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { expect, it } from 'vitest';
import { unzip } from '../../packages/xlsx/test/unzip.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { keep } from '../../src/doors/command/history/keep-command.ts';
import type { DeliveryRights } from '../../src/doors/deliver/content/ask-report.ts';
import { readRights } from '../../src/doors/deliver/content/own-rights.ts';
import { readRecipients } from '../../src/doors/deliver/content/own-rows.ts';
import type { PartFilters } from '../../src/numbers/report/source/part-views.ts';
import { openDelivered, startHooks, startMailServer } from './delivered.ts';

const BEFORE = '2026-06-03T04:59:00Z';
const DUE = '2026-06-03T05:00:00Z';

/** Reads all texts of a file; those of a workbook are packed. */
function textOf(name: string, bytes: Buffer): string {
  return name.endsWith('.xlsx') ? [...unzip(bytes).values()].join('\n') : bytes.toString();
}

/** Reads all texts of a mail and its files. */
function textOfMail({ subject, text, html, attachments }: Email): string {
  const files = attachments.map(({ filename, content }) => textOf(filename ?? '', Buffer.from(content as ArrayBuffer)));
  return [subject, text, html, ...files].join('\n');
}

async function readRows<Row>(database: string, sql: string): Promise<Row[]> {
  const opened = await openDatabase(database, { readOnly: true });
  return opened.rows<Row>(sql).finally(() => opened.close());
}

/** People whose department is outside 2 and those below it. */
const OUTSIDE = 'SELECT name FROM source.people WHERE department_id NOT IN (2, 5) OR department_id IS NULL';

it('a delivery of a part has nothing that lies outside it', { tags: ['slow'] }, async () => {
  const hooks = await startHooks();
  const { at, told, folder, database } = await openDelivered(
    `deliveries:
  - name: part
    when: "0 7 3 * *"
    report: people
    parameters: {period: last_month}
    only: {department_id: 2}
    rates: true
    formats: [csv, json]
    to: [{folder: "FOLDER/{period}"}, {webhook: "${hooks.url}"}]
`,
    BEFORE,
  );
  await at(BEFORE);
  await at(DUE);
  expect(told.map((line) => line.replace(/:.* /, ' ')).sort()).toEqual(['part folder sent', 'part webhook sent']);
  const out = join(folder, '2026-05');
  const texts = [
    ...readdirSync(out).map((name) => textOf(name, readFileSync(join(out, name)))),
    hooks.requests[0]?.body ?? '',
  ];
  expect(texts).toHaveLength(3);
  expect(JSON.parse(hooks.requests[0]?.body ?? '').rows.length).toBeGreaterThan(10);
  const outside = await readRows<{ name: string }>(database, OUTSIDE);
  expect(outside.length).toBeGreaterThan(10);
  for (const text of texts) expect(outside.filter(({ name }) => text.includes(name))).toEqual([]);
});

it('a delivery of a part tells no title that somebody gave to a kept state', { tags: ['slow'] }, async () => {
  const title = 'Before Ollery leaves';
  const { at, told, folder } = await openDelivered(
    `deliveries:
  - name: part
    when: "0 7 3 * *"
    report: changes
    parameters: {period: 2026-05, from: agreed}
    only: {department_id: 2}
    formats: [json, xlsx]
    to: [{folder: "FOLDER/{period}"}]
`,
    BEFORE,
    {},
    async (database) => {
      const written = { print: () => undefined };
      const context = { stderr: written, now: () => new Date(BEFORE) } as never;
      await keep.run(['agreed'], { database, label: title }, context);
    },
  );
  await at(BEFORE);
  await at(DUE);
  expect(told).toEqual([expect.stringContaining('sent')]);
  const out = join(folder, '2026-05');
  const texts = readdirSync(out).map((name) => textOf(name, readFileSync(join(out, name))));
  expect(texts.filter((text) => text.includes('agreed'))).toHaveLength(2);
  expect(texts.filter((text) => text.includes(title))).toEqual([]);
});

it('an address by a name that two clients have, or that is the id of another, belongs to none of them', {
  tags: ['slow'],
}, async () => {
  const found = [
    { id: 1, name: 'Acme', email: null },
    { id: 2, name: 'Acme', email: null },
    { id: 3, name: '4', email: null },
    { id: 4, name: 'Kestrel', email: null },
  ];
  const records = { rows: async () => found } as unknown as Database;
  const addresses = new Map(['Acme', '4', '2', 'Kestrel'].map((name) => [name, [`${name}@example.com`]]));
  const recipients = await readRecipients(new Set(['1', '2', '3', '4']), 'client', addresses, records);
  expect(recipients.map((each) => [each.id, ...each.addresses])).toEqual([
    ['1'],
    ['2', '2@example.com'],
    ['3'],
    ['4', '4@example.com'],
  ]);
});

it('an alert of a part is silent about projects on which others work, too', { tags: ['slow'] }, async () => {
  const hooks = await startHooks();
  const alert = (name: string, only: string) => `  - name: ${name}
    when: "0 7 3 * *"
    report: projects
    parameters: {period: this_year}
    where: budget_used_percent gt 0
    ${only}
    to: [{webhook: "${hooks.url}"}]
`;
  const { at, database } = await openDelivered(
    `alerts:\n${alert('all', 'rates: false')}${alert('part', 'only: {department_id: [2]}')}`,
    BEFORE,
  );
  await at(BEFORE);
  await at(DUE);
  const named = new Map(
    hooks.requests.map(({ body }) => {
      const { delivery, rows } = JSON.parse(body) as { delivery: string; rows: { project_id: number }[] };
      return [delivery, rows.map(({ project_id }) => String(project_id))];
    }),
  );
  const shared = await readRows<{ id: string }>(
    database,
    `SELECT DISTINCT CAST(project_id AS VARCHAR) AS id FROM core.ledger
     WHERE people_id IN (SELECT people_id FROM source.people WHERE name IN (${OUTSIDE}))`,
  );
  const ids = new Set(shared.map(({ id }) => id));
  expect(named.get('all')?.some((id) => ids.has(id))).toBe(true);
  expect(named.get('part')?.filter((id) => ids.has(id)) ?? []).toEqual([]);
});

const COSTS = 'actual_cost';

it('each recipient sees costs by the rights of the address, and no byte of a cost or a row of others', {
  tags: ['slow'],
}, async () => {
  const server = await startMailServer();
  const { at, told, folder, database } = await openDelivered(
    `${server.smtp}access: FOLDER/access.yaml
deliveries:
  - name: projects
    when: "0 7 3 * *"
    report: projects
    parameters: {period: last_month, project_manager: "301,303"}
    rates: each
    formats: [csv, xlsx]
    to: [{each: project_manager, email: true}]
  - name: costs
    when: "0 7 3 * *"
    report: projects
    parameters: {period: last_month}
    rates: true
    formats: [csv]
    to: [{folder: "FOLDER/{period}"}]
`,
    BEFORE,
  );
  writeFileSync(
    join(folder, 'access.yaml'),
    `rules:
  - {claim: email, is: grace@harbourpine.example, scopes: [reports, rates], all: true}
  - {claim: groups, has: interns, scopes: [reports], only: mine}
  - {claim: email, ends: "@harbourpine.example", scopes: [reports, rates], all: true}
`,
  );
  await at(BEFORE);
  await at(DUE);
  expect(told.filter((line) => line.includes('held'))).toEqual([]);
  const projects = await readRows<{ name: string; manager: string; email: string }>(
    database,
    `SELECT p.name, a.email, CAST(p.project_manager AS VARCHAR) AS manager
     FROM source.projects AS p JOIN source.accounts AS a ON a.account_id = p.project_manager`,
  );
  const [head = '', ...lines] = readFileSync(join(folder, '2026-05', 'costs-2026-05.csv'), 'utf8')
    .trim()
    .split('\r\n');
  const columns = head.split(',');
  const costs = lines.flatMap((line) => {
    const cells = line.split(',');
    const project = projects.find(({ name }) => line.includes(name));
    const cost = (cells[columns.indexOf(COSTS)] ?? '').replace(/0+$/, '');
    return project && /^[0-9]{4,}\.[0-9]/.test(cost) ? [{ cost, email: project.email }] : [];
  });
  expect(server.mails).toHaveLength(2);
  for (const mail of server.mails) {
    const to = mail.to?.[0]?.address ?? '';
    const text = textOfMail(mail);
    const own = projects.filter(({ email }) => email === to).map(({ name }) => name);
    const others = projects.filter(({ name }) => !own.some((each) => each.includes(name))).map(({ name }) => name);
    expect(
      own.some((name) => text.includes(name)),
      to,
    ).toBe(true);
    expect(
      others.filter((name) => text.includes(name)),
      to,
    ).toEqual([]);
    const shown = costs.filter(({ cost }) => text.includes(cost)).map(({ email }) => email);
    // The rule of groups might be that of the others, who don't sign in here.
    expect(new Set(shown), to).toEqual(new Set(to.startsWith('grace@') ? [to] : []));
    expect(text.includes(COSTS), to).toBe(to.startsWith('grace@'));
  }
});

it.each<[email: string, only: PartFilters | undefined, rights: DeliveryRights]>([
  ['grace@harbourpine.example', undefined, { seesRates: true, part: undefined }],
  ['GRACE@harbourpine.example', { client_id: [1] }, { seesRates: true, part: { client_id: [1] } }],
  [
    'nikolaos@harbourpine.example',
    { client_id: [1, 2] },
    { seesRates: true, part: { client_id: [2], department_id: [3] } },
  ],
  [
    'nikolaos@harbourpine.example',
    { department_id: [5] },
    { seesRates: true, part: { client_id: [2], department_id: [3], accounts: [[5]] } },
  ],
  [
    'aoife.brennan@harbourpine.example',
    { people_id: [101] },
    { seesRates: false, part: { people_id: [101], mine: { people_id: [101], project_manager: [] } } },
  ],
  ['somebody@harbourpine.example', undefined, { seesRates: false, part: undefined }],
])(
  '%s has the rights of the first rule, within the part of the delivery',
  { tags: ['slow'] },
  async (email, only, rights) => {
    const { folder, database } = await openDelivered('deliveries: []', BEFORE);
    const file = join(folder, 'access.yaml');
    writeFileSync(
      file,
      `rules:
  - {claim: email, is: grace@harbourpine.example, scopes: [reports, rates], all: true}
  - {claim: email, is: nikolaos@harbourpine.example, scopes: [reports, rates], only: {client_id: [2], department_id: 3}}
  - {claim: email, is: aoife.brennan@harbourpine.example, scopes: [reports], only: mine}
  - {claim: groups, has: interns, scopes: [reports], only: mine}
  - {claim: email, ends: "@harbourpine.example", scopes: [reports, rates], all: true}
`,
    );
    const records = await openDatabase(database, { readOnly: true });
    const rightsOf = await readRights(file, records, only);
    expect(await rightsOf(email).finally(() => records.close())).toEqual(rights);
  },
);

it('a report without sentences of its own says those about the own projects to each recipient', {
  tags: ['slow'],
}, async () => {
  const server = await startMailServer();
  const { at, told, database } = await openDelivered(
    `${server.smtp}deliveries:
  - name: board
    when: "0 7 3 * *"
    report: board
    parameters: {period: last_month}
    to: [{each: project_manager, email: true}]
`,
    BEFORE,
  );
  await at(BEFORE);
  await at(DUE);
  expect(told.length).toBeGreaterThan(1);
  const projects = await readRows<{ name: string; email: string }>(
    database,
    'SELECT projects.name, email FROM source.projects JOIN source.accounts ON account_id = project_manager',
  );
  for (const mail of server.mails) {
    const foreign = projects.filter(
      ({ email, name }) => email !== mail.to?.[0]?.address && textOfMail(mail).includes(name),
    );
    expect(foreign).toEqual([]);
  }
  expect(server.mails.some(({ text }) => text?.includes('The budget is at risk'))).toBe(true);
});
