// @module-tag slow
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startFakeBucket } from '../lake/fake-bucket.ts';
import { openDelivered, startMailServer } from './delivered.ts';

/** The files in docs/delivery.md. */
const [MONTH_END = '', ALERTS = ''] = [
  ...readFileSync('docs/delivery.md', 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g),
].map(([, text = '']) => text.replace(/^page: .*\n/m, ''));

it('the month end of the documentation comes by itself, as it says', { tags: ['slow'] }, async () => {
  const server = await startMailServer();
  const text = MONTH_END.replace(/^smtp: .*\ndomains: .*\n/m, server.smtp)
    .replace('/srv/reports', 'FOLDER/reports')
    .replace('folder: FOLDER/reports/{period}', 'folder: "FOLDER/reports/{period}"')
    .replace('    max_age: 1d\n', '');
  const { at, told, folder } = await openDelivered(text, '2026-06-03T04:59:00Z');
  mkdirSync(join(folder, 'reports'));
  await at('2026-06-03T04:59:00Z');
  await at('2026-06-03T05:00:00Z');
  expect(told.sort()).toEqual([
    `month-end email:finance@example.com sent`,
    `month-end folder:${folder}/reports/2026-05 sent`,
  ]);
  const [mail] = server.mails;
  expect(mail?.subject).toBe('Board pack, May 2026 · Harbour & Pine');
  const attached = Buffer.from(mail?.attachments[0]?.content as ArrayBuffer);
  expect(attached.equals(readFileSync(join(folder, 'reports', '2026-05', 'month-end-2026-05.xlsx')))).toBe(true);
});

it('the alerts of the documentation are right', async () => {
  const server = await startMailServer();
  await openDelivered(server.smtp + ALERTS, '2026-06-03T04:59:00Z', { PG_URL: 'postgres://db/warehouse' });
});

const DAILY = `deliveries:
  - name: daily
    when: "0 9 * * *"
    report: clients
    parameters: {period: yesterday}
    formats: [csv]
`;

it('files go into a bucket under their names', { tags: ['slow'] }, async () => {
  const bucket = await startFakeBucket();
  for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
  const { at, told } = await openDelivered(
    `${DAILY}    to: [{s3: "s3://lake/{name}/{period}"}]\n`,
    '2026-05-04T06:00:00Z',
  );
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  await bucket.close();
  vi.unstubAllEnvs();
  expect(told).toEqual(['daily s3:s3://lake/daily/2026-05-03 sent']);
  expect([...bucket.objects.keys()]).toEqual(['daily/2026-05-03/daily-2026-05-03.csv']);
});

it('a mail goes by STARTTLS, and not at all to a server that offers none', { tags: ['slow'] }, async () => {
  const [server, open] = [await startMailServer('starttls'), await startMailServer('none')];
  const text = `${DAILY}    to: [{email: [a@example.com]}]\n`;
  const { at, told, setup } = await openDelivered(server.smtp + text, '2026-05-04T06:00:00Z');
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  expect(told).toEqual(['daily email:a@example.com sent']);
  expect(server.mails).toHaveLength(1);
  setup(open.smtp + text);
  await at('2026-05-05T07:00:00Z');
  expect(told[1]).toMatch(
    /retrying: 127.0.0.1:\d+ offers no TLS: .*Use a server with STARTTLS, or tls: true; .* tls: none\.$/,
  );
  expect(open.mails).toEqual([]);
});

it('a mail server with a certificate that nobody trusts, and one that is gone, get sentences', async () => {
  const server = await startMailServer();
  vi.unstubAllEnvs();
  const { at, told, setup } = await openDelivered(
    `${server.smtp}${DAILY}    to: [{email: [a@example.com]}]\n`,
    '2026-05-04T06:00:00Z',
  );
  await at('2026-05-04T06:00:00Z');
  await at('2026-05-04T07:00:00Z');
  expect(told[0]).toMatch(/The certificate of 127.0.0.1:\d+ can't be trusted: .*NODE_EXTRA_CA_CERTS\.$/);
  setup(`${server.smtp.replace(/port: \d+/, 'port: 9')}${DAILY}    to: [{email: [a@example.com]}]\n`);
  await at('2026-05-04T07:01:00Z');
  expect(told[1]).toContain("127.0.0.1:9 can't be reached: connect ECONNREFUSED");
  const plain = await startMailServer('none');
  setup(`${plain.smtp.replace('tls: false', 'tls: true')}${DAILY}    to: [{email: [a@example.com]}]\n`);
  await at('2026-05-04T07:05:00Z');
  expect(told[2]).toMatch(
    /127.0.0.1:\d+ doesn't speak TLS from the first byte, or .* Write tls: true for a port such as 465/,
  );
  expect([...server.mails, ...plain.mails]).toEqual([]);
});
