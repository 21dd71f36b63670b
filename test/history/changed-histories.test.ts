import { describe, it } from 'vitest';
import { SEED } from '../seed.ts';
import { proveHistory, proveKinds } from './prove-changes.ts';

describe(`random changes (PLUMBLINE_SEED=${SEED})`, () => {
  it('a kind of change alone falls under its own causes alone', { tags: ['slow'] }, () => proveKinds(SEED));

  it('the causes add up, and the differences of two steps to that of both', { tags: ['slow'] }, () =>
    proveHistory(SEED),
  );
});
