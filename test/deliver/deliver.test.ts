import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDelivered, startHooks, startMailServer } from './delivered.ts';

const MONTH_END = `deliveries:
  - name: month-end
    when: "0 7 3 * *"
    report: projects
    parameters: {period: last_month}
    formats: [csv]
`;

it('a file is renamed into its folder at its moment, once', { tags: ['slow'] }, async () => {
  const { at, folder, told, deliverer, database } = await openDelivered(
    `${MONTH_END}    to: [{folder: "FOLDER/out-{period}"}]\n`,
    '2026-06-03T04:59:00Z',
  );
  await at('2026-06-03T04:59:30Z');
  expect(told).toEqual([]);
  await at('2026-06-03T05:00:00Z');
  await at('2026-06-03T05:00:01Z');
  expect(told).toEqual([`month-end folder:${folder}/out-2026-05 sent`]);
  expect(readdirSync(join(folder, 'out-2026-05'))).toEqual(['month-end-2026-05.csv']);
  expect(readFileSync(join(folder, 'out-2026-05', 'month-end-2026-05.csv'), 'utf8')).toMatch(/^project_id,/);
  const [occurrence] = deliverer.history().occurrences.values();
  expect(occurrence).toMatchObject({ id: 'month-end@20260603T050000Z', isLate: false });
  expect(occurrence?.doneAt).toBeDefined();
  expect(readdirSync(join(folder, 'company.deliveries'))).toEqual([]);
  expect(statSync(database.replace('.duckdb', '.deliveries.ndjson')).mode & 0o777).toBe(0o600);
});

it('a mail says the worst first, three numbers with their lines, and has the file', { tags: ['slow'] }, async () => {
  const server = await startMailServer();
  const { at, told } = await openDelivered(
    `${server.smtp}${MONTH_END}    rates: true\n    to: [{email: [finance@example.com, ada@example.com]}]\n`,
    '2026-06-03T04:00:00Z',
  );
  await at('2026-06-03T04:00:01Z');
  await at('2026-06-03T05:00:00Z');
  expect(told).toEqual(['month-end email:finance@example.com sent', 'month-end email:ada@example.com sent']);
  const [mail, other] = server.mails;
  expect(mail?.to).toEqual([{ address: 'finance@example.com', name: '' }]);
  expect(other?.messageId).not.toBe(mail?.messageId);
  expect(mail?.subject).toBe('Projects, May 2026 · Harbour & Pine');
  expect(mail?.attachments.map(({ filename }) => filename)).toEqual(['month-end-2026-05.csv']);
  await expect(mail?.text?.replace(/Data version .*/, 'Data version X')).toMatchFileSnapshot('expected/month-end.txt');
  await expect(mail?.html?.replace(/Data version [^<]*/, 'Data version X')).toMatchFileSnapshot(
    'expected/month-end.html.txt',
  );
});

it('each person gets the own rows at the address of the record, and no byte of somebody else', {
  tags: ['slow'],
}, async () => {
  const server = await startMailServer();
  const { at, told } = await openDelivered(
    `${server.smtp}deliveries:
  - name: timesheets
    when: "0 9 * * MON"
    report: timesheets
    parameters: {period: last_week, interval: none}
    where: missing_hours gt 0
    formats: [csv]
    to: [{each: person, email: true}]
`,
    '2026-06-01T06:00:00Z',
  );
  await at('2026-06-01T06:00:01Z');
  await at('2026-06-01T07:00:00Z');
  const sent = told.filter((line) => line.endsWith('@harbourpine.example sent'));
  expect(server.mails).toHaveLength(sent.length);
  expect(sent.length).toBeGreaterThan(3);
  const unsent = told.filter((line) => !sent.includes(line));
  for (const line of unsent) expect(line).toMatch(/ has no address in the records$/);
  const names = server.mails.map(({ text = '' }) => /^- (.*?),/m.exec(text)?.[1] ?? '');
  expect(new Set(names).size).toBe(names.length);
  for (const [index, { text = '', html = '', attachments }] of server.mails.entries()) {
    const files = attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString('utf8'));
    const all = [text, html, ...files].join('\n');
    for (const [other, name] of names.entries())
      expect(all.includes(name), `${names[index]} and ${name}`).toBe(other === index);
  }
});

