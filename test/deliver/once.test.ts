import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { outboxLog } from '../../src/store/generation/generation-files.ts';
import { openDelivered, startHooks, startMailServer } from './delivered.ts';

/** A small report, which is due each day at 9 in Berlin. */
const DAILY = `deliveries:
  - name: daily
    when: "0 9 * * *"
    report: clients
    parameters: {period: yesterday}
    formats: [csv]
`;

it('of planned moments that passed while nobody ran, the newest is made up once, and marked late', {
  tags: ['slow'],
}, async () => {
  const server = await startMailServer();
  const text = `${server.smtp}${DAILY}    to: [{email: [a@example.com]}]\n`;
  const { at, restart, told, deliverer } = await openDelivered(text, '2026-05-04T08:00:00Z');
  await at('2026-05-04T08:00:00Z');
  await restart();
  await at('2026-05-08T12:00:00Z');
  await at('2026-05-08T12:01:00Z');
  expect(told).toEqual(['daily email:a@example.com sent']);
  expect([...deliverer.history().occurrences.keys()]).toEqual([]);
  expect(server.mails[0]?.text).toContain('This comes late: it was due at 2026-05-08 07:00 UTC.');
  expect(server.mails[0]?.subject).toContain('7 May 2026');
});

it('a clock that jumps a day on and back sends each moment once', { tags: ['slow'] }, async () => {
  const { at, told } = await openDelivered(
    `${DAILY}    to: [{folder: "FOLDER/out-{period}"}]\n`,
    '2026-05-04T08:00:00Z',
  );
  for (const moment of ['04T08:00', '05T07:00', '06T07:05', '05T07:10', '05T08:00', '06T07:00', '07T07:00', '06T07:30'])
    await at(`2026-05-${moment}:00Z`);
  expect(told.map((line) => /out-(\S+)/.exec(line)?.[1])).toEqual(['2026-05-04', '2026-05-05', '2026-05-06']);
});

it('what is sent now is the occurrence that is due, and a further one only when that has been', {
  tags: ['slow'],
}, async () => {
  const text = DAILY.replace('"0 9 * * *"', 'new_data').replace('yesterday', '2026-05');
  const { at, deliverer, told } = await openDelivered(
    `${text}    to: [{folder: "FOLDER/out-{period}"}]\n`,
    '2026-06-03T06:00:00Z',
  );
  const first = await deliverer.begin('daily');
  await at('2026-06-03T06:00:00Z');
  expect([...deliverer.history().occurrences.keys()]).toEqual([first]);
  const again = await deliverer.begin('daily');
  await at('2026-06-03T06:00:01Z');
  expect(again).toBe('daily@now-20260603T060000Z');
  expect([...deliverer.history().occurrences.keys()]).toEqual([first, again]);
  expect(told).toHaveLength(2);
});

it('occurrences of one delivery are made and sent one after the other, the oldest first', {
  tags: ['slow'],
}, async () => {
  const text = DAILY.replace('yesterday', '2026-05');
  const { at, database, deliverer, told } = await openDelivered(
    `${text}    to: [{folder: "FOLDER/out-{period}"}]\n`,
    '2026-06-03T06:00:00Z',
  );
  await at('2026-06-03T06:00:00Z');
  await deliverer.begin('daily');
  // Both write the same file.
  await at('2026-06-03T07:00:00Z');
  const log = readFileSync(outboxLog(database), 'utf8').trim().split('\n');
  const events = log.map((line) => JSON.parse(line) as { event: string; id?: string });
  const ids = [...deliverer.history().occurrences.keys()];
  expect(ids).toEqual(['daily@now-20260603T060000Z', 'daily@20260603T070000Z']);
  const inOrder = (names: string[]) =>
    events.flatMap(({ event, id }) => (names.includes(event) ? [`${event} ${id}`] : []));
  expect(inOrder(['made'])).toEqual(ids.map((id) => `made ${id}`));
  expect(inOrder(['sending', 'sent'])).toEqual(ids.flatMap((id) => [`sending ${id}`, `sent ${id}`]));
  expect(told.map((line) => line.split(' ').at(-1))).toEqual(['sent', 'sent']);
});

