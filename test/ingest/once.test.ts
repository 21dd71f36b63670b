import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/ingest/ingest.ts';
import { parseMapping } from '../../src/ingest/mapping/mapping-file.ts';
import { type Files, withDataset } from './dataset.ts';

const time = (more = '', file = 't*.csv') =>
  `{file: "${file}", resource: logged_time, ${more} fields: {logged_time_id: {row: true}, people_id: {name: Who}, date: Day, hours: H}}`;

/** Loads files by entries, and returns the hours of each day, and the number of duplicates. */
const hoursOf = (files: Files, ...entries: readonly string[]) =>
  withDataset(
    files,
    async ({ rows, summary }) => {
      const days = await rows(
        `SELECT strftime(date, '%d') || ' ' || CAST(sum(hours) AS DECIMAL(9,1)) AS day FROM source.logged_time GROUP BY date ORDER BY date`,
      );
      const counts = summary.resources.find(({ resource }) => resource === 'logged_time');
      return [days.map(({ day }) => day).join(', '), counts?.duplicates];
    },
    { mapping: parseMapping(`files: [${entries.join(', ')}]`, 'mapping.yaml', inputResources) },
  );

const rows = (...lines: readonly string[]) => ['Who,Day,H', ...lines, ''].join('\n');
const [first, second, third] = ['Ada,2026-03-02,1', 'Ada,2026-03-03,2', 'Ada,2026-03-04,3'] as const;

describe('files of one pattern', () => {
  it('that are the same are refused by name', async () => {
    await expect(hoursOf({ 't1.csv': rows(first), 't2.csv': rows(first) }, time())).rejects.toThrow(
      't1.csv and t2.csv are the same file: their rows would count twice',
    );
  });

  it('that overlap count equal rows once, in equal number', async () => {
    const files = { 't1.csv': rows(first, second, second), 't2.csv': rows(second, second, third) };
    expect(await hoursOf(files, time())).toEqual(['02 1.0, 03 4.0, 04 3.0', 2]);
  });

  const corrected = { 't1.csv': rows(first, second), 't2.csv': rows('Ada,2026-03-03,2.5', third) };

  it('with different entries of a day stop the load', async () => {
    await expect(hoursOf(corrected, time())).rejects.toThrow('t1.csv and t2.csv have different entries of ');
  });

  it('follow overlap', async () => {
    expect(await hoursOf(corrected, time('overlap: newest,'))).toEqual(['02 1.0, 03 2.5, 04 3.0', 1]);
    expect(await hoursOf(corrected, time('overlap: add,'))).toEqual(['02 1.0, 03 4.5, 04 3.0', 0]);
  });
});

it('equal rows of one file, and of different entries, stay', async () => {
  expect(await hoursOf({ 't1.csv': rows(first, first) }, time())).toEqual(['02 2.0', 0]);
  const files = { 't1.csv': rows(first), 'u1.csv': rows(first, second) };
  expect(await hoursOf(files, time(), time('', 'u*.csv'))).toEqual(['02 2.0, 03 2.0', 0]);
});
