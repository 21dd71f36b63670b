import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. */
const LONGEST = [
  'long/zones',
  'long/agreement',
  'long/kill',
  'long/disk',
  'live/working',
  'oracle/agreement',
  'http/tokens',
];

/** Begins with the files that take longest: begun last, one would keep a core busy alone. */
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
    // Random and slow tests are functions of their size: one file in test/ calls them small, one in test/long/ large.
    projects: [
      { extends: true, test: { name: 'short', include: ['test/**/*.test.ts'], exclude: ['test/long/**'] } },
      { extends: true, test: { name: 'long', include: ['test/long/*.test.ts'] } },
      // What measures times and memory has the machine to itself.
      {
        extends: true,
        test: { name: 'alone', include: ['test/long/alone/*.test.ts'], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Of two cores, vitest would leave one to itself, which has next to nothing to do.
    maxWorkers: availableParallelism(),
    // What files of tests import is loaded once a worker: nothing there is changed by a test.
    isolate: false,
    // The database works on threads of its own, so a few tests at once keep both cores busy.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    // Imports its own files without their endings, which Node alone doesn't resolve.
    server: { deps: { inline: ['dt-sql-parser'] } },
  },
});