it('a mail whose answer never came is sent again with its id, and says so', { tags: ['slow'] }, async () => {
  const server = await startMailServer();
  const text = `${server.smtp}${DAILY}    to: [{email: [a@example.com, b@example.com]}]\n`;
  const { at, told } = await openDelivered(text, '2026-05-04T06:00:00Z');
  await at('2026-05-04T06:00:00Z');
  server.onMail = () => false;
  server.onRecipient = (address) => (address.startsWith('b@') ? new Error('No such person here') : undefined);
  await at('2026-05-04T07:00:00Z');
  expect(told.sort()).toEqual([
    expect.stringMatching(/^daily email:a@example.com retrying: 127.0.0.1:\d+ didn't answer after the mail/),
    expect.stringMatching(/^daily email:b@example.com retrying: 127.0.0.1:\d+ refused b@example.com/),
  ]);
  server.onMail = () => true;
  server.onRecipient = () => undefined;
  await at('2026-05-04T07:00:30Z');
  expect(told).toHaveLength(2);
  await at('2026-05-04T07:01:00Z');
  expect(told.slice(2).sort()).toEqual(['daily email:a@example.com sent', 'daily email:b@example.com sent']);
  const [first, ...later] = server.mails;
  const [again, other] = later.sort((one, two) =>
    (one.to?.[0]?.address ?? '').localeCompare(two.to?.[0]?.address ?? ''),
  );
  expect(again?.messageId).toBe(first?.messageId);
  expect(again?.text?.startsWith('This may have reached you before.\n\n')).toBe(true);
  expect(other?.text).not.toContain('before');
  expect(again?.attachments[0]?.content).toEqual(first?.attachments[0]?.content);
});

it('a mail server that refuses a recipient or the sender is quoted, and the others get their mails', {
  tags: ['slow'],
}, async () => {
  const server = await startMailServer();
  const text = `${server.smtp}${DAILY}    to: [{email: [a@example.com, b@example.com, c@example.com]}]\n`;
  const { at, told } = await openDelivered(text, '2026-05-04T06:00:00Z');
  await at('2026-05-04T06:00:00Z');
  const refuse = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });
  server.onRecipient = (address) => (address.startsWith('b@') ? refuse(550, '5.1.1 No such user') : undefined);
  await at('2026-05-04T07:00:00Z');
  expect(told.sort()).toEqual([
    'daily email:a@example.com sent',
    expect.stringMatching(
      /^daily email:b@example.com retrying: [\d.:]+ refused b@example.com: 550 5\.1\.1 No such user$/,
    ),
    'daily email:c@example.com sent',
  ]);
  server.onSender = () => refuse(553, '5.7.1 Not your address');
  await at('2026-05-04T07:02:00Z');
  expect(told.slice(3)).toEqual([
    expect.stringMatching(
      /retrying: [\d.:]+ refused the sender Reports <reports@example.com>: 553 5\.7\.1 Not your address\. Check from of smtp\.$/,
    ),
  ]);
});

it('a process that ends in the middle sends the same bytes again, though the data have changed', {
  tags: ['slow'],
}, async () => {
  const hooks = await startHooks();
  const text = `${DAILY}    to: [{folder: "FOLDER/gone/{name}"}, {webhook: "${hooks.url}"}]\n`;
  const { at, restart, told, database, folder } = await openDelivered(text, '2026-05-04T06:00:00Z');
  await at('2026-05-04T06:00:00Z');
  hooks.answer = { status: 503, body: 'later' };
  await at('2026-05-04T07:00:00Z');
  // No target waits for another one, so they may fail in any order.
  expect(told.map((line) => line.split(' ').slice(0, 3).join(' ').replace(/:.* r/, ' r')).sort()).toEqual([
    'daily folder retrying:',
    'daily webhook retrying:',
  ]);
  expect(told.join('\n')).toContain('There is no folder');
  const [kept = ''] = readdirSync(join(folder, 'company.deliveries'));
  const bytes = readFileSync(join(folder, 'company.deliveries', kept, 'daily-2026-05-03.csv'), 'utf8');
  // As if the process had ended while it sent.
  const log = database.replace('.duckdb', '.deliveries.ndjson');
  const lines = readFileSync(log, 'utf8').split('\n');
  const cut = lines.findLastIndex((line) => line.includes('"failed"'));
  await restart();
  writeFileSync(log, [...lines.slice(0, cut), '{"event":"fai'].join('\n'));
  hooks.answer = { status: 200, body: '' };
  rmSync(database);
  await restart();
  await at('2026-05-04T07:02:00Z');
  expect(told).toContainEqual(expect.stringMatching(/^daily webhook:\w+ sent$/));
  const [first, second] = hooks.requests;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(bytes).toMatch(/^client_id,/);
});

it('data that are too old are waited for, then it says so instead of sending them', { tags: ['slow'] }, async () => {
  const server = await startMailServer();
  const text = `${server.smtp}${DAILY}    max_age: 1h\n    wait: 30m\n    to: [{email: [a@example.com]}, {folder: FOLDER}]\n`;
  const { at, told, deliverer, folder } = await openDelivered(text, '2030-05-04T06:00:00Z');
  await at('2030-05-04T06:00:00Z');
  for (const minute of ['00', '10', '29']) await at(`2030-05-04T07:${minute}:00Z`);
  expect(told).toHaveLength(1);
  await at('2030-05-04T07:30:00Z');
  expect(told.at(-1)).toBe('daily email:a@example.com sent');
  const [mail] = server.mails;
  expect(mail?.subject).toBe('Not sent · daily · Harbour & Pine');
  expect(mail?.text).toMatch(/^daily is not sent: The records are \d+ minutes old/);
  expect(mail?.attachments).toEqual([]);
  const [occurrence] = deliverer.history().occurrences.values();
  expect(occurrence?.made).toMatchObject({ problem: 'data_too_old' });
  expect(readdirSync(folder).filter((name) => name.endsWith('.csv'))).toEqual([]);
});

