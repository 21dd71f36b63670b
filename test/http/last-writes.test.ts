import { expect, it } from 'vitest';
import { serveClosable } from './closable-server.ts';
import { NOW } from './served.ts';

/** The longest duration of a start, a closing and some writes on a busy machine. Unit: ms. */
const WRITES_MS = 200_000;

it('X8: changed lines name the last write behind their causes since the state, and its token', {
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
    await write('2026-06-15T13:00:00Z', 'PATCH', '/v3/projects/1', { default_hourly_rate: '120.00' });
    const list = async (asked: string) => {
      const { body } = await send('GET', `/v3/reports/changed-lines?from=2026-03&${asked}`);
      const lines = JSON.parse(body)['changed-lines'] as Record<string, unknown>[];
      return lines.map(({ line_id_now, causes, changed_at, changed_by }) => [
        line_id_now,
        causes,
        changed_at,
        changed_by,
      ]);
    };
    expect(await list('measure=actual_cost')).toEqual([
      ['a:a', ['hours', 'rate'], '2026-06-15T12:50:00Z', 'test'],
      // Its own record was written before the closing, and that of the person after it.
      ['a:b', ['rate'], '2026-06-15T12:50:00Z', 'test'],
    ]);
    expect(await list('measure=actual_cost&cause=hours')).toEqual([['a:a', ['hours'], '2026-06-15T12:40:00Z', 'test']]);
    expect(await list('measure=actual_fees&cause=rate')).toEqual([
      ['a:a', ['rate'], '2026-06-15T13:00:00Z', 'test'],
      ['a:b', ['rate'], '2026-06-15T13:00:00Z', 'test'],
    ]);
  } finally {
    await served.close();
  }
});
