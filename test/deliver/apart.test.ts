import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import type { DeliveryStatus } from '../../src/doors/deliver/delivery-status.ts';
import { readHistory } from '../../src/doors/deliver/occurrence/delivery-log.ts';
import { runProcess, startServer } from '../errors/program.ts';
import { eventually } from '../eventually.ts';
import { copyLoaded } from '../loaded.ts';
import { openDelivered } from './delivered.ts';
import { startSilent, startSilentHook, startSilentMail, startSilentPostgres } from './silent.ts';

/** The longest that a stop takes, whatever is silent. Unit: ms. */
const STOP_MS = 10_000;

/** A report that is due each minute. */
const report = (name: string, to: string) =>
  `  - {name: ${name}, when: "* * * * *", report: clients, parameters: {period: 2026-05}, formats: [csv], to: [${to}]}\n`;

const marts = (name: string, variable: string) =>
  `  - {name: ${name}, when: "* * * * *", marts: [roles], to: [{postgres: "\${${variable}}"}]}\n`;

/** Starts a silent counterpart of each kind, and returns deliveries to each of them, and one to a folder. */
async function startAll() {
  const [mail, first, second, hook, store] = [
    await startSilentMail('EHLO'),
    await startSilentPostgres('statement'),
    await startSilentPostgres('notices'),
    await startSilentHook('body'),
    await startSilent(),
  ];
  const aws = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'ada', AWS_SECRET_ACCESS_KEY: 'private-key' };
  const pg = { PG1: `postgres://127.0.0.1:${first.port}/db`, PG2: `postgres://127.0.0.1:${second.port}/db` };
  const environment = { ...aws, ...pg, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${store.port}` };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const targets = `{email: [a@example.com]}, {webhook: "http://127.0.0.1:${hook.port}"}, {s3: "s3://lake"}, {folder: "FOLDER/beside-{period}"}`;
  const smtp = `smtp: {host: 127.0.0.1, port: ${mail.port}, tls: none, from: a@example.com}\ndomains: [example.com]\n`;
  const lists = [marts('pg1', 'PG1'), marts('pg2', 'PG2'), report('mixed', targets)];
  const text = `${smtp}deliveries:\n${lists.join('')}${report('files', '{folder: "FOLDER/out-{period}"}')}`;
  return { text, environment, servers: [mail, first, second, hook, store] };
}

it('silent counterparts of each kind hold up no other target, no other delivery and no later moment', {
  tags: ['slow'],
}, async () => {
  const { text, environment, servers } = await startAll();
  const { beginAt, told, deliverer, restart, database } = await openDelivered(
    text,
    '2026-06-03T06:00:00Z',
    environment,
  );
  await beginAt('2026-06-03T06:00:00Z');
  for (const minute of ['01', '02', '03']) {
    await beginAt(`2026-06-03T06:${minute}:00Z`);
    await eventually(() => expect(told.filter((line) => line.startsWith('files '))).toHaveLength(Number(minute)));
    await eventually(() => expect(told.filter((line) => /^mixed folder/.test(line))).toHaveLength(Number(minute)));
  }
  expect(told.filter((line) => !line.endsWith(' sent'))).toEqual([]);
  // Only the first occurrence is at the counterpart: the later ones wait behind it.
  for (const server of servers) expect(server.open()).toBe(1);
  const states = () =>
    [...deliverer.history().occurrences.values()].map(({ name, sendings }) =>
      [name, ...[...sendings.values()].map(({ key, state }) => `${key.split(':')[0]} ${state}`)].join(', '),
    );
  const first = ['pg1, postgres sending', 'pg2, postgres sending'];
  expect(states().slice(0, 3)).toEqual([...first, expect.stringMatching(/email sending.*webhook sending/)]);
  const before = performance.now();
  await restart();
  expect(performance.now() - before).toBeLessThan(STOP_MS);
  for (const server of servers) await eventually(() => expect(server.open()).toBe(0));
  const { occurrences } = await readHistory(database);
  expect([...occurrences.values()].flatMap(({ sendings }) => [...sendings.values()]).some(({ why }) => why)).toBe(
    false,
  );
});

it('a server with silent counterparts of each kind stops within 10 s, and begins again what it cut off', {
  tags: ['slow'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-apart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const { text, servers } = await startAll();
  const [database, file] = [join(folder, 'company.duckdb'), join(folder, 'deliveries.yaml')];
  writeFileSync(file, text.replaceAll('FOLDER', folder).replaceAll('* * * * *', 'closed'));
  const start = () => startServer(database, { flags: ['--deliveries', file] });
  const stop = async ({ program }: Awaited<ReturnType<typeof start>>) => {
    const begun = performance.now();
    program.signal('SIGTERM');
    expect(await program.outcome).toMatchObject({ exitCode: 0 });
    return performance.now() - begun;
  };
  const isSending = () => {
    for (const server of servers) expect(server.open()).toBe(1);
  };
  const served = await start();
  for (const name of ['pg1', 'pg2', 'mixed', 'files']) {
    const { status } = await fetch(`${served.url}/v3/deliveries/${name}/run`, { method: 'POST' });
    expect(status).toBe(202);
  }
  await eventually(isSending);
  const listTargets = async () =>
    [...(await readHistory(database)).occurrences.values()].flatMap(({ sendings }) => [...sendings.values()]);
  const countOf = async (state: string) => (await listTargets()).filter((each) => each.state === state).length;
  await eventually(async () => expect(await countOf('sent')).toBe(2));
  expect(await stop(served)).toBeLessThan(STOP_MS);
  expect(await countOf('sending')).toBe(servers.length);
  const again = await start();
  await eventually(isSending);
  expect(await stop(again)).toBeLessThan(STOP_MS);
  const repeated = (await listTargets()).filter(({ state }) => state === 'sending');
  expect(repeated.map(({ attempts, isUnsure }) => [attempts, isUnsure])).toEqual(servers.map(() => [2, true]));
});

it('a server whose folder hangs stops within 10 s; the list says since when, and what waits for it', {
  tags: ['slow'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-hanging-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const hook = await startSilentHook('answer');
  const [database, file] = [join(folder, 'company.duckdb'), join(folder, 'deliveries.yaml')];
  const place = join(folder, 'out-{period}');
  const targets = `{folder: "${place}"}, {webhook: "http://127.0.0.1:${hook.port}"}`;
  writeFileSync(file, `deliveries:\n${report('hanging', targets).replace('* * * * *', 'closed')}`);
  const start = () => startServer(database, { flags: ['--deliveries', file] });
  const stop = async ({ program }: Awaited<ReturnType<typeof start>>) => {
    const begun = performance.now();
    program.signal('SIGTERM');
    expect(await program.outcome).toMatchObject({ exitCode: 0 });
    expect(performance.now() - begun).toBeLessThan(STOP_MS);
  };
  const send = async (url: string): Promise<string> => {
    const answer = await fetch(`${url}/v3/deliveries/hanging/run`, { method: 'POST' });
    return ((await answer.json()) as { occurrence: string }).occurrence;
  };
  const listTargets = async (url: string) => {
    const { deliveries } = (await (await fetch(`${url}/v3/deliveries`)).json()) as { deliveries: DeliveryStatus[] };
    return deliveries[0]?.last?.targets ?? [];
  };
  const served = await start();
  const first = await send(served.url);
  await eventually(async () =>
    expect((await listTargets(served.url)).map(({ state }) => state)).toEqual(['sent', 'sending']),
  );
  await stop(served);
  // The file that is to be copied becomes one that nothing is ever read of.
  const [outbox = ''] = readdirSync(join(folder, 'company.deliveries'));
  const stored = join(folder, 'company.deliveries', outbox, 'hanging-2026-05.csv');
  rmSync(stored);
  execFileSync('mkfifo', [stored]);
  const log = join(folder, 'company.deliveries.ndjson');
  const lines = readFileSync(log, 'utf8').split('\n');
  writeFileSync(log, lines.filter((line) => !line.includes('"event":"sent"')).join('\n'));
  const again = await start();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  await eventually(async () =>
    expect(await listTargets(again.url)).toMatchObject([
      { state: 'sending', attempts: 2, sending_since: time, waits_for: null },
      { state: 'sending', attempts: 2, sending_since: time, waits_for: null },
    ]),
  );
  const second = await send(again.url);
  expect(second).not.toBe(first);
  const waiting = { state: 'waiting', attempts: 0, sending_since: null, waits_for: first };
  await eventually(async () => expect(await listTargets(again.url)).toMatchObject([waiting, waiting]));
  const flags = ['--deliveries', file, '--database', database];
  const [asJson, asText] = [
    await runProcess(['deliveries', '--format', 'json', ...flags]),
    await runProcess(['deliveries', '--format', 'table', ...flags]),
  ];
  const [listed] = (JSON.parse(asJson.stdout) as { deliveries: DeliveryStatus[] }).deliveries;
  expect(listed?.last).toMatchObject({ occurrence: second, targets: [waiting, waiting] });
  expect(asText.stdout).toContain(`waiting for ${first}`);
  await stop(again);
});

it('deliver --due ends although a counterpart is silent, says which step took too long, and sends the others', {
  tags: ['slow'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-due-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const silent = await startSilentPostgres('sign-in');
  vi.stubEnv('PG1', `postgres://127.0.0.1:${silent.port}/db`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [database, file] = [join(folder, 'company.duckdb'), join(folder, 'deliveries.yaml')];
  const text = `deliveries:\n${marts('pg1', 'PG1')}${report('files', `{folder: "${folder}/out-{period}"}`)}`;
  writeFileSync(file, text.replaceAll('* * * * *', 'new_data'));
  const { exitCode, stderr } = await runProcess(['deliver', '--due', '--deliveries', file, '--database', database]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`PostgreSQL at 127.0.0.1:${silent.port} took longer than 20 s to let the role in`);
  expect(readdirSync(join(folder, 'out-2026-05'))).toEqual(['files-2026-05.csv']);
});
