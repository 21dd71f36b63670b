import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve } from '../http/served.ts';
import { connect, type Session } from './session.ts';

const MONTH = { start_date: '2026-01-01', end_date: '2026-01-31' };

let served: Served;
let session: Session;
beforeAll(async () => {
  served = await serve();
  session = await connect(new StreamableHTTPClientTransport(new URL('/mcp', served.url)));
});
afterAll(async () => {
  await session.client.close();
  await served.close();
});

it.each([
  ['lines', 'lines', {}, { limit: 1000 }],
  ['lines', 'lines', { measure: 'scheduled_hours' }, { limit: 1000 }],
  ['lines', 'lines', { sort: '-hours,line_id' }, { 'per-page': 997 }],
  ['run_report', 'people', { interval: 'day' }, { 'per-page': 1000 }],
  ['run_report', 'people', { interval: 'day' }, { page: 2, 'per-page': 331 }],
])(
  '%s of %s with %j and %j are cut by bytes, and next gives every row once',
  { tags: ['slow'] },
  async (tool, report, sent, size) => {
    const query = new URLSearchParams({ ...MONTH, ...sent, decimals: 'string' });
    const whole = (await served.get(`/v3/reports/${report}?${query}`)).json()[report];
    const rows: unknown[] = [];
    const mores: string[] = [];
    let next: object | null = {};
    while (next && mores.length < 100) {
      const { content } = await session.call(tool, {
        ...MONTH,
        ...sent,
        ...size,
        ...(tool === 'run_report' && { report }),
        ...next,
      });
      expect(content.rows.length).toBeGreaterThan(0);
      expect(content.truncated).toBe(content.next !== null);
      rows.push(...content.rows);
      mores.push(content.more ?? '');
      next = content.next;
    }
    expect(mores.filter((more) => more.includes('262144 bytes')).length).toBeGreaterThan(0);
    const columns = Object.keys(rows[0] as object);
    const shown = (row: Record<string, unknown>) => Object.fromEntries(columns.map((name) => [name, row[name]]));
    const skipped = 'page' in size ? size['per-page'] : 0;
    expect(rows).toEqual(whole.slice(skipped).map(shown));
  },
);
