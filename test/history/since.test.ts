import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { describeChangedClosings } from '../../src/store/history/closing/changed-closings.ts';
import { copyKeptCompany } from './kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

const FULL = 'Out of Memory Error: failed to allocate data of size 8.0 MiB (600.0 MiB/600.0 MiB used)';
const withoutMemory = { rows: () => Promise.reject(new Error(FULL)) } as unknown as Database;

it('a load and status tell what has come into closed periods since', { tags: ['slow'], timeout: 400_000 }, async () => {
  const company = await copyKeptCompany();
  for (const period of ['2026-02', '2026-03']) await company.run(NOW, 'close', period);
  const same = await company.load(8);
  expect([same.code, same.stderr]).toEqual([0, expect.not.stringContaining('Since ')]);

  const { stderr } = await company.load(6.5);
  const sums = 'actual hours -1.50 h, actual cost -75.00 USD, actual fees -150.00 USD, actual revenue -150.00 USD';
  const sentence = `Since 2026-03@1 was closed at ${NOW}, counted to 2026-03-31 then and to 2026-03-31 now: ${sums}. By cause: other hours: ${sums}.`;
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('2026-02');
  expect((await company.run(NOW, 'status')).stdout).toContain(sentence);

  // The data is published by then, so a lack of memory doesn't fail the load.
  const path = join(company.folder, 'company.duckdb');
  expect(await describeChangedClosings(path, withoutMemory, new Date(NOW))).toEqual([
    'What has come into closed periods is not known: The database engine needs more memory than it may use (600.0 MiB/600.0 MiB)',
  ]);

  await company.run(NOW, 'reopen', '2026-03', '--reason', 'test');
  expect((await company.run(NOW, 'status')).stdout).not.toContain('Since ');
  await company.run(NOW, 'close', '2026-03');
  expect((await company.run(NOW, 'status')).stdout).not.toContain('Since ');

  rmSync(join(company.folder, 'company.closings', '2026-03@2', 'company.duckdb'));
  const unknown = await company.load(5);
  expect([unknown.code, unknown.stderr]).toEqual([
    0,
    expect.stringContaining(
      'What has come into 2026-03@2 is not known: The kept state 2026-03@2 is not as it was kept',
    ),
  ]);
  rmSync(join(company.folder, 'company.closings', 'events.ndjson'));
  expect((await company.run(NOW, 'status')).stdout).toContain('What has come into closed periods is not known: ');
});
