import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:');
});
afterAll(() => database.close());

it('a quoted text is the same text in the database, whatever its characters', async () => {
  // Lone surrogates can't be encoded as UTF-8.
  const text = fc.array(fc.constantFrom("'", '\0', '\\', '"', '\n', '--', 'é', '😀', 'a'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const [row] = await database.rows<{ text: string }>(`SELECT ${quoteText(parts.join(''))} AS text`);
      expect(row?.text).toBe(parts.join(''));
    }),
    { examples: [[['\0']], [['a', '\0', "'", '\0']]] },
  );
});

it('a quoted text works wherever a text may stand: in lists, with functions and casts', async () => {
  const text = quoteText("a\0'b");
  expect(await database.rows(`SELECT lower(${text}) IN ('x', ${text}) AS found, ${text} || 'c' AS longer`)).toEqual([
    { found: true, longer: "a\0'bc" },
  ]);
});
