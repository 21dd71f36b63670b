import { expect, it } from 'vitest';
import { splitItems } from '../../src/numbers/report/catalogue/list-item.ts';
import { readParameters } from '../../src/store/ask/sent-parameters.ts';

/** Lists on which a search backwards at each character would take hours. */
const HOSTILE = ['\\'.repeat(1_000_001), `${'\\'.repeat(1_000_000)},`, '\\,'.repeat(500_000), ','.repeat(500_000)];

/** More than the time of a million characters, on a busy machine. Unit: ms. */
const LINEAR_MS = 5_000;

it.each(HOSTILE.map((text) => [`${text.slice(-2)} after ${text.length} characters`, text]))(
  'a list that ends with %s is split in linear time, and joined',
  (_, text) => {
    const startedAt = performance.now();
    const items = splitItems(text);
    const { fields = '' } = readParameters({ fields: [text, 'b'] });
    expect(performance.now() - startedAt).toBeLessThan(LINEAR_MS);
    expect(items.join(',')).toBe(text);
    expect(splitItems(fields)).toHaveLength(2);
  },
);

it('an item keeps its commas and a last backslash, one after a backslash splits nothing', () => {
  expect(splitItems(String.raw`a\,b,c\\,d\\\,e,,f`)).toEqual([
    String.raw`a\,b`,
    String.raw`c\\`,
    String.raw`d\\\,e`,
    '',
    'f',
  ]);
  expect(splitItems('')).toEqual(['']);
  expect(readParameters({ fields: ['a,b', String.raw`c\,d`, String.raw`e\\,f`, 'g\\', 'h'] })).toEqual({
    fields: [String.raw`a\,b`, String.raw`c\,d`, String.raw`e\\\,f`, 'g\\\\', 'h'].join(','),
  });
});