it('webhooks are signed, Slack and Teams get cards, and an error inside an answer of success is a failure', {
  tags: ['slow'],
}, async () => {
  const hooks = await startHooks();
  const { at, told } = await openDelivered(
    `deliveries:
  - name: late
    when: "0 9 * * MON"
    report: timesheets
    parameters: {period: last_week, interval: none}
    where: missing_hours gt 0
    to: [{webhook: "${hooks.url}", secret: "\${KEY}"}, {slack: "\${SLACK}"}, {teams: "\${TEAMS}"}]
`,
    '2026-05-25T06:00:00Z',
    { KEY: 'very-secret-key', SLACK: `${hooks.url}?slack`, TEAMS: `${hooks.url}?teams` },
  );
  await at('2026-05-25T06:00:01Z');
  await at('2026-05-25T07:00:00Z');
  expect(told.map((line) => line.replace(/:[0-9a-f]{8}/, ''))).toEqual([
    'late webhook sent',
    'late slack sent',
    'late teams sent',
  ]);
  const [webhook, slack, teams] = hooks.requests;
  const time = String(webhook?.headers['x-plumbline-time']);
  const digest = createHmac('sha256', 'very-secret-key').update(`${time}.${webhook?.body}`).digest('hex');
  expect(webhook?.headers['x-plumbline-signature']).toBe(`sha256=${digest}`);
  const body = JSON.parse(webhook?.body ?? '');
  expect(body).toMatchObject({
    delivery: 'late',
    occurrence: 'late@20260525T070000Z',
    period: { start_date: '2026-05-18' },
  });
  expect(body.rows).toHaveLength(body.row_count);
  const { blocks } = JSON.parse(slack?.body ?? '');
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) expect(block.text?.text.length ?? 0).toBeLessThanOrEqual(3000);
  expect(JSON.parse(teams?.body ?? '').attachments[0].content.type).toBe('AdaptiveCard');
  expect(Buffer.byteLength(teams?.body ?? '')).toBeLessThan(28_000);
  hooks.answer = { status: 200, body: '{"ok":false,"error":"channel_not_found"}' };
  await at('2026-06-01T07:00:00Z');
  expect(told.slice(3).map((line) => /retrying: .*?: (.*)$/.exec(line)?.[1])).toEqual(
    Array(3).fill('{"ok":false,"error":"channel_not_found"}'),
  );
  hooks.answer = { status: 307, body: '', headers: { location: 'http://127.0.0.1:9/' } };
  await at('2026-06-01T07:10:00Z');
  expect(told.at(-1)).toContain("redirects (status 307), which isn't followed");
  hooks.answer = { status: 202, body: '' };
  await at('2026-06-01T07:20:00Z');
  expect(told.at(-1)).toMatch(/teams:\w+ accepted$/);
});

it('rows of a person in several weeks are named with the week', { tags: ['slow'] }, async () => {
  const server = await startMailServer();
  const { at } = await openDelivered(
    `${server.smtp}deliveries:
  - name: weeks
    when: "0 9 * * *"
    report: timesheets
    parameters: {period: 2026-05}
    where: missing_hours gt 0
    to: [{email: [ada@example.com]}]
`,
    '2026-06-01T06:00:00Z',
  );
  await at('2026-06-01T06:00:00Z');
  await at('2026-06-01T07:00:00Z');
  const names = [...(server.mails[0]?.text ?? '').matchAll(/^- (.*)$/gm)].map(([, name]) => name ?? '');
  expect(names).toHaveLength(10);
  expect(new Set(names).size).toBe(10);
  for (const name of names) expect(name).toMatch(/, 2026-05-(01|04|11|18|25)$/);
});

it('a file in the place of a folder is named', { tags: ['slow'] }, async () => {
  const { at, told, folder } = await openDelivered(
    `${MONTH_END}    to: [{folder: "FOLDER/company.duckdb"}]\n`,
    '2026-06-03T04:59:00Z',
  );
  await at('2026-06-03T04:59:30Z');
  await at('2026-06-03T05:00:00Z');
  const place = `${folder}/company.duckdb`;
  expect(told).toEqual([
    `month-end folder:${place} retrying: ${place} is no folder. Name a folder in deliveries.yaml.`,
  ]);
});
