import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scope } from '../../src/doors/identity/tokens.ts';
import { eventually } from '../eventually.ts';
import { type Served, serve } from '../http/served.ts';
import { connect, type Session } from '../mcp/session.ts';
import { BRIDGE, COMPANY, W7 } from './w7.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, data: COMPANY, scopes: ['reports', 'rates', 'write'] });
});
afterAll(() => served.close());

/** Connects a client with a token of these scopes. */
async function open(...scopes: Scope[]): Promise<Session> {
  const { header: authorization } = await served.token(scopes);
  await eventually(async () => expect((await served.get('/v3/reports', { authorization })).status).not.toBe(401));
  const requestInit = { headers: { authorization } };
  return connect(new StreamableHTTPClientTransport(new URL('/mcp', served.url), { requestInit }));
}

it('a model with the scope to write previews changes', { tags: ['slow'] }, async () => {
  const session = await open('reports', 'rates', 'write');
  expect(await session.tools()).toContain('preview');
  const { content, text, isError } = await session.call('preview', W7);
  expect([isError, text]).toEqual([
    false,
    'Rows of projects after the changes: 1; differences: 1. Nothing was written.',
  ]);
  expect(content).toMatchObject({
    before: [{ project_id: 501, forecast_cost: '7200.00' }],
    after: [{ project_id: 501, forecast_cost: '4512.00' }],
    totals: { after: { forecast_cost: '4512.00' }, changes: [{ difference: '-2688.00' }] },
    truncated: false,
  });
  const { project_id, measure } = BRIDGE;
  const differences = {
    value_then: '7200.00',
    value_now: '4512.00',
    difference: '-2688.00',
    moved: '-2880.00',
    rate: '192.00',
  };
  expect(content.changes).toEqual([{ project_id, project: 'Harbor', measure, unit: 'money', ...differences }]);
  const wrong = await session.call('preview', { ...W7, changes: [{ method: 'DELETE', path: '/v3/people/7' }] });
  expect([wrong.isError, wrong.text]).toEqual([true, 'Change 1, DELETE /v3/people/7: There is no record 7 in people']);
  await session.client.close();
});

it("others don't have the tool", { tags: ['slow'] }, async () => {
  const session = await open('reports', 'rates');
  expect(await session.tools()).not.toContain('preview');
  await expect(session.call('preview', W7)).rejects.toThrow('The tool preview needs the scope write');
  await session.client.close();
  const readOnly = await serve({ data: COMPANY });
  const reader = await connect(new StreamableHTTPClientTransport(new URL('/mcp', readOnly.url)));
  try {
    expect(await reader.tools()).not.toContain('preview');
    await expect(reader.call('preview', W7)).rejects.toThrow('There is no tool "preview"');
  } finally {
    await reader.client.close();
    await readOnly.close();
  }
});
