import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { KEEP_STEPS, type Step, steps } from '../../../src/base/database/steps.ts';
import { closingsFolder } from '../../../src/store/generation/generation-files.ts';
import { serveClosable } from '../../http/closable-server.ts';
import { collectMoments } from '../../moments.ts';
import { takePart } from '../../seed.ts';

it('a server that dies before or after any step of a hard closing has closed the period or not', {
  timeout: 1_200_000,
}, async () => {
  const { served, send } = await serveClosable();
  const { moments, take } = collectMoments(dirname(served.database));
  const seen = new Set<Step>();
  expect((await send('PATCH', '/v3/logged-time/a', { hours: 7.5 })).status).toBe(200);
  const spy = vi.spyOn(steps, 'take').mockImplementation(async (step, work) => {
    const isFirst = !seen.has(step);
    seen.add(step);
    if (isFirst) take(`before: ${step}`);
    const done = await work();
    if (isFirst) take(`after: ${step}`);
    return done;
  });
  expect((await send('POST', '/v3/closings', { period: '2026-03', kind: 'hard', confirm: true })).status).toBe(201);
  spy.mockRestore();
  expect([...seen]).toEqual(expect.arrayContaining([...KEEP_STEPS]));
  expect(moments.length).toBeGreaterThan(KEEP_STEPS.length);
  for (const moment of takePart(moments)) {
    const { when: whens, folder } = moment;
    const when = whens.join(', ');
    const database = join(folder, 'company.duckdb');
    const again = await serveClosable({ data: 'nothing', database });
    const { closings, damaged } = JSON.parse((await again.send('GET', '/v3/closings')).body);
    expect(damaged, when).toEqual([]);
    const isClosed = closings.length === 1;
    // Only its line in the log, the last of what is written, closes a period.
    expect(isClosed, when).toBe(moment === moments.at(-1));
    const { status } = await again.send('PATCH', '/v3/logged-time/a', { hours: 7 });
    expect([status, isClosed], when).toEqual([isClosed ? 422 : 200, isClosed]);
    expect((await again.send('POST', '/v3/closings', { name: 'next' })).status, when).toBe(201);
    const folders = readdirSync(closingsFolder(database));
    expect(folders.sort(), when).toEqual([...(isClosed ? ['2026-03@1'] : []), 'events.ndjson', 'next@1'].sort());
    await again.served.close();
  }
  await served.close();
});
