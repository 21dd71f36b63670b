import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tupleKey } from '../src/base/tuple-key.ts';
import { SEED } from './seed.ts';

/** Texts of separators and quotes, in which tuples could run into each other, and half characters. */
const text = fc
  .array(fc.constantFrom('a', ' ', ',', '"', '\\', '\n', '[', ']', 'null', 'true', '\ud800', '\ufffd'))
  .map((parts) => parts.join(''));
const part = fc.oneof(text, fc.boolean(), fc.constant(undefined));

it(`two tuples have one key only if they are equal, PLUMBLINE_SEED=${SEED}`, () => {
  const tuple = fc.array(part, { maxLength: 4 });
  fc.assert(
    fc.property(tuple, tuple, (one, other) => {
      const isEqual = one.length === other.length && one.every((each, index) => each === other[index]);
      expect(tupleKey(...one) === tupleKey(...other)).toBe(isEqual);
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

it('a text that moves between two parts changes the key', () => {
  fc.assert(
    fc.property(text, text, text, (first, moved, last) => {
      fc.pre(moved !== '');
      expect(tupleKey(first + moved, last)).not.toBe(tupleKey(first, moved + last));
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});
