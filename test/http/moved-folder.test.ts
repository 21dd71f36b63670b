import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from './served.ts';

it('a server whose folder is moved away is not ready, and says so', { tags: ['slow'] }, async () => {
  const served = await serve({
    data: { people: [{ people_id: 1, name: 'Ada' }] },
    scopes: ['reports'],
    limits: { pollMs: 20 },
  });
  onTestFinished(async () => void (await served.close()));
  const folder = dirname(served.database);
  const ready = async () => {
    const { status, text } = await served.get('/readyz');
    return [status, text];
  };
  expect(await ready()).toEqual([200, '{"status":"ready"}']);
  renameSync(folder, `${folder}.moved`);
  try {
    await expect
      .poll(ready)
      .toEqual([503, expect.stringMatching(/There are no tokens any more.* is gone\. Put it back/)]);
    await expect.poll(() => served.log()).toContain('There are no tokens any more');
  } finally {
    renameSync(`${folder}.moved`, folder);
  }
  await expect.poll(ready).toEqual([200, '{"status":"ready"}']);
});
