import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest in .ci/run, the longest first: a minute and more of the long ones, half of that of the slow ones. */
const LONGEST = [
  'long/page/page-widths',
  'long/numbers/previews',
  'long/numbers/wide-tables',
  'long/store/closing-kills',
  'long/numbers/steps',
  'long/numbers/zones',
  'long/store/handles',
  'long/numbers/contributions',
  'long/store/working',
  'long/records/error-records',
  'long/numbers/insights',
  'long/pull/sync-command',
  'long/store/disk',
  'long/page/adoption',
  'long/page/page',
  'long/page/page-barriers',
  'long/page/page-controls',
  'long/doors/postgres',
  'long/page/page-insights',
  'long/records/file-names',
  'long/pull/sync-small-lists',
  'http/loads',
  'docs',
  'write/xlsx/summary',
  'write/xlsx/workbook',
  'page/data-in',
  'loads/loads',
  'report/earned-doors',
  'deliver/postgres',
  'history/keep',
  'history/retention',
  'http/parts',
  'history/booked',
  'history/readiness',
  'http/part-moves',
  'http/odata',
  'page/screens',
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
      { extends: true, test: { name: 'short', include: ['test/**/*.test.ts', 'packages/*/test/*.test.ts'], exclude: ['test/long/**', 'test/cluster/**'] } },
      { extends: true, test: { name: 'long', include: ['test/long/**/*.test.ts'], exclude: ['test/long/alone/**'], testTimeout: LONG_MS } },
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
    tags: [{ name: 'slow', description: 'Takes more than about half a second, alone or with the others of its file: runs in npm run test:long, not in npm test.' }],
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
