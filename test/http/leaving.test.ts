import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { COMPANY, W7 } from '../preview/w7.ts';
import { serve } from './served.ts';

/** No report and no list of records is ever computed, so every client waits until it leaves. */
const WAITING = { runningReports: 0, runningReportsAlone: 0, runningReportsEach: 0, recordReads: 0 };

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31' };
const QUERY = new URLSearchParams(WINDOW);
const FUNCTION = 'report_projects(start_date=2026-03-01,end_date=2026-03-31)';

interface Door {
  readonly path: string;
  readonly body?: object;
}

const call = (name: string, given: object) => ({
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
});

const DOORS: readonly Door[] = [
  call('run_report', { report: 'projects', ...WINDOW }),
  call('explain', { report: 'projects', measure: 'actual_hours', ...WINDOW }),
  call('preview', W7),
  { path: '/v3/preview', body: W7 },
  { path: `/v3/reports/projects?${QUERY}` },
  { path: `/v3/explain?report=projects&measure=actual_hours&${QUERY}` },
  { path: '/v3/people' },
  { path: `/odata/v4/${FUNCTION}` },
];

it('a client that leaves is no error, whatever it has asked for', { tags: ['slow'] }, async () => {
  const scopes = ['reports', 'rates', 'write'] as const;
  const served = await serve({ write: true, inMemory: true, data: COMPANY, scopes: [...scopes], limits: WAITING });
  const { header: authorization } = await served.token([...scopes]);
  while ((await served.get('/v3/reports', { authorization })).status !== 200) await sleep(50);
  const gone = new AbortController();
  const ask = ({ path, body }: Door) =>
    fetch(new URL(path, served.url), {
      method: body ? 'POST' : 'GET',
      headers: { authorization, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      signal: gone.signal,
    });
  // Imports the tools.
  await ask({ path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
  const before = served.log();
  const asked = DOORS.map((door) =>
    ask(door)
      .then(
        (response) => response.text().then((text) => `${door.path} is answered with ${response.status} ${text}`),
        () => 'left',
      )
      .catch(() => 'left'),
  );
  await Promise.race([...asked, sleep(500)]);
  gone.abort();
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['left']));
  // Closing waits for every handler.
  await served.close();
  expect(served.log().slice(before.length)).not.toContain('"stack"');
});