it('a report whose check fails is not sent: the message says which check (D4)', { tags: ['slow'] }, async () => {
  const server = await startMailServer();
  const text = DAILY.replace('report: clients', 'report: projects').replace('yesterday', '2026-05');
  const { at, told, folder, deliverer } = await openDelivered(
    `${server.smtp}${text}    rates: true\n    to: [{email: [a@example.com]}, {folder: FOLDER/out}]\n`,
    '2026-06-03T06:00:00Z',
    {},
    async (file) => {
      const database = await openDatabase(file);
      await database.run("UPDATE core.ledger SET hours = hours + 1 WHERE kind = 'actual'");
      await database.close();
    },
  );
  await at('2026-06-03T06:00:00Z');
  await at('2026-06-03T07:00:00Z');
  const why = 'The report does not tie out (labour hours';
  expect(told).toEqual([expect.stringContaining(why), 'daily email:a@example.com sent']);
  const [mail] = server.mails;
  expect(mail?.subject).toBe('Not sent · daily · Harbour & Pine');
  expect(mail?.text).toContain(why);
  expect(readdirSync(folder)).not.toContain('out');
  const [occurrence] = deliverer.history().occurrences.values();
  expect(occurrence?.made).toMatchObject({ problem: 'check_failed' });
});

it('a target that fails for 24 hours is given up', { tags: ['slow'] }, async () => {
  const hooks = await startHooks();
  const { at, told, deliverer } = await openDelivered(
    `${DAILY}    to: [{webhook: "${hooks.url}"}]\n`.replace('* * *', '4 5 *'),
    '2026-05-04T06:00:00Z',
  );
  await at('2026-05-04T06:00:00Z');
  hooks.answer = { status: 500, body: 'broken' };
  const start = Date.parse('2026-05-04T07:00:00Z');
  for (let minute = 0; minute <= 25 * 60; minute += 20) await at(new Date(start + minute * 60_000).toISOString());
  expect(told.at(-1)).toMatch(/failed: 127.0.0.1:\d+ answered with status 500: broken$/);
  expect(told.length).toBeGreaterThan(20);
  expect(told.length).toBeLessThan(35);
  const [occurrence] = deliverer.history().occurrences.values();
  expect(occurrence?.doneAt).toBeDefined();
});

it('messages that are gone are looked for again for 24 hours, then they are given up, and what comes later arrives', {
  tags: ['slow'],
}, async () => {
  const hooks = await startHooks();
  const text = `${DAILY}    to: [{webhook: "${hooks.url}"}]\n`;
  const { at, told, deliverer, folder } = await openDelivered(text, '2026-05-04T06:00:00Z');
  hooks.answer = { status: 500, body: 'broken' };
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  hooks.answer = { status: 200, body: '' };
  const [outbox = ''] = readdirSync(join(folder, 'company.deliveries'));
  const list = join(folder, 'company.deliveries', outbox, 'messages.json');
  writeFileSync(list, '[{');
  await at('2026-05-04T07:02:00Z');
  rmSync(join(folder, 'company.deliveries', outbox), { recursive: true });
  await at('2026-05-04T07:10:00Z');
  const why = (state: string) => `${list} is ${state}, so what was to be sent is lost`;
  const lines = told.map((line) => line.replace(/webhook:\w+/, 'webhook'));
  expect(lines.slice(1)).toEqual([
    expect.stringContaining(`daily webhook retrying: ${why('damaged')}`),
    expect.stringContaining(`daily webhook retrying: ${why('gone')}`),
  ]);
  expect(lines.at(-1)).toContain('send the delivery anew: plumbline deliver NAME --now.');
  await at('2026-05-05T07:01:00Z');
  await at('2026-05-05T08:01:00Z');
  const [first, second] = deliverer.history().occurrences.values();
  expect([...(first?.sendings.values() ?? [])]).toEqual([
    expect.objectContaining({ state: 'failed', why: expect.stringContaining(why('gone')) }),
  ]);
  expect([first?.doneAt, second?.doneAt]).toEqual([expect.any(String), expect.any(String)]);
  expect(hooks.requests).toHaveLength(2);
});

it('a file that is too large for a mail is not cut: the mail says where it is', { tags: ['slow'] }, async () => {
  const server = await startMailServer();
  const text = `max_attachment: 1 kB\n${server.smtp}${DAILY.replace('yesterday', 'this_year')}    to: [{email: [a@example.com]}]\n`;
  const { at } = await openDelivered(text, '2026-05-04T06:00:00Z');
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  expect(server.mails[0]?.attachments).toEqual([]);
  expect(server.mails[0]?.text).toMatch(/\.csv has [1-9]\d* kB, more than a mail may hold: open it from the page\./);
});
