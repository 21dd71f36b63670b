import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { withDataset } from './dataset.ts';

const PEOPLE = '[{"people_id": 1, "name": "Ada"}]';
const SUM = createHash('sha256').update(PEOPLE).digest('hex');

describe('SHA256SUMS beside the files of a dataset', () => {
  test.each([
    ['the sum of the file', `${SUM}  people.json\n`],
    ['the sum of a binary file, as written by sha256sum -b', `${SUM} *people.json\n`],
    ['upper case, with a folder and Windows line ends', `${SUM.toUpperCase()}  ./people.json\r\n\r\n`],
    ['an empty list', ''],
  ])('with the sum %s lets it be loaded, and is no unknown file', async (_title, sums) => {
    await withDataset({ 'people.json': PEOPLE, SHA256SUMS: sums }, async ({ summary, rows }) => {
      expect(await rows('SELECT name FROM source.people')).toEqual([{ name: 'Ada' }]);
      expect(JSON.stringify(summary)).not.toContain('SHA256SUMS');
    });
  });

  test('finds every flipped bit of a file', { tags: ['slow'] }, async () => {
    for (let at = 0; at < PEOPLE.length; at += 1) {
      const flipped = Buffer.from(PEOPLE);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const load = withDataset({ 'people.json': flipped, SHA256SUMS: `${SUM}  people.json` }, async () => undefined);
      await expect(load).rejects.toThrow('SHA256SUMS names another SHA-256 for people.json');
    }
  });
});
