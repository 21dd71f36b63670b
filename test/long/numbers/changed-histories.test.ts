import { describe, it } from 'vitest';
import { proveHistory, proveKinds } from '../../history/prove-changes.ts';
import { SEED } from '../../seed.ts';

/** The number of random histories. */
const HISTORIES = Number(process.env['PLUMBLINE_CHANGED_HISTORIES'] ?? 500);

/** The longest duration of one history on a busy machine. Unit: ms. */
const HISTORY_MS = 180_000;

describe(`random changes (PLUMBLINE_SEED=${SEED})`, () => {
  it(`${HISTORIES} histories: causes add up, and each kind of change has its own`, {
    timeout: HISTORIES * HISTORY_MS,
  }, async () => {
    for (let count = 0; count < HISTORIES; count += 1) {
      await proveKinds(SEED + count);
      await proveHistory(SEED + count);
    }
  });
});
