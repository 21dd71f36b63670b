import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, openData } from '../../live/data.ts';

/** Duration of the writes, refreshes, reads and publications. Unit: s. */
const SECONDS = Number(process.env['PLUMBLINE_SOAK_SECONDS'] ?? 60);

/** Share of the duration before the baseline is measured. */
const WARM = 0.3;

/** Allowed growth of the process, including the data of each write. Unit: MiB. */
const MAX_GROWTH_MIB = 200;

it(`${SECONDS} s of writes, refreshes, reports and publications don't leak memory, files or handles`, {
  timeout: (SECONDS + 300) * 1000,
}, async () => {
  const { file, remove } = await makeFolder('company');
  const live = await openData(file, { publishEveryMs: 1_000 });
  const { hours } = await live.readHours();
  const measure = () => ({
    mib: process.memoryUsage().rss / 2 ** 20,
    handles: readdirSync('/proc/self/fd').length,
    files: readdirSync(dirname(file)).filter((name) => !name.includes('.next-')).length,
  });
  const startedAt = performance.now();
  const passed = () => (performance.now() - startedAt) / 1000 / SECONDS;
  let warm: ReturnType<typeof measure> | undefined;
  let writes = 0;
  while (passed() < 1) {
    writes += 1;
    await live.logHour();
    await live.readHours(writes % 2 === 0);
    if (passed() > WARM) warm ??= measure();
  }
  const end = measure();
  console.log(`${writes} writes, warm ${JSON.stringify(warm)}, at the end ${JSON.stringify(end)}`);
  expect(Number((await live.readHours()).hours) - Number(hours)).toBe(writes);
  expect(live.events.faults).toEqual([]);
  expect(live.events.published).not.toEqual([]);
  expect(end.mib - (warm?.mib ?? 0)).toBeLessThan(MAX_GROWTH_MIB);
  // A publication in progress has some files open.
  expect(end.handles - (warm?.handles ?? 0)).toBeLessThan(20);
  expect(end.files - (warm?.files ?? 0)).toBeLessThanOrEqual(1);
  await live.close();
  remove();
});
