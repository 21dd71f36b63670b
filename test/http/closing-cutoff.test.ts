import { expect, it } from 'vitest';
import { serveClosable } from './closable-server.ts';

const PATH = '/v3/reports/projects?period=2026-03';

it('a report of a closed period takes its cutoff in every answer after the close, and names the closing to readers of all alone', {
  tags: ['slow'],
}, async () => {
  const { served, send } = await serveClosable({ now: () => new Date('2026-04-03T12:00:00Z') });
  try {
    const { header: authorization } = await served.token(['reports', 'rates']);
    const { header: ofPart } = await served.tokenOfPart({ project_id: [1] });
    const read = (path: string, headers: Record<string, string>) => served.get(path, headers);
    await expect.poll(async () => (await read(PATH, { authorization: ofPart })).status).toBe(200);
    const before = await read(PATH, { authorization });
    expect(before.json().meta.cutoff).toEqual({ date: '2026-04-01', reason: 'the last day with logged time' });
    const held = { authorization, 'if-none-match': before.headers.get('etag') ?? '' };
    // The second answer is of the shortcut.
    for (const _ of [1, 2]) expect((await read(PATH, held)).status).toBe(304);

    expect((await send('POST', '/v3/closings', { period: '2026-03' })).status).toBe(201);
    const after = await read(PATH, held);
    expect(after.status).toBe(200);
    const date = '2026-03-31';
    expect(after.json().meta.cutoff).toEqual({ date, reason: 'the cutoff of the closing 2026-03' });
    const part = await read(PATH, { authorization: ofPart });
    expect(part.json().meta.cutoff).toEqual({ date, reason: 'the cutoff of a closing' });
    const measure = '&report=projects&measure=actual_hours&project_id=1';
    const explained = await read(`/v3/explain?period=2026-03${measure}`, { authorization });
    expect(explained.json().meta.cutoff.date).toBe(date);
    const rows = await read(`/odata/v4/report_projects(period='2026-03')?$select=budget_used`, { authorization });
    expect(rows.status).toBe(200);
  } finally {
    await served.close();
  }
});
