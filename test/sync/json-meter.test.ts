import { describe, expect, it } from 'vitest';
import { recordTexts } from '../../src/pull/record-texts.ts';
import { openJsonMeter } from '../../src/pull/requests/json-meter.ts';

/** Measures a text in pieces of a length. */
function measure(text: string, maxValues: number, maxDepth: number, length: number): string | undefined {
  const meter = openJsonMeter({ maxValues, maxDepth });
  for (let at = 0; at < text.length; at += length) {
    const bound = meter.add(text.slice(at, at + length));
    if (bound) return bound;
  }
  return undefined;
}

describe('openJsonMeter', () => {
  it.each<[string, string, number, number]>([
    ['texts with brackets, commas and quotes', '[{"a":"],}{[\\",\\\\"},{"b":"\\\\\\""}]', 5, 2],
    ['lists in lists', '[[[1,2],[3]],4]', 8, 3],
    ['a text of backslashes', '["\\\\\\\\","\\\\\\"[[[["]', 3, 1],
  ])('measures %s, in pieces of any length', (_title, text, values, depth) => {
    for (let length = 1; length <= text.length; length += 1) {
      expect(measure(text, values, depth, length), `${length}`).toBeUndefined();
      expect(measure(text, values - 1, depth, length), `${length}`).toBe('maxValues');
      expect(measure(text, values, depth - 1, length), `${length}`).toBe('maxDepth');
    }
  });
});

it('records over many lines are put on one in linear time', () => {
  const blank = ' '.repeat(2_000_000);
  expect(recordTexts(`[{\n"a":${blank}1${blank}}]`)).toEqual([`{ "a":${blank}1${blank}}`]);
});
