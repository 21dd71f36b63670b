import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. */
const LONGEST = [
  'long/sync-histories',
  'long/sync-small-lists',
  'long/zones',
  'long/properties',
  'long/kill',
  'long/agreement',
  'long/sync-kills',
  'long/serve-sync-kills',
  'long/postgres',
  'long/histories',
  'long/sync-run',
  'long/backup-command',
  'long/input-errors',
  'long/sync-odd-values',
  'long/page-behavior',
  'long/steps',
  'long/fuzz',
  'long/history',
  'long/refresh-cases',
  'long/macro-lists',
  'history/retention',
  'oracle/agreement',
  'http/odata',
  'page/screens',
  'write/xlsx/workbook',
  'write/xlsx/summary',
  'docs',
];

/** Longest duration of a long proof that names no other. Unit: ms. */
const LONG_MS = 300_000;

/** Starts the longest files first: started last, one would keep a core busy alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    // Long: kills, full disks, crowds, two programs on one database, and random tests at full size.
    projects: [
      { extends: true, test: { name: 'short', include: ['test/**/*.test.ts'], exclude: ['test/long/**', 'test/cluster/**'] } },
      { extends: true, test: { name: 'long', include: ['test/long/*.test.ts'], testTimeout: LONG_MS } },
      // Measurements of time and memory, one file at a time.
      {
        extends: true,
        test: { name: 'alone', include: ['test/long/alone/*.test.ts'], maxWorkers: 1, sequence: { groupOrder: 1 }, testTimeout: LONG_MS },
      },
      // A cluster of Trino, which it fetches and starts.
      {
        extends: true,
        test: { name: 'cluster', include: ['test/cluster/*.test.ts'], maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
    tags: [{ name: 'slow', description: 'Takes more than about 1.5 s: runs in npm run test:long, not in npm test.' }],
    globalSetup: './test/loaded-folder.ts',
    testTimeout: 120_000,
    // What normally takes milliseconds may take seconds on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    // One more than the processors: workers often wait for the disk, for processes or for time to pass.
    maxWorkers: availableParallelism() + 1,
    // Modules are loaded once a worker: no test changes one.
    isolate: false,
    // The database has its own threads, so a few tests at once keep both cores busy.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    // Its imports have no file endings, which Node alone can't resolve.
    server: { deps: { inline: ['dt-sql-parser'] } },
  },
});
