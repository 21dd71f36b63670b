import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadDataset } from '../../src/command/load/load-dataset.ts';
import { readServerConfig } from '../../src/config/config.ts';
import { serveDeliveries } from '../../src/deliver/served-deliveries.ts';
import { openServer } from '../../src/http/server.ts';
import { createToken, type Scope } from '../../src/identity/tokens.ts';
import { eventually } from '../eventually.ts';
import { copyLoaded } from '../loaded.ts';
import { startHooks } from './delivered.ts';

const FILE = `deliveries:
  - name: clients
    when: "0 7 3 * *"
    report: clients
    parameters: {period: 2026-05}
    to: [{webhook: "HOOK"}]
`;

/** Starts a server with deliveries. */
async function openDelivering(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-served-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const database = join(folder, 'company.duckdb');
  const file = join(folder, 'deliveries.yaml');
  writeFileSync(file, text);
  const config = readServerConfig({ database, port: '0' }, {});
  const tokenOf = async (scopes: Scope[]) =>
    (await createToken(config.tokens, { label: 'x', scopes, expires: null }, new Date())).token;
  const tokens = { reader: await tokenOf(['reports']), sender: await tokenOf(['reports', 'deliver']) };
  let log = '';
  const server = await openServer(config, {
    log: (lines) => {
      log += lines;
    },
    deliveries: (served) => serveDeliveries(file, database, served),
  });
  onTestFinished(async () => void (await server.close()));
  const ask = async (path: string, token: string, method = 'GET') => {
    const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: await answer.text() };
  };
  return { file, tokens, ask, log: () => log };
}

it('a server lists its deliveries, sends one at a request with the scope deliver, and follows its file', async () => {
  const hooks = await startHooks();
  const text = FILE.replace('HOOK', hooks.url);
  const { file, tokens, ask, log } = await openDelivering(text);
  expect(await ask('/v3/deliveries/clients/run', tokens.reader, 'POST')).toMatchObject({ status: 403 });
  expect(await ask('/v3/deliveries/others/run', tokens.sender, 'POST')).toMatchObject({ status: 404 });
  hooks.answer = { status: 500, body: 'broken' };
  expect(await ask('/v3/deliveries/clients/run', tokens.sender, 'POST')).toMatchObject({ status: 202 });
  const list = async (token: string) => JSON.parse((await ask('/v3/deliveries', token)).body).deliveries;
  await eventually(async () => expect((await list(tokens.reader))[0].last?.targets[0]?.state).toBe('retrying'));
  const [seen] = await list(tokens.reader);
  expect(seen).toMatchObject({ name: 'clients', kind: 'delivery', next: expect.stringMatching(/-03T0[56]:00:00Z$/) });
  expect(seen.last.targets).toEqual([{ target: 'webhook', state: 'retrying', attempts: 1, at: expect.any(String) }]);
  const [whole] = await list(tokens.sender);
  expect(whole.last.targets[0]).toMatchObject({
    target: expect.stringMatching(/^webhook:\w{8}$/),
    why: expect.stringContaining('status 500'),
  });
  const metrics = await ask('/metrics', tokens.reader);
  expect(metrics.body).toContain('plumbline_deliveries_total{delivery="clients",result="retrying"} 1');
  writeFileSync(file, text.replace('report: clients', 'report: bored'));
  await eventually(() => expect(log()).toContain('so the earlier ones are kept'));
  expect(await list(tokens.reader)).toHaveLength(1);
  writeFileSync(file, `${text}  - {name: other, when: closed, report: people, to: [{webhook: "${hooks.url}"}]}\n`);
  await eventually(async () => expect(await list(tokens.reader)).toHaveLength(2));
});

it('a server without deliveries has an empty list', async () => {
  const { ask, tokens } = await openDelivering('deliveries: []\n');
  expect(await ask('/v3/deliveries', tokens.reader)).toMatchObject({ status: 200, body: '{"deliveries":[]}' });
});
