import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

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
  },
});
