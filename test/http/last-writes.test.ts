import { expect, it } from 'vitest';
import { serveClosable } from './closable-server.ts';
import { NOW } from './served.ts';

/** The longest duration of a start, a closing and some writes on a busy machine. Unit: ms. */
const WRITES_MS = 200_000;

it('X8: changed lines name the last write of their own record since the state, and its token', {
  timeout: WRITES_MS,
  tags: ['slow'],
}, async () => {
  let now = NOW;
  const { served, send } = await serveClosable({ now: () => now });
  try {
    const write = async (moment: string, method: string, path: string, body: object) => {
      now = new Date(moment);
      const { status } = await send(method, path, body);
      expect([path, status < 300]).toEqual([path, true]);
    };
    await write('2026-06-15T12:10:00Z', 'PATCH', '/v3/logged-time/b', { hours: 5 });
    await write('2026-06-15T12:20:00Z', 'POST', '/v3/closings', { period: '2026-03' });
    await write('2026-06-15T12:30:00Z', 'PATCH', '/v3/logged-time/a', { hours: 7 });
    await write('2026-06-15T12:40:00Z', 'PATCH', '/v3/logged-time/a', { hours: 6 });
    await write('2026-06-15T12:50:00Z', 'PATCH', '/v3/people/1', { cost_rate: '66.00' });
    const { body } = await send('GET', '/v3/reports/changed-lines?from=2026-03&measure=actual_cost');
    const fields = ({ line_id_now, causes, changed_at, changed_by }: Record<string, unknown>) => [
      line_id_now,
      causes,
      changed_at,
      changed_by,
    ];
    expect((JSON.parse(body)['changed-lines'] as Record<string, unknown>[]).map(fields)).toEqual([
      ['a:a', ['hours', 'rate'], '2026-06-15T12:40:00Z', 'test'],
      // Its rate is another, and its own record was written before the closing.
      ['a:b', ['rate'], null, null],
    ]);
  } finally {
    await served.close();
  }
});
