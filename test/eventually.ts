import { vi } from 'vitest';

/** The longest time for something that normally takes milliseconds, on a machine that is busy with other tests. */
const PATIENCE = { timeout: 60_000 };

/** Repeats a probe until it no longer throws. @returns What the probe returns. */
export function eventually<T>(probe: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(probe, PATIENCE);
}
