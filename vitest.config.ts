import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take minutes, the longest first. */
const LONGEST = ['oracle/agreement', 'errors/kill', 'refresh/histories', 'errors/disk'];

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
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Of two cores, vitest would leave one to itself, which has next to nothing to do.
    maxWorkers: availableParallelism(),
    // What files of tests import is loaded once a worker: nothing there is changed by a test.
    isolate: false,
    // The database works on threads of its own, so a few tests at once keep both cores busy.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
  },
});
