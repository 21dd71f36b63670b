// @module-tag slow
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { startHooks } from './delivered.ts';
import { openDelivering } from './delivering.ts';

const FILE = `deliveries:
  - name: clients
    when: "0 7 3 * *"
    report: clients
    parameters: {period: 2026-05}
    to: [{webhook: "HOOK"}]
`;

it('a server lists its deliveries, sends one at a request with the scope deliver, and follows its file', {
  tags: ['slow'],
}, async () => {
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
  expect(seen.last.targets).toEqual([
    { target: 'webhook', state: 'retrying', attempts: 1, at: expect.any(String), sending_since: null, waits_for: null },
  ]);
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

it('a delivery that is asked for before any data is answered 503, as the description says', async () => {
  const { ask, tokens } = await openDelivering(FILE.replace('HOOK', 'https://hooks.example.com'), false);
  const { status, body } = await ask('/v3/deliveries/clients/run', tokens.sender, 'POST');
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({
    name: 'unavailable',
    message: expect.stringMatching(/^There is no database/),
  });
  const described = JSON.parse((await ask('/openapi.json', tokens.sender)).body);
  expect(described.paths['/v3/deliveries/{name}/run'].post.responses).toHaveProperty('503');
});
