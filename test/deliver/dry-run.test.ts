import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import type { Command, Flags } from '../../src/doors/command/command.ts';
import { deliver } from '../../src/doors/deliver/command/deliver-command.ts';
import { deliveries } from '../../src/doors/deliver/command/deliveries-command.ts';
import { openDelivered } from './delivered.ts';

const FILE = `page: https://reports.example.com
smtp: {host: 127.0.0.1, from: "Reports <reports@example.com>"}
domains: [example.com]
deliveries:
  - name: timesheets
    when: closed
    report: timesheets
    parameters: {start_date: 2026-05-25, end_date: 2026-05-31}
    where: missing_hours gt 0
    to: [{email: [ada@example.com]}]
  - name: none
    when: closed
    report: timesheets
    parameters: {start_date: 2026-05-25, end_date: 2026-05-31}
    where: missing_hours gt 900
    to: [{email: [ada@example.com]}]
alerts:
  - name: budgets
    report: projects
    rates: true
    parameters: {period: 2026-05}
    where: budget_forecast_percent gt 100
    to: [{email: [ada@example.com]}]
  - name: operations
    problems: [delivery_failed]
    to: [{email: [ada@example.com]}]
  - name: unset
    report: projects
    parameters: {period: 2026-05}
    where: budget_forecast_percent gt 100
    to: [{slack: "$\{A_URL_THAT_IS_NOT_SET}"}]
`;

/** Runs a command, and returns the lines that it prints. */
async function print(command: Command, positionals: string[], flags: Flags): Promise<string[]> {
  const lines: string[] = [];
  const printed = {
    print: (...each: string[]) => void lines.push(...each),
    write: (parts: Iterable<string>) => void lines.push(...parts),
    isTTY: false,
  };
  const context = { stdout: printed, stderr: printed, now: () => new Date('2026-06-03T06:00:00Z') } as never;
  await command.run(positionals, flags, context);
  return lines;
}

it('a secret that is not set is a fault for a check, and the list asks for none', { tags: ['slow'] }, async () => {
  const { folder, database } = await openDelivered('deliveries: []\n', '2026-06-03T06:00:00Z');
  const file = join(folder, 'deliveries.yaml');
  writeFileSync(file, FILE);
  await expect(print(deliveries, ['check', file], { database })).rejects.toThrow(
    'deliveries.yaml:31: alerts[3].to[1].slack names the environment variable A_URL_THAT_IS_NOT_SET, which is not set',
  );
  const [list = ''] = await print(deliveries, [], { database, deliveries: file });
  expect(JSON.parse(list).deliveries).toHaveLength(5);
  await expect(print(deliver, ['unset'], { database, deliveries: file })).rejects.toThrow('which is not set');
});

it('a dry run writes what a delivery, an alert and one about problems would send, and sends nothing (D1)', {
  tags: ['slow'],
}, async () => {
  const { folder, database } = await openDelivered('deliveries: []\n', '2026-06-03T06:00:00Z');
  const file = join(folder, 'deliveries.yaml');
  writeFileSync(file, FILE);
  const output = join(folder, 'out');
  const run = (name: string) => print(deliver, [name], { 'dry-run': true, deliveries: file, database, output });
  const read = () => PostalMime.parse(readFileSync(join(output, '1-email.eml')));
  expect(await run('timesheets')).toEqual([
    'email:ada@example.com: 1-email.eml',
    `Nothing was sent. The messages are in ${output}.`,
  ]);
  const reminder = (await read()).text ?? '';
  // The condition stands before all else, and its number before all others.
  expect(reminder).toMatch(/^Timesheets, .*\n\nMissing hours above 0 h: 6 rows\.\n\nMissing hours: 39\.50 h\n/);
  await run('budgets');
  const alert = await read();
  expect(alert.subject).toMatch(/^\d+ new · budgets, May 2026 · /);
  expect(alert.text).toMatch(/^- New: .*\n {2}Budget forecast % of budget: 1/m);
  expect((await run('unset'))[0]).toMatch(/^slack:[0-9a-f]{8}: 1-slack\.json$/);
  expect(await run('operations')).toEqual([
    'operations: nothing was sent: no problem has begun or ended since the last message.',
  ]);
  expect(readdirSync(output)).toEqual([]);
  const send = (name: string) => print(deliver, [name], { now: true, deliveries: file, database });
  expect(await send('none')).toEqual([
    expect.stringMatching(/^none: nothing was sent: of the \d+ rows looked at, none meets the condition\.$/),
  ]);
  expect(await send('operations')).toEqual([
    'operations: nothing was sent: no problem has begun or ended since the last message.',
  ]);
});
